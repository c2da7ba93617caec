// check_and_repair() for a mesh in slices.
#pragma once

#include "parallel/slices/distribute.hpp"

namespace solenoid {

// Finds and repairs the faults of simplex_mesh.hpp with the same messages; reports the first fault
// in the order of the whole mesh. Regions, groups and the sides' nodes must be in range. Throws
// InputError. Collective.
SlicedMesh check_and_repair(const Communicator& comm, MeshSlice&& slice, const std::string& place);

}  // namespace solenoid
