// A mesh that the root has read as a whole, shared out in slices.
#pragma once

#include <optional>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// The root's mesh is gone when this returns; the other ranks pass none. Collective.
MeshSlice scatter_slices(const Communicator& comm, std::optional<SimplexMesh>& mesh);

}  // namespace solenoid
