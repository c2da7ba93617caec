// The steps of a run in time, whatever its physics: to the end, a limit of steps or a signal,
// landing on the times of output and on those at which data jump. run/driver.cpp has the loop
// itself:
//   TimeLoop loop(run, simulation, output);
//   while (loop.begins_step()) {
//       simulation.advance(loop.target());
//       loop.end_step();
//   }
//   return loop.finish();
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/timer.hpp"
#include "run/eta.hpp"
#include "run/progress.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"

namespace solenoid {

class TimeLoop {
  public:
    // Writes the initial state. All must outlive the loop. Collective, as all below.
    TimeLoop(Run& run, Simulation& simulation, RunOutput& output);

    // Whether there is a step to make: the end, a steady state, the limit of steps and a signal to
    // stop end the loop. Behind a jump of the data it restarts the simulation.
    bool begins_step();
    double target() const;  // where the step ends at the latest [s]
    // After the step: records, views and writes it.
    void end_step();
    // Writes the last state. "done" at the end or where the state is steady, "stopped" by a limit
    // of steps or a signal before.
    std::string finish();
    void register_state(const StateValues& state) {
        state.off_stack().add("steps", run_.summary.steps);
    }

  private:
    bool is_at_end() const;
    bool is_at_limit() const;
    bool is_steady() const;
    bool has_ended() const { return is_at_end() || is_at_limit() || is_steady(); }
    const TimeData::Break* break_here() const;
    void record_step();
    Moment now() const;
    void report_steadiness();
    std::string what_changes() const;

    Run& run_;
    const TimeSettings& time_;
    Simulation& simulation_;
    RunOutput& output_;
    Progress progress_;
    Stopwatch watch_;
    std::optional<PhaseClock::In> solving_;  // during a step
    Eta eta_;
    bool is_stopped_ = false;  // by a signal
};

}  // namespace solenoid
