#include "run/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "core/stop_signal.hpp"

namespace solenoid {
namespace {

// Longest time that a step may take after the run was told to stop [s].
constexpr double longest_step = 10;

}  // namespace

TimeLoop::TimeLoop(Run& run, Evolution& evolution)
    : run_(run),
      time_(run.settings.time),
      evolution_(evolution),
      progress_(run.comm.is_root() && !run.options.quiet),
      steering_(run, evolution) {
    write(0, false);
}

// ---- a step

bool TimeLoop::begins_step() {
    if (has_ended()) return false;
    const Steering::Orders orders = steering_.orders();
    if (orders.writes) {
        if (written_ != run_.summary.steps) write(run_.summary.steps, false);
    }
    stop_ = orders.stop;
    is_end_ = orders.is_end;
    if (!stop_.empty() || has_ended()) return false;
    step_watch_.restart();
    // a step ends before a jump of data and the next one starts behind it
    if (const TimeData::Break* found = break_here()) {
        evolution_.set_clock(found->after);
        evolution_.restart();
    }
    return true;
}

double TimeLoop::target() const {
    const auto& interval = run_.settings.output.interval;
    const double output =
        interval ? (std::floor(evolution_.time() / *interval + 1e-9) + 1) * *interval : time_.end;
    const double target = std::min({time_.end, output, steering_.stop_time()});
    const double stop =
        evolution_.data() ? evolution_.data()->next_stop(evolution_.time()) : HUGE_VAL;
    return stop < target + 1e-10 * time_.end ? stop : target;
}

void TimeLoop::end_step() {
    // the time between both sides of a jump is that of the jump
    if (const TimeData::Break* found = break_here()) evolution_.set_clock(found->instant);
    run_.summary.seconds.solve += step_watch_.seconds();
    set_stop_patience(HUGE_VAL);  // a step is recorded whole
    record_step();
    steering_.note_step(step_watch_.seconds());
    set_stop_patience(longest_step);
}

const TimeData::Break* TimeLoop::break_here() const {
    return evolution_.data() ? evolution_.data()->break_at(evolution_.time()) : nullptr;
}

void TimeLoop::record_step() {
    const std::int64_t step = ++run_.summary.steps;
    const double now = run_.summary.time = evolution_.time();
    const std::string figures = evolution_.after_step();
    const double fraction =
        std::max(now / time_.end, time_.steps ? double(step) / *time_.steps : 0.0);
    eta_.note(watch_.seconds(), now);
    const double seconds_left =
        eta_.left(time_.end, time_.steps ? double(*time_.steps - step) : HUGE_VAL);
    progress_.show(fraction, seconds_left,
                   fmt::format("step {}, t = {:.4g} s, {}", step, now, figures));
    evolution_.view();
    if (!has_ended() && wants_output(step)) write(step, false);
}

// ---- the end

bool TimeLoop::is_at_end() const { return evolution_.time() >= time_.end * (1 - 1e-12); }

bool TimeLoop::is_at_limit() const { return time_.steps && run_.summary.steps >= *time_.steps; }

bool TimeLoop::is_steady() const {
    const auto changes = evolution_.changes();
    return !changes.empty() && std::ranges::all_of(changes, [&](const auto& change) {
        return change.relative < time_.steady_tolerance;
    });
}

std::string TimeLoop::finish() {
    const bool has_reached = stop_.empty() && (is_at_end() || is_steady());
    progress_.clear();
    if (!has_reached) {
        Summary& summary = run_.summary;
        summary.reason = stop_.empty() ? fmt::format("time.steps = {}", *time_.steps) : stop_;
        log::info("         stopped by {} at t = {:.6g} s, before time.end = {:.6g} s",
                  summary.reason, evolution_.time(), time_.end);
        if (!stop_.empty() && !is_end_) run_.exit_code = stopped_exit_code;
    }
    if (time_.steady_tolerance > 0) report_steadiness();
    write(run_.summary.steps, true);
    return has_reached || is_end_ ? "done" : "stopped";
}

void TimeLoop::report_steadiness() {
    const bool steady = is_steady();
    run_.summary.steady = steady;
    if (steady) return log::info("steady   at t = {:.6g} s", evolution_.time());
    log::warning("not steady at t = {:.6g} s: {}; time.steady_tolerance is {:.3g}{}",
                 evolution_.time(), what_changes(), time_.steady_tolerance,
                 is_at_end()     ? ": raise time.end"
                 : is_at_limit() ? ": raise time.steps"
                                 : "");
}

std::string TimeLoop::what_changes() const {
    const auto changes = evolution_.changes();
    if (changes.empty()) return "nothing moves";
    const auto& most = *std::ranges::max_element(changes, {}, &Evolution::Change::relative);
    return fmt::format("{} changes{} by {:.3g} of {} in a second", most.of,
                       changes.size() > 1 ? " most," : "", most.relative, most.size_of);
}

// ---- output

bool TimeLoop::wants_output(std::int64_t step) const {
    const OutputSettings& o = run_.settings.output;
    if (o.every && step % *o.every == 0) return true;
    if (!o.interval) return false;
    const double count = evolution_.time() / *o.interval;
    return std::abs(count - std::round(count)) < 1e-9 * std::max(1.0, count);
}

// A state is written whole whatever signal comes meanwhile.
void TimeLoop::write(std::int64_t step, bool final) {
    set_stop_patience(HUGE_VAL);
    Stopwatch watch;
    evolution_.write(step, final);
    steering_.note_write(watch.seconds());
    written_ = step;
    if (!final) set_stop_patience(longest_step);
}

}  // namespace solenoid
