// Preconditioned conjugate gradients to a true residual, in one precision or two.
#pragma once

#include <optional>
#include <string>

#include "solvers/krylov/cg_recurrence.hpp"

namespace solenoid {

struct CgSettings {
    double tolerance = 1e-10;  // stop when ||b - A x||_2 <= tolerance ||b||_2, the residual computed anew
    int max_iterations = 100000;
    std::string preconditioner = "automatic";  // for who makes one: "automatic", "multigrid", "jacobi", "none"
    bool is_mixed = false;  // likewise: for iterations in single precision within a solve in double
    int max_levels = 20;    // likewise: of multigrid
    // Norm of the rounding that b holds from what it was formed of: no smaller residual is asked for, and where b is no
    // larger, nothing is left to solve and x = 0. A singular system is consistent to that much only.
    double rounding = 0;
};

enum class SolveOutcome {
    converged,
    out_of_iterations,
    stagnated,   // rounding keeps the true residual above the tolerance
    broken_down  // not finite, or the matrix is not positive definite
};

struct SolveReport {
    SolveOutcome outcome = SolveOutcome::converged;
    int iterations = 0;
    double residual = 0;  // ||b - A x|| / ||b||, true; of a b near its rounding: over that by which rounding is the tolerance
    bool in_double = false;
    bool converged() const { return outcome == SolveOutcome::converged; }
    // For a message: what happened and what to change; in the table [solver.NAME], if named.
    std::string explanation(const std::string& solver = "") const;
};

// Keeps the work vectors. b and x have the operator's size; x holds the first guess and the answer.
template <class Real>
class ConjugateGradients {
  public:
    ConjugateGradients(const Communicator& comm, Device& device, LinearOperator<Real>& matrix);

    // What the first solve else does once: allocates the vectors and, for a mixed one, rounds the matrix. Collective.
    void prepare(Preconditioner<Real>& preconditioner);
    SolveReport solve(Preconditioner<Real>& preconditioner, const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings);
    // With M^-1 a diagonal: Jacobi's, or ones.
    SolveReport solve(const Buffer<Real>& inverse_diagonal, const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings);

  private:
    double true_residual(const Buffer<Real>& b, Buffer<Real>& x);
    bool descend_rounded(Preconditioner<float>& preconditioner, Buffer<Real>& x, double residual, double target, bool goes_on, int most, int& iterations);

    const Communicator& comm_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    CgRecurrence<Real> recurrence_;
    std::optional<CgRecurrence<float>> rounded_;
};

}  // namespace solenoid
