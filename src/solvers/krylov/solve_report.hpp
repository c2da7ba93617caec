// How a Krylov solve has ended.
#pragma once

#include <span>
#include <string>

#include "solvers/krylov/residual_check.hpp"

namespace solenoid {

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

}  // namespace solenoid
