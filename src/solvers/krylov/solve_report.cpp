#include "solvers/krylov/solve_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace solenoid {

void SolveReport::set_inconsistent(const Drift& drift, double true_residual, double bound,
                                   double relative_to) {
    outcome = SolveOutcome::inconsistent;
    residual = true_residual / relative_to;
    of_recurrence = drift.residual / relative_to;
    most_apart = bound / relative_to;
}

std::string SolveReport::explanation(const std::string& solver) const {
    const std::string table = solver.empty() ? "" : "solver." + solver + ".",
                      tolerance = solver.empty() ? "the tolerance" : table + "tolerance";
    constexpr const char* remedy =
        "run with --transport host where messages went through the memory of GPUs, else report the "
        "hardware and its driver";
    switch (outcome) {
        case SolveOutcome::converged:
            return fmt::format("converged in {} iterations, residual {:.2e}", iterations, residual);
        case SolveOutcome::out_of_iterations:
            return fmt::format(
                "not converged in {} iterations, residual {:.2e}: raise {}max_iterations or {}",
                iterations, residual, table, tolerance);
        case SolveOutcome::stagnated:
            return fmt::format(
                "stagnated after {} iterations at the residual {:.2e}: rounding allows no smaller "
                "one; raise {}{}",
                iterations, residual, tolerance,
                in_double ? "" : ", or compute in double precision");
        case SolveOutcome::broken_down:
            return fmt::format(
                "broke down after {} iterations: a value is not finite or the matrix is not "
                "positive definite, as where data of the case (coefficients, speeds, lengths) are "
                "too large or too small for {} precision: take others, as by other units{}",
                iterations, in_double ? "double" : "single",
                in_double ? "" : ", or compute in double precision");
        case SolveOutcome::inconsistent:
            return fmt::format(
                "inconsistent after {} iterations: the residual of the solution is {:.2e}, that of "
                "the recurrence {:.2e}, and rounding makes them differ by at most "
                "{:.2e}: values of another rank, a product or a sum were wrong; {}",
                iterations, residual, of_recurrence, most_apart, remedy);
        case SolveOutcome::ranks_differ:
            return fmt::format(
                "after {} iterations the ranks' sums differ: each got another result of the same "
                "sum over the ranks; {}",
                iterations, remedy);
    }
    return "";
}

SolveReport slowest(std::span<const SolveReport> columns) {
    SolveReport result = columns.front();
    for (const SolveReport& column : columns) {
        if (!column.converged()) return column;
        result.iterations = std::max(result.iterations, column.iterations);
        result.residual = std::max(result.residual, column.residual);
    }
    return result;
}

}  // namespace solenoid
