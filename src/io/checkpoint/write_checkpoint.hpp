// Writes the state of a run into one file (docs/checkpoints.md).
#pragma once

#include <functional>

#include "io/checkpoint/checkpoint_header.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// Writes all arrays of all ranks into `file`, which appears, or is replaced, only when it is whole
// and on the disk. Entries of entities may be some of the mesh's, each on one rank alone; of
// numbers, the root's are written. Where a rank cannot open, write, flush or rename, all throw
// AgreedError with exit code 1, nothing of the new file is left, and a further call may succeed.
// Collective.
void write_checkpoint(const Communicator& comm, const std::filesystem::path& file,
                      const CheckpointHeader& header, std::span<const StateArray> arrays,
                      std::uint32_t block_bytes = CheckpointPreamble{}.block_bytes);

// The same for arrays that are made one by one, so that only one is in memory: `arrays` calls what
// it is given with each. All ranks make the same arrays in the same order.
using EachArray = std::function<void(const std::function<void(const StateArray&)>& write)>;
void write_checkpoint(const Communicator& comm, const std::filesystem::path& file,
                      const CheckpointHeader& header, const EachArray& arrays,
                      std::uint32_t block_bytes = CheckpointPreamble{}.block_bytes);

}  // namespace solenoid
