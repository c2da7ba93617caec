// The time loop of a run of any physics: until the end, a limit of steps or a signal. Steps end at
// the times of output and at jumps of data.
#pragma once

#include <string>
#include <vector>

#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/time_data.hpp"

namespace solenoid {

// The physics in the time loop. All functions are collective.
class Evolution {
  public:
    virtual ~Evolution() = default;
    virtual double time() const = 0;
    // Makes one step, which ends at `target` at the latest.
    virtual void advance(double target) = 0;
    // The data of the case at whose jumps steps end.
    virtual const TimeData* data() const { return nullptr; }
    // Sets the time and nothing else.
    virtual void set_clock(double) {}
    // After a jump of data: evaluates them again; later steps do not use earlier states.
    virtual void restart() {}
    // Records the state. Returns the figures for the line of progress.
    virtual std::string after_step() = 0;
    // The rate of change of each quantity, where time.steady_tolerance is given; empty: unknown.
    struct Change {
        std::string of, size_of;  // such as "T", "its range"
        double relative;          // relative to that size [1/s]
    };
    virtual std::vector<Change> changes() const { return {}; }
    virtual void write(std::int64_t step, bool final) = 0;
    virtual void view() {}
};

// Writes the initial state, makes steps, and writes the last state. Returns "done" at the end or in
// a steady state, "stopped" after a limit of steps or a signal.
std::string follow(Run& run, Evolution& evolution);

}  // namespace solenoid
