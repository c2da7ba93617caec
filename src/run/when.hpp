// When something is written or recorded in a run: the keys of WhenSettings at work.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include "case/settings.hpp"

namespace solenoid {

// A state of a run.
struct Moment {
    std::int64_t step = 0;
    double time = 0;  // [s]
    double wall = 0;  // wall-clock time since the start [s], equal on all ranks
};

// Names that fired after the last step. What has such a name as its trigger is due then.
class Triggers {
  public:
    void fire(const std::string& name) { fired_.insert(name); }
    bool has_fired(const std::string& name) const { return fired_.contains(name); }
    void clear() { fired_.clear(); }

  private:
    std::set<std::string> fired_;
};

class When {
  public:
    // each_step: what happens without a frequency; otherwise nothing is due but by a trigger.
    // triggers: must outlive this; null: there are none.
    explicit When(const WhenSettings& settings, bool each_step = false,
                  const Triggers* triggers = nullptr)
        : settings_(settings), each_step_(each_step), triggers_(triggers) {}

    // Whether it is due after a step. Ask once a step: an interval of wall-clock time begins anew.
    bool is_due(std::int64_t step, double time, double wall);
    bool is_due(const Moment& now) { return is_due(now.step, now.time, now.wall); }
    // Whether the time is in its window. The first and the last state of a run count then.
    bool is_open(double time) const;
    // The next time at which a step must end [s]; infinite without one.
    double next_time(double time) const;
    bool needs_wall_clock() const { return settings_.wall_interval.has_value(); }

  private:
    WhenSettings settings_;
    bool each_step_;
    const Triggers* triggers_;
    double last_wall_ = 0;  // the last time that it was due [s]
};

}  // namespace solenoid
