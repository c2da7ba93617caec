// Estimate of the remaining time of a run, from the speed of its last steps.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

namespace solenoid {

class Eta {
  public:
    // Call after every step. seconds: wall-clock time since the start; time: reached by the run
    // [s].
    void note(double seconds, double time) {
        const double weight = 1.0 / std::min<std::int64_t>(++steps_, window);
        seconds_a_step_ += weight * (seconds - seconds_ - seconds_a_step_);
        time_a_step_ += weight * (time - time_ - time_a_step_);
        seconds_ = seconds;
        time_ = time;
    }
    void begin(double time) { time_ = time; }  // of a run that goes on [s]
    // Wall-clock seconds until the run reaches `end` [s], or makes `steps` more steps if that is
    // earlier.
    double left(double end, double steps = std::numeric_limits<double>::infinity()) const {
        return seconds_a_step_ * std::min(steps, std::max(0.0, end - time_) / time_a_step_);
    }

  private:
    static constexpr std::int64_t window = 20;  // number of steps that count
    std::int64_t steps_ = 0;
    double seconds_ = 0, time_ = 0, seconds_a_step_ = 0, time_a_step_ = 0;
};

}  // namespace solenoid
