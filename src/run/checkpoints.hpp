// The checkpoints of a run in time: when one is due ([checkpoint]), and that it stands. A run goes
// on without one that cannot be written, and tries again until it can.
#pragma once

#include <array>
#include <cmath>
#include <optional>

#include "core/timer.hpp"
#include "io/checkpoint/checkpoint_folder.hpp"
#include "run/run.hpp"
#include "run/simulation.hpp"
#include "run/when.hpp"

namespace solenoid {

class Checkpoints {
  public:
    // Both must outlive this.
    Checkpoints(Run& run, Simulation& simulation);

    // Between two steps: whether one is due by the clock, [checkpoint] wall_interval or a further
    // trial of one that failed; or by the step or the time. Not where the state is that of the last
    // one. The clock is that of the root, which alone asks.
    bool is_due_by_clock() const;
    bool is_due();
    // A step ends at this time [s]; infinite without one.
    double next_time(double time) const {
        return settings_.keep > 0 ? when_.next_time(time) : HUGE_VAL;
    }

    // Loads the checkpoint that the run goes on from, and lets it go: `state` of the simulation,
    // which has all entries of the run. Throws AgreedError with exit code 2 where it does not fit
    // this case. Collective, as all below.
    void load();
    // Writes one of the present state, unless the case keeps none. Returns whether it stands. Where
    // it fails the run is warned of it, and a further trial is due after a while.
    bool write();
    // The same at the end of the run: with some trials at once. What fails then is missing output.
    bool write_last();
    double last_seconds() const { return last_seconds_; }  // that the last write took

  private:
    std::string tried();
    void note(const std::string& failure);
    CheckpointHeader header() const;

    Run& run_;
    Simulation& simulation_;
    const CheckpointSettings& settings_;
    When when_;
    CheckpointFolder folder_;
    std::optional<std::uint64_t> mesh_hash_;
    std::int64_t last_step_ = 0;  // of the last checkpoint
    double last_seconds_ = 0;
    double last_at_ = 0;  // since the start of the run [s], on the root
    double pause_ = 0;    // before the next trial of one that failed [s]; 0: none failed
};

}  // namespace solenoid
