#include "flow/make_flow_solver.hpp"

#include "flow/collocated/collocated_flow.hpp"
#include "flow/staggered/staggered_flow.hpp"

namespace solenoid {

template <class Real>
std::unique_ptr<FlowSolver> make_flow_solver(const Domain& domain, const FlowCase& flow) {
    if (flow.flow.momentum != "collocated") return std::make_unique<StaggeredFlow<Real>>(domain, flow);
    return std::make_unique<CollocatedFlow<Real>>(domain, flow);
}

template std::unique_ptr<FlowSolver> make_flow_solver<float>(const Domain&, const FlowCase&);
template std::unique_ptr<FlowSolver> make_flow_solver<double>(const Domain&, const FlowCase&);

}  // namespace solenoid
