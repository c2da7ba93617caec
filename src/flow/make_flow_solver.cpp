#include "flow/make_flow_solver.hpp"

#include "flow/momentum_kinds.hpp"

namespace solenoid {

template <class Real>
std::unique_ptr<FlowSolver> make_flow_solver(const Domain& domain, const FlowCase& flow) {
    return momentum_kind(flow.flow.momentum).solver.of<Real>()(domain, flow);
}

template std::unique_ptr<FlowSolver> make_flow_solver<float>(const Domain&, const FlowCase&);
template std::unique_ptr<FlowSolver> make_flow_solver<double>(const Domain&, const FlowCase&);

}  // namespace solenoid
