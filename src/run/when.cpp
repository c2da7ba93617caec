#include "run/when.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

constexpr double same_time = 1e-9;  // relative: a step ends at a time up to rounding

double tolerance(double time) { return 1e-12 * std::abs(time); }

}  // namespace

bool When::is_open(double time) const {
    return time >= settings_.from - tolerance(settings_.from) &&
           (std::isinf(settings_.to) || time <= settings_.to + tolerance(settings_.to));
}

bool When::is_due(std::int64_t step, double time, double wall) {
    if (!is_open(time)) return false;
    if (triggers_ && !settings_.trigger.empty() && triggers_->has_fired(settings_.trigger))
        return true;
    if (settings_.every) return step % *settings_.every == 0;
    if (settings_.wall_interval) {
        if (wall - last_wall_ < *settings_.wall_interval) return false;
        last_wall_ = wall;
        return true;
    }
    if (!settings_.interval) return each_step_;
    const double count = (time - settings_.from) / *settings_.interval;
    return std::abs(count - std::round(count)) < same_time * std::max(1.0, count);
}

double When::next_time(double time) const {
    if (!settings_.interval) return HUGE_VAL;
    const double from = settings_.from, interval = *settings_.interval;
    if (time < from - tolerance(from)) return from;
    const double next = (std::floor((time - from) / interval + same_time) + 1) * interval + from;
    return next <= settings_.to + tolerance(next) ? next : HUGE_VAL;
}

}  // namespace solenoid
