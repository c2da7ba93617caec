// Preconditioned conjugate gradients to a true residual, in one precision or two.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "solvers/choice/preconditioner_kinds.hpp"
#include "solvers/krylov/cg_recurrence.hpp"
#include "solvers/krylov/residual_check.hpp"

namespace solenoid {

struct CgSettings {
    // stop when ||b - A x||_2 <= tolerance ||b||_2, the residual computed anew
    double tolerance = 1e-10;
    int max_iterations = 100000;
    // Norm of the rounding that b holds from what it was formed of: no smaller residual is asked
    // for, and where b is no larger, nothing is left to solve and x = 0. A singular system is
    // consistent to that much only.
    double rounding = 0;
    // What rounding of A x keeps from the tolerance, within a hundredfold, has converged, not
    // stagnated: no better x of this precision is known.
    bool takes_rounding = false;
    // the first guess is zero whatever x holds, and its residual b, which is zero on fixed rows: a
    // product less
    bool from_zero = false;
};

// Of a solve and of the preconditioner that is made for it.
struct SolveSettings {
    CgSettings stop;
    PreconditionerSettings preconditioner;
};

enum class SolveOutcome {
    converged,
    out_of_iterations,
    stagnated,    // rounding keeps the true residual above the tolerance
    broken_down,  // not finite, or the matrix is not positive definite
    // the recurrence's residual and the true one differ by more than rounding makes them
    // (residual_check.hpp)
    inconsistent,
    ranks_differ  // the ranks got different sums (agreed_sums.hpp)
};

struct SolveReport {
    SolveOutcome outcome = SolveOutcome::converged;
    int iterations = 0;
    // ||b - A x|| / ||b||, true; of a b near its rounding: over that by which rounding is the
    // tolerance
    double residual = 0;
    bool in_double = false;
    // where inconsistent: the recurrence's residual and how far rounding may take it from the true
    // one, relative as that is
    double of_recurrence = 0, most_apart = 0;
    bool converged() const { return outcome == SolveOutcome::converged; }
    // Not by rounding, a tolerance or a matrix, but by a computation gone wrong: what was reached
    // is worth nothing.
    bool is_fault() const {
        return outcome == SolveOutcome::inconsistent || outcome == SolveOutcome::ranks_differ;
    }
    // relative_to: what the residuals are divided by.
    void set_inconsistent(const Drift& drift, double true_residual, double bound,
                          double relative_to);
    // For a message: what happened and what to change; in the table [solver.NAME], if named.
    std::string explanation(const std::string& solver = "") const;
};

// Of a system of several columns: the first that has not converged, else the iterations and the
// residual of the slowest.
SolveReport slowest(std::span<const SolveReport> columns);

// Keeps the work vectors. b and x have the operator's size and columns; x holds the first guess and
// the answer.
template <class Real>
class ConjugateGradients {
  public:
    template <class Precision>
    using Preconditioners = std::span<Preconditioner<Precision>* const>;  // one a column

    ConjugateGradients(const Communicator& comm, Device& device, LinearOperator<Real>& matrix);

    // What the first solve else does once: allocates the vectors and, for a mixed one, rounds the
    // matrix. Collective.
    void prepare(Preconditioners<Real> preconditioners);
    void prepare(Preconditioner<Real>& preconditioner);
    // Each column with a tolerance and iterations of its own, as if it were alone; products and
    // messages are those of all.
    std::vector<SolveReport> solve(Preconditioners<Real> preconditioners, const Buffer<Real>& b,
                                   Buffer<Real>& x, const CgSettings& settings);
    SolveReport solve(Preconditioner<Real>& preconditioner, const Buffer<Real>& b, Buffer<Real>& x,
                      const CgSettings& settings);
    // b - A x of the last solve that had anything to do.
    const Buffer<Real>& residual() { return recurrence_.residual(); }
    // With M^-1 a diagonal: Jacobi's, or ones.
    SolveReport solve(const Buffer<Real>& inverse_diagonal, const Buffer<Real>& b, Buffer<Real>& x,
                      const CgSettings& settings);

  private:
    // A column's solve.
    struct Column {
        SolveReport report;
        bool is_done = false;
        // size: what the report's residual is relative to
        double target = 0, size = 0, residual = 0;
        Preconditioner<float>* rounded = nullptr;  // while it iterates in single precision
        bool is_whole = false, goes_on = false;    // of the last descent, of the next one
        int slow_restarts = 0;
        Drift drift;  // of the last descent
        void take(const Descent& descent, int first_iteration);
    };
    void iterate_with_restarts(Preconditioners<Real> preconditioners, const Buffer<Real>& b,
                               Buffer<Real>& x, const CgSettings& settings,
                               std::vector<Column>& columns);
    std::vector<Column> measured(const Buffer<Real>& b, Buffer<Real>& x,
                                 const CgSettings& settings);
    ColumnSums residuals(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r);
    void set_residuals(const Buffer<Real>& b, Buffer<Real>& x, std::span<Column> columns);
    void compare_residuals(const Buffer<Real>& x, std::span<Column> columns);
    void take_rounding(const Buffer<Real>& x, std::span<Column> columns);
    bool inspect(const Buffer<Real>& b, Buffer<Real>& x, std::span<const Column> columns);
    static bool has_ended(Column& column, int max_iterations);
    static bool gets_on(Column& column, double before);
    template <class Precision>
    void iterate(CgRecurrence<Precision>& recurrence, Preconditioners<Precision> preconditioners,
                 const Buffer<Real>& b, Buffer<Real>& x, std::span<Column> columns, bool in_single,
                 int most);
    void iterate(Preconditioners<Real> preconditioners, const Buffer<Real>& b, Buffer<Real>& x,
                 std::span<Column> columns, int most);

    AgreedSums sums_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    ResidualCheck<Real> check_;
    Buffer<Real> inspected_;  // b - A x while a descent goes on; made at the first use
    CgRecurrence<Real> recurrence_;
    std::optional<CgRecurrence<float>> rounded_;
};

}  // namespace solenoid
