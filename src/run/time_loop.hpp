// The steps of a run in time, whatever its physics: to the end, a limit of steps or a signal,
// landing on the times of output and on those at which data jump.
#pragma once

#include <string>
#include <vector>

#include "run/progress.hpp"
#include "run/run.hpp"
#include "run/time_data.hpp"

namespace solenoid {

// What a physics does in the loop. All collective.
class Evolution {
  public:
    virtual ~Evolution() = default;
    virtual double time() const = 0;
    // one step that ends at `target` at the latest
    virtual void advance(double target) = 0;
    // of the case, on whose breaks steps end
    virtual const TimeData* data() const { return nullptr; }
    // the time, of what comes next: nothing else changes
    virtual void set_clock(double) {}
    // data have jumped: they are seen anew, and steps do not look back
    virtual void restart() {}
    // records it; the figures for the line of progress
    virtual std::string after_step() = 0;
    // Of all that is computed, where time.steady_tolerance is given; empty: not known.
    struct Change {
        std::string of, size_of;  // "T", "its range"
        double relative;          // to that, in a second
    };
    virtual std::vector<Change> changes() const { return {}; }
    virtual void write(std::int64_t step, bool final) = 0;
    virtual void view() {}
};

// Writes the initial state, steps, and writes the last one. "done" at the end or where the state is
// steady, "stopped" by a limit of steps or a signal before.
std::string follow(Run& run, Evolution& evolution);

}  // namespace solenoid
