#include "run/time_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/log.hpp"
#include "core/stop_signal.hpp"
#include "run/eta.hpp"

namespace solenoid {
namespace {

// Longest time that a step may take after the run was told to stop [s].
constexpr double longest_step = 10;

class TimeLoop {
  public:
    TimeLoop(Run& run, Evolution& evolution)
        : run_(run),
          time_(run.settings.time),
          evolution_(evolution),
          progress_(run.comm.is_root() && !run.options.quiet) {}

    std::string go() {
        write(0, false);
        while (!ended()) {
            if (run_.comm.any(stop_requested())) return finish("stopped");
            Stopwatch watch;
            pass_break();
            evolution_.advance(next_target());
            settle_on_break();
            run_.summary.seconds.solve += watch.seconds();
            after_step();
        }
        return finish(is_at_end() || is_steady() ? "done" : "stopped");
    }

  private:
    bool is_at_end() const { return evolution_.time() >= time_.end * (1 - 1e-12); }
    bool is_at_limit() const { return time_.steps && run_.summary.steps >= *time_.steps; }
    bool is_steady() const {
        const auto changes = evolution_.changes();
        return !changes.empty() && std::ranges::all_of(changes, [&](const auto& change) {
            return change.relative < time_.steady_tolerance;
        });
    }
    bool ended() const { return is_at_end() || is_at_limit() || is_steady(); }

    double next_target() const {
        const auto& interval = run_.settings.output.interval;
        const double output =
            interval ? (std::floor(evolution_.time() / *interval + 1e-9) + 1) * *interval
                     : time_.end;
        const double target = std::min(time_.end, output);
        const double stop =
            evolution_.data() ? evolution_.data()->next_stop(evolution_.time()) : HUGE_VAL;
        return stop < target + 1e-10 * time_.end ? stop : target;
    }

    // Steps end before a jump of data and begin after it; in between the time is that of the jump.
    void settle_on_break() {
        if (const TimeData::Break* found = break_here()) evolution_.set_clock(found->instant);
    }
    void pass_break() {
        const TimeData::Break* found = break_here();
        if (!found) return;
        evolution_.set_clock(found->after);
        evolution_.restart();
    }
    const TimeData::Break* break_here() const {
        return evolution_.data() ? evolution_.data()->break_at(evolution_.time()) : nullptr;
    }

    void after_step() {
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
        if (!ended() && wants_output(step)) write(step, false);
    }

    // A state is written completely even if a signal arrives.
    void write(std::int64_t step, bool final) {
        set_stop_patience(HUGE_VAL);
        evolution_.write(step, final);
        if (!final) set_stop_patience(longest_step);
    }

    bool wants_output(std::int64_t step) const {
        const OutputSettings& o = run_.settings.output;
        if (o.every && step % *o.every == 0) return true;
        if (!o.interval) return false;
        const double count = evolution_.time() / *o.interval;
        return std::abs(count - std::round(count)) < 1e-9 * std::max(1.0, count);
    }

    std::string finish(const std::string& status) {
        progress_.clear();
        if (!is_at_end() && !is_steady() && is_at_limit())
            log::info(
                "         stopped by time.steps = {} at t = {:.6g} s, before time.end = {:.6g} s",
                *time_.steps, evolution_.time(), time_.end);
        if (time_.steady_tolerance > 0) report_steadiness();
        write(run_.summary.steps, true);
        return status;
    }

    void report_steadiness() {
        const bool steady = is_steady();
        run_.summary.steady = steady;
        if (steady) return log::info("steady   at t = {:.6g} s", evolution_.time());
        log::warning("not steady at t = {:.6g} s: {}; time.steady_tolerance is {:.3g}{}",
                     evolution_.time(), what_changes(), time_.steady_tolerance,
                     is_at_end()     ? ": raise time.end"
                     : is_at_limit() ? ": raise time.steps"
                                     : "");
    }

    std::string what_changes() const {
        const auto changes = evolution_.changes();
        if (changes.empty()) return "nothing moves";
        const auto& most = *std::ranges::max_element(changes, {}, &Evolution::Change::relative);
        return fmt::format("{} changes{} by {:.3g} of {} in a second", most.of,
                           changes.size() > 1 ? " most," : "", most.relative, most.size_of);
    }

    Run& run_;
    const TimeSettings& time_;
    Evolution& evolution_;
    Progress progress_;
    Stopwatch watch_;
    Eta eta_;
};

}  // namespace

std::string follow(Run& run, Evolution& evolution) { return TimeLoop(run, evolution).go(); }

}  // namespace solenoid
