// Default settings of a flow's linear solvers.
#pragma once

#include <type_traits>

#include "flow/settings/flow_case.hpp"
#include "solvers/krylov/solve_settings.hpp"

namespace solenoid {

template <class Real>
SolveSettings cg_settings(const SolverSettings& s) {
    return {{s.tolerance.value_or(std::is_same_v<Real, double> ? 1e-6 : 1e-4), s.max_iterations},
            {&preconditioner_kind(s.preconditioner), s.is_mixed, s.levels}};
}

}  // namespace solenoid
