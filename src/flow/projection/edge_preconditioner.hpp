#pragma once

#include "parallel/distributed_mesh.hpp"
#include "solvers/multigrid/auxiliary_space.hpp"

namespace solenoid {

// Preconditioner of the curl-curl matrix on a mesh's edges (3D). fixed: owned edges that are not
// unknowns. Collective.
template <class Real>
std::unique_ptr<AuxiliarySpace<Real>> edge_preconditioner(const Communicator& comm, Device& device,
                                                          const DistributedMesh& mesh,
                                                          const HostMatrix& curl_curl,
                                                          const std::vector<Index>& fixed,
                                                          const MultigridSettings& settings = {});

}  // namespace solenoid
