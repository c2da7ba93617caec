// Restarts from the true residual. A recurrence's residual drifts from b - A x: each time it meets
// the target b - A x is computed, and the recurrence starts again from it until that meets the
// target too, or does not fall any more. A recurrence that breaks down starts again likewise: in a
// singular system that is what rounding has put into the null space, and a new start removes it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/linear_operator.hpp"
#include "solvers/krylov/residual_check.hpp"
#include "solvers/krylov/solve_report.hpp"
#include "solvers/krylov/solve_settings.hpp"

namespace solenoid {

// The solve of one system: of a column, or of all where they are the components of one vector.
struct SystemSolve {
    SolveReport report;
    bool is_done = false;
    // target: of ||b - A x||; size: what the report's residual is relative to
    double target = 0, size = 0;
    double residual = 0;  // ||b - A x||
    // Of the last descent: false where the recurrence broke down.
    bool is_whole = false;
    Drift drift;            // of the last descent
    int slow_restarts = 0;  // that did not halve the residual
};

// A Krylov recurrence: from a residual to a smaller one.
template <class Real>
class Recurrence {
  public:
    virtual ~Recurrence() = default;
    virtual int systems() const = 0;  // that meet their targets each for itself
    virtual Buffer<Real>& residual() = 0;
    // ||v||, and r = b - A x with ||r||, of each system. Collective.
    virtual ColumnSums norms(const Buffer<Real>& v) = 0;
    virtual ColumnSums true_residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) = 0;
    virtual void prepare() {}  // before the first descent of a solve. Collective.

    // Whether a descent has gone wrong: asked with the systems as they are while it goes on.
    // Collective; changes no vector of the recurrence.
    using Inspection = std::function<bool(std::span<const SystemSolve>)>;
    // A descent of the systems that are not done, from residual(), which is b - A x: until they
    // meet their targets by the recurrence, break down, or have `most` iterations in their reports.
    // Collective.
    virtual void iterate(Buffer<Real>& x, std::span<SystemSolve> systems, int most,
                         const Inspection& inspect) = 0;
    // After a descent of system k: true where the next one is to be another (in double precision),
    // so that this one's slowness counts nothing.
    virtual bool changes(int k, bool is_whole, bool is_slow) {
        (void)k, (void)is_whole, (void)is_slow;
        return false;
    }
};

template <class Real>
class TrueResidual {
  public:
    // All references must outlive this.
    TrueResidual(AgreedSums& sums, LinearOperator<Real>& matrix, Recurrence<Real>& recurrence)
        : sums_(sums), matrix_(matrix), recurrence_(recurrence), check_(sums, matrix) {}

    // A report for each system of the recurrence. Collective.
    std::vector<SolveReport> solve(const Buffer<Real>& b, Buffer<Real>& x,
                                   const CgSettings& settings);

  private:
    using Systems = std::span<SystemSolve>;
    void restart(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings,
                 Systems systems);
    void measure(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings,
                 Systems systems);
    void set_residuals(const Buffer<Real>& b, Buffer<Real>& x, Systems systems);
    ColumnSums matrix_sizes(const Buffer<Real>& x);
    void compare(const Buffer<Real>& x, Systems systems);
    bool is_wrong(const Buffer<Real>& b, Buffer<Real>& x, std::span<const SystemSolve> systems);
    bool gets_on(int k, SystemSolve& system, double before);
    void take_rounding(const Buffer<Real>& x, Systems systems);

    AgreedSums& sums_;
    LinearOperator<Real>& matrix_;
    Recurrence<Real>& recurrence_;
    ResidualCheck<Real> check_;
    Buffer<Real> inspected_;  // b - A x while a descent goes on; made at the first use
};

}  // namespace solenoid
