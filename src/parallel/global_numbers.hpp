// Numbers of entities in the whole mesh, independent of the cut and of the number of ranks.
#pragma once

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// The number in the whole mesh, from 0 on, of each entity of a kind held here, ghosts too. Nodes
// and cells have those of the mesh; edges and faces are numbered in the lexicographic order of
// their nodes' numbers, ascending, which determine them on periodic meshes too. In 2D edges are
// faces. Collective.
std::vector<GlobalIndex> global_numbers(const Communicator& comm, const DistributedMesh& mesh,
                                        Kind kind);

}  // namespace solenoid
