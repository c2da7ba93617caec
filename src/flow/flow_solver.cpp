#include "flow/flow_solver.hpp"

#include "flow/collocated_flow.hpp"
#include "flow/staggered_flow.hpp"

namespace solenoid {

template <class Real>
std::unique_ptr<FlowSolver> make_flow_solver(const Communicator& comm, Device& device, const DistributedMesh& mesh, const FlowCase& flow) {
    if (flow.flow.momentum != "collocated") return std::make_unique<StaggeredFlow<Real>>(comm, device, mesh, flow);
    return std::make_unique<CollocatedFlow<Real>>(comm, device, mesh, flow);
}

template std::unique_ptr<FlowSolver> make_flow_solver<float>(const Communicator&, Device&, const DistributedMesh&, const FlowCase&);
template std::unique_ptr<FlowSolver> make_flow_solver<double>(const Communicator&, Device&, const DistributedMesh&, const FlowCase&);

}  // namespace solenoid
