// A hash by which two meshes are told apart, independent of the cut and of the number of ranks.
#pragma once

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// Of the positions and numbers of nodes, the cells with their nodes and regions, the sides, their
// names, and the offsets of periodic pairs. Collective.
std::uint64_t mesh_hash(const Communicator& comm, const DistributedMesh& mesh);

}  // namespace solenoid
