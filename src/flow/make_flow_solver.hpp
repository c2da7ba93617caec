// The flow solver that a case asks for.
#pragma once

#include <memory>

#include "flow/solver/flow_solver.hpp"

namespace solenoid {

// All references must outlive the solver. Throws InputError where case and mesh do not fit,
// ComputationError where the initial velocity cannot be projected. Collective.
template <class Real>
std::unique_ptr<FlowSolver> make_flow_solver(const Domain& domain, const FlowCase& flow);

}  // namespace solenoid
