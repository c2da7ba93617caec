#pragma once

#include <chrono>

namespace solenoid {

// Wall-clock seconds since construction or the last restart.
class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }
    double restart() {
        const double elapsed = seconds();
        start_ = Clock::now();
        return elapsed;
    }

  private:
    using Clock = std::chrono::steady_clock;
    Clock::time_point start_ = Clock::now();
};

}  // namespace solenoid
