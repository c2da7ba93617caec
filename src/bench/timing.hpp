// The time of a call after warm-up.
#pragma once

#include <functional>

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// The time of a call on the slowest rank: the median over the repeats, and the interquartile range
// divided by the median.
struct Timing {
    double seconds = 0, relative_quartiles = 0;
};

double median(std::vector<double> values);
Timing timing_of(std::vector<double> seconds);

class Timer {
  public:
    Timer(const Communicator& comm, Device& device, int repeats)
        : comm_(comm), device_(device), repeats_(repeats) {}

    // Calls until clocks and caches are warm, then times `repeats` batches of calls; a batch takes
    // a few milliseconds and ends when the device has finished. waits: for the device after each
    // call. Collective.
    Timing of(const std::function<void()>& call, bool waits = false) const;
    // One call for each repeat; `before` is not timed.
    Timing of_each(const std::function<void()>& before, const std::function<void()>& call) const;

  private:
    // Time on the slowest rank [s].
    double batch(const std::function<void()>& call, int count, bool waits) const;
    double warm_seconds() const;

    const Communicator& comm_;
    Device& device_;
    int repeats_;
};

}  // namespace solenoid::bench
