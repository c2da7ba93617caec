// The steps of a run in time, whatever its physics: to the end, a limit of steps or a signal,
// landing on the times of output and on those at which data jump. A physics writes the loop itself:
//   TimeLoop loop(run, evolution);
//   while (loop.begins_step()) {
//       evolution.advance(loop.target());
//       loop.end_step();
//   }
//   return loop.finish();
#pragma once

#include <string>
#include <vector>

#include "core/timer.hpp"
#include "run/eta.hpp"
#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/steering.hpp"
#include "run/time_data.hpp"

namespace solenoid {

// The physics in the time loop. All functions are collective.
class Evolution {
  public:
    virtual ~Evolution() = default;
    virtual double time() const = 0;  // of the present state [s]
    // One step, which ends at `target` [s] at the latest.
    virtual void advance(double target) = 0;
    // The data of the case that depend on time: steps end where one jumps.
    virtual const TimeData* data() const { return nullptr; }
    virtual void set_clock(double) {}  // sets time() of the present state [s]
    // After a jump of the data: evaluates them; the next step uses no earlier state.
    virtual void restart() {}
    // Records the step. Returns figures for the line of progress.
    virtual std::string after_step() = 0;
    // The rate of change of each quantity, where time.steady_tolerance is given; empty: unknown.
    struct Change {
        std::string of, size_of;  // such as "T", "its range"
        double relative;          // relative to that size [1/s]
    };
    virtual std::vector<Change> changes() const { return {}; }
    // Throws InputError where the run cannot go on with these values of steerable keys; place:
    // names them. On this rank.
    virtual void check_change(const CaseSettings&, const std::string&) const {}
    virtual void write(std::int64_t step, bool final) = 0;
    virtual void view() {}
};

class TimeLoop {
  public:
    // Writes the initial state. Both must outlive the loop. Collective, as all below.
    TimeLoop(Run& run, Evolution& evolution);

    // Whether there is a step to make: the end, a steady state, the limit of steps and a request to
    // stop end the loop. Before it does what the run is asked for (Steering). Behind a jump of the
    // data it restarts the evolution.
    bool begins_step();
    double target() const;  // where the step ends at the latest [s]
    // After the step: records, views and writes it.
    void end_step();
    // Writes the last state. "done" at the end or where the state is steady, "stopped" by a limit
    // of steps or a request before; the summary says by which.
    std::string finish();

  private:
    bool is_at_end() const;
    bool is_at_limit() const;
    bool is_steady() const;
    bool has_ended() const { return is_at_end() || is_at_limit() || is_steady(); }
    const TimeData::Break* break_here() const;
    void record_step();
    bool wants_output(std::int64_t step) const;
    void write(std::int64_t step, bool final);
    void report_steadiness();
    std::string what_changes() const;

    Run& run_;
    const TimeSettings& time_;
    Evolution& evolution_;
    Progress progress_;
    Stopwatch watch_, step_watch_;
    Eta eta_;
    Steering steering_;
    std::int64_t written_ = -1;  // the last step whose state was written
    std::string stop_;           // why the run was asked to stop; empty: it was not
    bool is_end_ = false;        // it was the case that asked
};

}  // namespace solenoid
