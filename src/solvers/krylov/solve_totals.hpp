#pragma once

#include <algorithm>
#include <array>
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
    // In StateValues (core/state_values.hpp): steps that are taken back count.
    template <class State>
    void register_state(const State& state) {
        using Numbers = std::array<double, 3>;
        state.off_stack().template add<Numbers>(
            "solves",
            [this] {
                return Numbers{double(count), double(iterations), residual};
            },
            [this](const Numbers& numbers) {
                count = static_cast<std::int64_t>(numbers[0]);
                iterations = static_cast<std::int64_t>(numbers[1]);
                residual = numbers[2];
            },
            {0, 9e15});
    }
};

}  // namespace solenoid
