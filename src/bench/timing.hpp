// How long a call takes, once everything is warm.
#pragma once

#include <functional>

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// Of a call, the slowest rank's: the median over the repeats, and the distance between the
// quartiles over the median.
struct Timing {
    double seconds = 0, relative_quartiles = 0;
};

double median(std::vector<double> values);
Timing timing_of(std::vector<double> seconds);

class Timer {
  public:
    Timer(const Communicator& comm, Device& device, int repeats)
        : comm_(comm), device_(device), repeats_(repeats) {}

    // First until clocks and caches are as in a run, then `repeats` batches of calls: so many that
    // a batch takes a few milliseconds, the device waited for after each batch. waits: after each
    // call. Collective.
    Timing of(const std::function<void()>& call, bool waits = false) const;
    // One call a repeat, what stands before it not timed.
    Timing of_each(const std::function<void()>& before, const std::function<void()>& call) const;

  private:
    // seconds, the slowest rank's
    double batch(const std::function<void()>& call, int count, bool waits) const;
    double warm_seconds() const;

    const Communicator& comm_;
    Device& device_;
    int repeats_;
};

}  // namespace solenoid::bench
