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
      progress_(run.comm.is_root() && !run.options.quiet),
      checkpoints_(run, simulation),
      steering_(run, simulation, output.triggers(),
                [this] { return checkpoints_.is_due_by_clock(); }) {
    const StateValues state(simulation.state());
    register_state(state.part("run"));
    output_.register_state(state.part("output"));
    set_stop_patience(HUGE_VAL);
    run_.checkpoint ? go_on() : start();
    if (output_.is_viewed()) {
        window_.emplace(run_, simulation_);
        output_.view(simulation_.time());
    }
    set_stop_patience(longest_step);
}

void TimeLoop::start() {
    const double before = seconds_of_output();
    output_.start(now());
    note_write(before);
}

// The state of a step that was the last then is not recorded yet if it is that no longer.
void TimeLoop::go_on() {
    checkpoints_.load();
    simulation_.quantities().state_changed();
    eta_.begin(simulation_.time());
    output_.resume(now());
    if (was_last_ && !has_ended()) output_.record_rest(now());
}

Moment TimeLoop::now() const {
    Moment now{run_.summary.steps, simulation_.time(), 0};
    if (output_.needs_wall_clock()) now.wall = run_.comm.max(run_.total.seconds());
    return now;
}

// ---- a step

bool TimeLoop::begins_step() {
    if (has_ended()) return false;
    obey(steering_.orders());
    if (window_) obey_window();
    if (!stop_.empty() || has_ended()) return false;
    step_watch_.restart();
    solving_.emplace(run_.phases, &PhaseSeconds::solve);
    // a step ends before a jump of data and the next one starts behind it
    if (const TimeData::Break* found = break_here()) {
        simulation_.set_clock(found->after);
        simulation_.restart();
    }
    simulation_.quantities().state_changed();
    return true;
}

// A state is written whole, whatever signal comes meanwhile. The last one is left to finish().
void TimeLoop::obey(const Steering::Orders& orders) {
    stop_ = orders.stop;
    is_end_ = orders.is_end;
    if (!stop_.empty()) return;
    set_stop_patience(HUGE_VAL);
    if (orders.records) {
        const double before = seconds_of_output();
        output_.record_asked(now(), orders.writes);
        note_write(before);
    }
    if (orders.checkpoints || checkpoints_.is_due()) {
        checkpoints_.write();
        steering_.note_checkpoint(checkpoints_.last_seconds());
    }
    if (orders.writes) save_was_done();
    set_stop_patience(longest_step);
}

// In a pause of the window the run stays here and does what it is asked for otherwise.
void TimeLoop::obey_window() {
    while (stop_.empty() && !has_ended()) {
        const ViewRequests asked = output_.view_requests();
        const bool is_changed = window_->obey(asked);
        if (asked.resets) eta_.begin(simulation_.time());
        if (!asked.is_paused) return;
        if (is_changed) output_.view(simulation_.time());
        obey(steering_.orders());
    }
}

double TimeLoop::target() const {
    const double target =
        std::min({time_.end, output_.next_time(simulation_.time()),
                  checkpoints_.next_time(simulation_.time()), steering_.stop_time()});
    const double stop =
        simulation_.data() ? simulation_.data()->next_stop(simulation_.time()) : HUGE_VAL;
    return stop < target + 1e-10 * time_.end ? stop : target;
}

void TimeLoop::end_step() {
    // the time between both sides of a jump is that of the jump
    if (const TimeData::Break* found = break_here()) simulation_.set_clock(found->instant);
    solving_.reset();
    const double before = seconds_of_output();
    record_step();
    steering_.note_step(step_watch_.seconds() - note_write(before));
}

const TimeData::Break* TimeLoop::break_here() const {
    return simulation_.data() ? simulation_.data()->break_at(simulation_.time()) : nullptr;
}

void TimeLoop::record_step() {
    const std::int64_t step = ++run_.summary.steps;
    const double now = run_.summary.time = simulation_.time();
    if (step == 1) {
        const PhaseClock::In phase(run_.phases, &PhaseSeconds::output);
        run_.folder->keep();
    }
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
    was_last_ = has_ended();
    output_.record(this->now(), was_last_);
    set_stop_patience(longest_step);
}

double TimeLoop::seconds_of_output() const {
    run_.phases.update();
    return run_.summary.seconds.output + run_.summary.seconds.pictures;
}

double TimeLoop::note_write(double before) {
    if (!output_.has_state_of(run_.summary.steps)) return 0;
    const double seconds = seconds_of_output() - before;
    steering_.note_write(seconds);
    return seconds;
}

// ---- the end

bool TimeLoop::is_at_end() const { return simulation_.time() >= time_.end * (1 - 1e-12); }

bool TimeLoop::is_at_limit() const { return time_.steps && run_.summary.steps >= *time_.steps; }

bool TimeLoop::is_steady() const {
    const auto changes = simulation_.changes();
    if (changes.empty() || !std::ranges::all_of(changes, [&](const auto& change) {
            return change.relative < time_.steady_tolerance;
        }))
        return false;
    // nothing is steady before the last change of what the case gives
    return !simulation_.data() || simulation_.time() >= simulation_.data()->last_change();
}

std::string TimeLoop::finish() {
    const bool has_reached = stop_.empty() && (is_at_end() || is_steady());
    progress_.clear();
    if (!has_reached) {
        Summary& summary = run_.summary;
        summary.reason = stop_.empty() ? fmt::format("time.steps = {}", *time_.steps) : stop_;
        log::info("         stopped by {} at t = {:.6g} s, before time.end = {:.6g} s",
                  summary.reason, simulation_.time(), time_.end);
        if (!stop_.empty() && !is_end_) run_.exit_code = stopped_exit_code;
    }
    if (time_.steady_tolerance > 0) report_steadiness();
    set_stop_patience(HUGE_VAL);
    const bool ends_by_itself = stop_.empty();
    if (ends_by_itself) steering_.tell_last();
    checkpoints_.write_last();  // without what finish() records: the undisturbed run has none of it
    output_.finish(now());
    if (ends_by_itself) steering_.tell_last();  // of rows that go with the last state
    return has_reached || is_end_ ? "done" : "stopped";
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
