// Distribution of a mesh in slices, from the root.
#pragma once

#include <optional>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// This rank's slice of the root's mesh, which is freed. The other ranks pass no mesh. Collective.
MeshSlice scatter_slices(const Communicator& comm, std::optional<SimplexMesh>& mesh);

}  // namespace solenoid
