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

TimeLoop::TimeLoop(Run& run, Simulation& simulation, RunOutput& output)
    : run_(run),
      time_(run.settings.time),
      simulation_(simulation),
      output_(output),
      progress_(run.comm.is_root() && !run.options.quiet) {
    set_stop_patience(HUGE_VAL);
    output_.start(now());
    set_stop_patience(longest_step);
}

Moment TimeLoop::now() const {
    Moment now{run_.summary.steps, simulation_.time(), 0};
    if (output_.needs_wall_clock()) now.wall = run_.comm.max(run_.total.seconds());
    return now;
}

// ---- a step

bool TimeLoop::begins_step() {
    if (has_ended()) return false;
    is_stopped_ = run_.comm.any(stop_requested());
    if (is_stopped_) return false;
    solving_.emplace(run_.phases, &PhaseSeconds::solve);
    // a step ends before a jump of data and the next one starts behind it
    if (const TimeData::Break* found = break_here()) {
        simulation_.set_clock(found->after);
        simulation_.restart();
    }
    simulation_.quantities().state_changed();
    return true;
}

double TimeLoop::target() const {
    const double target = std::min(time_.end, output_.next_time(simulation_.time()));
    const double stop =
        simulation_.data() ? simulation_.data()->next_stop(simulation_.time()) : HUGE_VAL;
    return stop < target + 1e-10 * time_.end ? stop : target;
}

void TimeLoop::end_step() {
    // the time between both sides of a jump is that of the jump
    if (const TimeData::Break* found = break_here()) simulation_.set_clock(found->instant);
    solving_.reset();
    record_step();
}

const TimeData::Break* TimeLoop::break_here() const {
    return simulation_.data() ? simulation_.data()->break_at(simulation_.time()) : nullptr;
}

void TimeLoop::record_step() {
    const std::int64_t step = ++run_.summary.steps;
    const double now = run_.summary.time = simulation_.time();
    if (step == 1) run_.folder->keep();
    std::string figures;
    {
        const PhaseClock::In phase(run_.phases, &PhaseSeconds::monitors);
        simulation_.end_step();
        figures = simulation_.figures();
    }
    const double fraction =
        std::max(now / time_.end, time_.steps ? double(step) / *time_.steps : 0.0);
    eta_.note(watch_.seconds(), now);
    const double seconds_left =
        eta_.left(time_.end, time_.steps ? double(*time_.steps - step) : HUGE_VAL);
    progress_.show(fraction, seconds_left,
                   fmt::format("step {}, t = {:.4g} s, {}", step, now, figures));
    // What is due is written whole, whatever signal comes meanwhile.
    set_stop_patience(HUGE_VAL);
    output_.view(now);
    output_.record(this->now(), has_ended());
    set_stop_patience(longest_step);
}

// ---- the end

bool TimeLoop::is_at_end() const { return simulation_.time() >= time_.end * (1 - 1e-12); }

bool TimeLoop::is_at_limit() const { return time_.steps && run_.summary.steps >= *time_.steps; }

bool TimeLoop::is_steady() const {
    const auto changes = simulation_.changes();
    return !changes.empty() && std::ranges::all_of(changes, [&](const auto& change) {
        return change.relative < time_.steady_tolerance;
    });
}

std::string TimeLoop::finish() {
    const std::string status = !is_stopped_ && (is_at_end() || is_steady()) ? "done" : "stopped";
    progress_.clear();
    if (!is_at_end() && !is_steady() && is_at_limit())
        log::info("         stopped by time.steps = {} at t = {:.6g} s, before time.end = {:.6g} s",
                  *time_.steps, simulation_.time(), time_.end);
    if (time_.steady_tolerance > 0) report_steadiness();
    set_stop_patience(HUGE_VAL);
    output_.finish(now());
    return status;
}

void TimeLoop::report_steadiness() {
    const bool steady = is_steady();
    run_.summary.steady = steady;
    if (steady) return log::info("steady   at t = {:.6g} s", simulation_.time());
    log::warning("not steady at t = {:.6g} s: {}; time.steady_tolerance is {:.3g}{}",
                 simulation_.time(), what_changes(), time_.steady_tolerance,
                 is_at_end()     ? ": raise time.end"
                 : is_at_limit() ? ": raise time.steps"
                                 : "");
}

std::string TimeLoop::what_changes() const {
    const auto changes = simulation_.changes();
    if (changes.empty()) return "nothing moves";
    const auto& most = *std::ranges::max_element(changes, {}, &Simulation::Change::relative);
    return fmt::format("{} changes{} by {:.3g} of {} in a second", most.of,
                       changes.size() > 1 ? " most," : "", most.relative, most.size_of);
}

}  // namespace solenoid
