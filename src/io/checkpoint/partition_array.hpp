// The partition of the mesh as an array of a checkpoint.
#pragma once

#include "io/checkpoint/checkpoint_file.hpp"
#include "parallel/topology.hpp"

namespace solenoid {

// "partition": the rank that owns each cell.
StateArray partition_array(const Topology& topology);

// The ranks that owned these cells when the checkpoint was written. -1: what is no
// rank. Each cell is asked for by some rank. Collective.
std::vector<int> stored_partition(const CheckpointFile& file, std::vector<GlobalIndex> cells);

}  // namespace solenoid
