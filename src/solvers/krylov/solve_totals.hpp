#pragma once

#include <algorithm>
#include <cstdint>

#include "solvers/krylov/preconditioner.hpp"
#include "solvers/krylov/solve_report.hpp"

namespace solenoid {

// What the solves of one system in a run add up to.
struct SolveTotals {
    std::int64_t count = 0, iterations = 0;
    double residual = 0;  // the largest
    PreconditionerSummary preconditioner;
    void add(const SolveReport& report) {
        ++count;
        iterations += report.iterations;
        residual = std::max(residual, report.residual);
    }
};

}  // namespace solenoid
