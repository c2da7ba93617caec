// How long the rest of a run takes, by the pace of its last steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace solenoid {

class Eta {
  public:
    // After every step: seconds since the start, by the wall clock, and the time reached [s].
    void note(double seconds, double time) {
        const double weight = 1.0 / std::min<std::int64_t>(++steps_, window);
        seconds_a_step_ += weight * (seconds - seconds_ - seconds_a_step_);
        time_a_step_ += weight * (time - time_ - time_a_step_);
        seconds_ = seconds;
        time_ = time;
    }
    // Wall-clock seconds to a time [s], or for so many more steps where they are done before.
    double left(double end, double steps = std::numeric_limits<double>::infinity()) const {
        return seconds_a_step_ * std::min(steps, std::max(0.0, end - time_) / time_a_step_);
    }

  private:
    static constexpr std::int64_t window = 20;  // steps that count
    std::int64_t steps_ = 0;
    double seconds_ = 0, time_ = 0, seconds_a_step_ = 0, time_a_step_ = 0;
};

}  // namespace solenoid
