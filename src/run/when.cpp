#include "run/when.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

constexpr double same_time = 1e-9;      // relative: a step ends at a time up to rounding
constexpr double same_instant = 1e-12;  // of an instant
constexpr double at_start = 1e-15;      // of the end of the run
constexpr double largest_part = 0.25;   // of an interval

double tolerance(double time) { return same_instant * std::abs(time); }
double tolerance(double instant, const TimeSettings& time) {
    return std::max(tolerance(instant), at_start * time.end);
}

}  // namespace

bool has_come(double instant, double now, const TimeSettings& time) {
    return now >= instant - tolerance(instant, time);
}

bool When::is_open(double time) const {
    return time >= settings_->from - tolerance(settings_->from) &&
           (std::isinf(settings_->to) || time <= settings_->to + tolerance(settings_->to));
}

// The part of an interval by which a step may miss a multiple of it and still ends there: less than
// what two multiples are apart, and more than the rounding of a time.
double When::part_lost(double time) const {
    const double part = tolerance(time, *time_) / *settings_->interval;
    return std::clamp(part, same_time, largest_part);
}

bool When::is_due(std::int64_t step, double time, double wall) {
    if (!is_open(time)) return false;
    if (settings_->every) return step % *settings_->every == 0;
    if (settings_->wall_interval) {
        if (wall - last_wall_ < *settings_->wall_interval) return false;
        last_wall_ = wall;
        return true;
    }
    if (!settings_->interval) return each_step_ && settings_->trigger.empty();
    const double count = (time - settings_->from) / *settings_->interval;
    const double same = std::max(part_lost(time), same_time * count);
    return std::abs(count - std::round(count)) < std::min(same, largest_part);
}

bool When::is_triggered(double time) const {
    return triggers_ && !settings_->trigger.empty() && is_open(time) &&
           triggers_->act_as(settings_->trigger);
}

double When::next_time(double time) const {
    if (!settings_->interval) return HUGE_VAL;
    const double from = settings_->from, interval = *settings_->interval;
    if (!has_come(from, time, *time_)) return from;
    const double count = std::floor((time - from) / interval + part_lost(time)) + 1;
    const double next = count * interval + from;
    return next <= settings_->to + tolerance(next) ? next : HUGE_VAL;
}

}  // namespace solenoid
