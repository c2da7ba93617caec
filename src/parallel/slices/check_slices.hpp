// check_and_repair for a mesh in slices.
#pragma once

#include "parallel/slices/distribute.hpp"

namespace solenoid {

// The same faults, repairs and words as those of a whole mesh (simplex_mesh.hpp), the first fault
// in the order of the whole mesh; regions, groups and the sides' nodes are taken to be in range.
// Collective.
SlicedMesh check_and_repair(const Communicator& comm, MeshSlice&& slice, const std::string& place);

}  // namespace solenoid
