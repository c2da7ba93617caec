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
#include "run/checkpoints.hpp"
#include "run/eta.hpp"
#include "run/progress.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"
#include "run/steering.hpp"
#include "run/window_orders.hpp"

namespace solenoid {

class TimeLoop {
  public:
    // Writes the initial state, or goes on from run.checkpoint. All must outlive the loop.
    // Collective, as all below.
    TimeLoop(Run& run, Simulation& simulation, RunOutput& output);

    // Whether there is a step to make: the end, a steady state, the limit of steps and a request to
    // stop end the loop. Before it does what the run is asked for (Steering, and the window, which
    // may hold it up). Behind a jump of the data it restarts the simulation.
    bool begins_step();
    double target() const;  // where the step ends at the latest [s]
    // After the step: records, views and writes it.
    void end_step();
    // Writes the last state. "done" at the end or where the state is steady, "stopped" by a limit
    // of steps or a request before; the summary says by which.
    std::string finish();
    void register_state(const StateValues& state) {
        state.off_stack().add("steps", run_.summary.steps, not_negative);
        state.off_stack().add("was_last", was_last_);
        steering_.register_state(state.part("steering"));
    }

  private:
    bool is_at_end() const;
    bool is_at_limit() const;
    bool is_steady() const;
    bool has_ended() const { return is_at_end() || is_at_limit() || is_steady(); }
    const TimeData::Break* break_here() const;
    void start();
    void go_on();
    void obey(const Steering::Orders& orders);
    void obey_window();
    void record_step();
    Moment now() const;
    double seconds_of_output() const;  // so far [s]
    // Tells the steering how long the state of this step took to write, if it was, and returns it.
    // before: seconds_of_output() before [s].
    double note_write(double before);
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
    Checkpoints checkpoints_;
    Steering steering_;
    std::optional<WindowOrders> window_;  // with --view
    bool was_last_ = false;  // the step that was recorded: its state was left to finish()
    Stopwatch step_watch_;
    std::string stop_;     // why the run was asked to stop; empty: it was not
    bool is_end_ = false;  // it was the case that asked
};

}  // namespace solenoid
