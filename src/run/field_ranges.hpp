// The least and greatest values of the fields of a state, for the log and the summary.
#pragma once

#include "io/files/output_field.hpp"
#include "io/files/summary.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// The ranges over the whole mesh. Nodes and cells of fields of one name count together; a vector
// has a range of its length ("speed" for the velocity) and of its components ("velocity_x"). Throws
// ComputationError where a value is not finite. Collective.
std::vector<FieldRange> field_ranges(const Communicator& comm, const Topology& topology,
                                     const std::vector<PointField>& points,
                                     const std::vector<CellField>& cells, double time);

}  // namespace solenoid
