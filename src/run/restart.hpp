// Going on with the run of an output folder from its newest checkpoint: `solenoid restart` and
// `solenoid run --continue`.
#pragma once

#include "core/state_registry.hpp"
#include "io/checkpoint/checkpoint_file.hpp"
#include "run/run.hpp"

namespace solenoid {

// What there is to go on from in the folder `run.options.output`.
enum class Found {
    nothing,     // no results of this case
    beginning,   // results of this case, no checkpoint
    done,        // a run that is done, without a checkpoint
    checkpoints  // to be taken by take_checkpoint()
};
// Throws InputError where `solenoid restart` finds nothing to go on from. Collective, as all below.
Found what_is_there(const Run& run, const std::filesystem::path& folder);

// Sets run.checkpoint to the newest that is whole, and what it says of the case and the options as
// far as these are not given. Throws InputError where there is none. Returns false where the run of
// the checkpoint is done and nothing has changed.
bool take_checkpoint(Run& run, RunOptions& options);

// Says that a run is done, and how it goes on where there is a checkpoint.
void tell_done(const std::filesystem::path& folder, bool has_checkpoint);

// Throws InputError where run.checkpoint is of another physics, or of another mesh: who makes a
// mesh asks.
void check_physics(const Run& run);
void check_mesh(const Run& run, const Topology& topology);
// Where the mesh of run.checkpoint had another number of these entities; on this rank.
void check_count(const Run& run, Kind kind, std::int64_t now);

// What a header says of the run's case: for take_checkpoint.
void describe_case(const Run& run, CheckpointHeader& header);

// Loads all arrays. Throws InputError where the state lacks what the run needs, has what it does
// not know, or values that no run leaves. Output, triggers and samples of data may begin and end:
// what is gone is named.
void load_state(const Communicator& comm, const CheckpointFile& file, StateRegistry& state);

}  // namespace solenoid
