// The least and the greatest value of every field of a state, for the log and the summary.
#pragma once

#include "run/run_output.hpp"

namespace solenoid {

// Over the whole mesh, nodes and cells of a field of one name together; of a vector its length
// ("speed" of the velocity) and its components ("velocity_x"). Throws ComputationError where a
// value is not finite. Collective.
std::vector<FieldRange> field_ranges(const Communicator& comm, const DistributedMesh& mesh,
                                     const RunState& state);

}  // namespace solenoid
