// When something is written or recorded in a run: the keys of WhenSettings at work.
#pragma once

#include <cstdint>

#include "case/settings.hpp"
#include "run/triggers.hpp"

namespace solenoid {

// A state of a run.
struct Moment {
    std::int64_t step = 0;
    double time = 0;  // [s]
    double wall = 0;  // wall-clock time since the start [s], equal on all ranks
};

// Whether an instant of a run has come by now [s], but for what is lost in the rounding of times:
// no step is made for that.
bool has_come(double instant, double now, const TimeSettings& time);

class When {
  public:
    // settings, time: must outlive this, and may change meanwhile. each_step: whether it is due at
    // each step without a frequency. triggers: must outlive this; null: there are none.
    When(const WhenSettings& settings, const TimeSettings& time, bool each_step = false,
         const Triggers* triggers = nullptr)
        : settings_(&settings), time_(&time), each_step_(each_step), triggers_(triggers) {}
    When(WhenSettings&&, const TimeSettings&, bool = false, const Triggers* = nullptr) = delete;
    When(const WhenSettings&, TimeSettings&&, bool = false, const Triggers* = nullptr) = delete;

    // Whether it is due after a step. Ask once a step: an interval of wall-clock time begins anew.
    bool is_due(std::int64_t step, double time, double wall);
    bool is_due(const Moment& now) { return is_due(now.step, now.time, now.wall); }
    // Between two steps: whether its trigger acts, and the time is in its window.
    bool is_triggered(double time) const;
    // Whether the time is in its window. The first and the last state of a run count then.
    bool is_open(double time) const;
    // The next time at which a step must end [s]; infinite without one.
    double next_time(double time) const;
    bool needs_wall_clock() const { return settings_->wall_interval.has_value(); }
    // The part of an interval of wall-clock time that has passed [s], for a run that is continued.
    double waited(double wall) const { return wall - last_wall_; }
    void set_waited(double waited, double wall) { last_wall_ = wall - waited; }

  private:
    double part_lost(double time) const;

    const WhenSettings* settings_;
    const TimeSettings* time_;
    bool each_step_;
    const Triggers* triggers_;
    double last_wall_ = 0;  // the last time that it was due [s]
};

}  // namespace solenoid
