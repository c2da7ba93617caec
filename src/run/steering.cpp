#include "run/steering.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <span>
#include <sstream>

#include "case/control_request.hpp"
#include "case/physics.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/joined_words.hpp"
#include "core/log.hpp"
#include "core/plain_text.hpp"
#include "core/stop_signal.hpp"
#include "run/when.hpp"

namespace solenoid {

// ---- state

std::string SteeringState::text() const {
    std::string text;
    for (const std::string& change : changes) text += change + '\n';
    if (stop_at_step) text += fmt::format("stop_at_step={}\n", *stop_at_step);
    if (stop_at_time) text += fmt::format("stop_at_time={}\n", *stop_at_time);
    return text;
}

namespace {

template <class Number>
Number number_of(const std::string& text) {
    Number number{};
    const char* const end = text.data() + text.size();
    const auto [read, fault] = std::from_chars(text.data(), end, number);
    if (fault != std::errc() || read != end || !(number > 0) || !std::isfinite(double(number)))
        throw InputError(fmt::format("has \"{}\", no number above 0, for an end of the run", text));
    return number;
}

}  // namespace

SteeringState SteeringState::of(const std::string& text) {
    SteeringState state;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t at = line.find('=');
        if (at == line.npos)
            throw InputError(fmt::format("has \"{}\", no KEY=VALUE", without_controls(line)));
        const std::string key = line.substr(0, at), value = line.substr(at + 1);
        if (key == "stop_at_step")
            state.stop_at_step = number_of<std::int64_t>(value);
        else if (key == "stop_at_time")
            state.stop_at_time = number_of<double>(value);
        else
            state.changes.push_back(line);
    }
    return state;
}

// ---- between two steps

Steering::Steering(Run& run, Simulation& simulation, Triggers& triggers,
                   std::function<bool()> waits)
    : run_(run), simulation_(simulation), triggers_(triggers), waits_(std::move(waits)) {
    if (run.comm.is_root()) control_.emplace(run.folder->path(), run.total.seconds());
    if (!run.options.wall_time.empty()) wall_time_.emplace(wall_time_of(run.options.wall_time));
}

Steering::Orders Steering::orders() {
    enum { to_stop, to_save, to_read, out_of_time, of_clock, of_triggers };
    const bool is_over =
        run_.comm.is_root() && wall_time_ && wall_time_->is_over(run_.total.seconds());
    std::vector<std::int64_t> asked{stop_requested(), save_requested(),
                                    control_ && control_->waits(), is_over,
                                    run_.comm.is_root() && waits_()};
    for (const std::int64_t fired : triggers_.fired()) asked.push_back(fired);
    run_.comm.sum(std::span(asked));
    triggers_.act(std::span(asked).subspan(of_triggers));
    Orders orders;
    orders.checkpoints = asked[of_clock];
    obey_triggers(orders);
    if (asked[to_read]) take_request(orders);
    if (asked[to_save]) {
        log::info("         SIGUSR1 {}: the state is written", when());
        orders.writes = orders.checkpoints = true;
    }
    if (asked[out_of_time] && orders.stop.empty()) orders.stop = "--wall-time";
    if (asked[to_stop]) {
        orders.stop = name_of_signal(static_cast<int>(run_.comm.max(stop_signal())));
        orders.is_end = false;
    }
    if (state_.stop_at_step && run_.summary.steps >= *state_.stop_at_step) {
        if (orders.stop.empty())
            orders.stop = fmt::format("stop_at_step = {}", *state_.stop_at_step);
        state_.stop_at_step.reset();
    }
    if (state_.stop_at_time &&
        has_come(*state_.stop_at_time, simulation_.time(), run_.settings.time)) {
        if (orders.stop.empty())
            orders.stop = fmt::format("stop_at_time = {}", *state_.stop_at_time);
        state_.stop_at_time.reset();
    }
    orders.records |= orders.writes;
    return orders;
}

double Steering::stop_time() const { return state_.stop_at_time.value_or(HUGE_VAL); }

void Steering::note_step(double seconds) {
    if (wall_time_) wall_time_->note_step(seconds);
}
void Steering::note_write(double seconds) {
    if (wall_time_) wall_time_->note_write(seconds);
}
void Steering::note_checkpoint(double seconds) {
    if (wall_time_) wall_time_->note_checkpoint(seconds);
}

std::string Steering::when() const {
    return fmt::format("before step {}, t = {:.6g} s", run_.summary.steps + 1, simulation_.time());
}

// ---- triggers

void Steering::obey_triggers(Orders& orders) {
    for (const auto& [trigger, what] : triggers_.actions()) {
        const std::string told = fmt::format("{}: {}", trigger->place, what);
        log::info("         trigger {} ({}{})", told, when(),
                  trigger->action == "none" ? "" : ": " + trigger->action);
        orders.records = true;
        if (trigger->action == "write") orders.writes = true;
        if (trigger->action == "checkpoint") orders.checkpoints = true;
        if (trigger->action != "stop") continue;
        if (trigger->diverges) run_.comm.agree([&] { throw ComputationError(told); });
        orders.stop = "trigger " + told;
        orders.is_end = true;
    }
}

void Steering::tell_last() {
    if (triggers_.is_empty()) return;
    std::vector<std::int64_t> fired = triggers_.fired();
    run_.comm.sum(std::span(fired));
    for (const auto& [trigger, what] : triggers_.pending(std::span(fired))) {
        if (std::ranges::find(told_, trigger) != told_.end()) continue;
        told_.push_back(trigger);
        const std::string told = fmt::format("{}: {}", trigger->place, what);
        log::info("         trigger {} (behind the last step, {})", told, run_.summary.steps);
        if (trigger->action == "stop" && trigger->diverges)
            run_.comm.agree([&] { throw ComputationError(told); });
    }
}

// ---- control.toml

namespace {

std::string described(const ControlRequest& request) {
    std::vector<std::string> parts = request.changes;
    if (request.write) parts.emplace_back("write");
    if (request.checkpoint) parts.emplace_back("checkpoint");
    if (request.stop) parts.emplace_back("stop");
    if (request.stop_at_step)
        parts.push_back(fmt::format("stop_at_step={}", *request.stop_at_step));
    if (request.stop_at_time)
        parts.push_back(fmt::format("stop_at_time={}", *request.stop_at_time));
    return joined_words(parts, ", ");
}

}  // namespace

// The root reads the file for all; each rank makes the same of its text.
void Steering::take_request(Orders& orders) {
    std::string text, refusal;
    if (control_) {
        try {
            text = control_->take();
        } catch (const InputError& error) {
            refusal = error.what();
        }
    }
    run_.comm.broadcast(text);
    std::optional<ControlRequest> request;
    try {
        request = read_control(text, ControlFile::name, run_.text, overrides(), run_.all);
        check_now(*request);
    } catch (const InputError& error) {
        if (refusal.empty()) refusal = error.what();
    }
    if (run_.comm.any(!refusal.empty())) {
        log::warning("{} ({}; nothing is changed: {} has the request)", refusal, when(),
                     ControlFile::refused);
        if (control_)
            control_->answer(text, false, fmt::format("not done {}: {}", when(), refusal));
        return;
    }
    const std::string what = described(*request);
    log::info("         {} {}: {}", ControlFile::name, when(), what);
    if (control_) control_->answer(text, true, fmt::format("done {}: {}", when(), what));
    carry_out(*request, orders);
}

// Refuses what the run is past already, or cannot do. Throws InputError.
void Steering::check_now(const ControlRequest& request) const {
    const double now = simulation_.time();
    const std::int64_t steps = run_.summary.steps;
    const auto refuse_past = [&](const std::string& key, double value, double present,
                                 const char* unit) {
        throw InputError(
            ControlFile::name,
            fmt::format("{} = {:.10g}{} is past: the run is at {:.10g}{}; to stop now, "
                        "ask for stop = true",
                        key, value, unit, present, unit));
    };
    const TimeSettings &changed = request.settings.time, &present = run_.settings.time;
    if (changed.end <= now) refuse_past("time.end", changed.end, now, " s");
    if (changed.steps && *changed.steps <= steps)
        refuse_past("time.steps", double(*changed.steps), double(steps), "");
    if (request.stop_at_step && *request.stop_at_step <= steps)
        refuse_past("stop_at_step", double(*request.stop_at_step), double(steps), "");
    if (request.stop_at_time && *request.stop_at_time <= now)
        refuse_past("stop_at_time", *request.stop_at_time, now, " s");
    if (changed.end > present.end && simulation_.data() && !simulation_.data()->is_empty())
        throw InputError(
            ControlFile::name,
            fmt::format("time.end = {:.10g} s is later than {:.10g} s, up to which the formulas of "
                        "t were examined at the start: take an earlier end, or run the case anew",
                        changed.end, present.end));
    const bool asks_for_checkpoints =
        request.checkpoint || std::ranges::any_of(request.changes, [](const std::string& change) {
            return change.starts_with("checkpoint.");
        });
    if (asks_for_checkpoints && run_.settings.checkpoint.keep == 0)
        throw InputError(ControlFile::name,
                         "the case has [checkpoint] keep = 0, so that no checkpoint is written: "
                         "leave the request for checkpoints out, or run the case with keep = 2");
    if (!request.changes.empty()) simulation_.check_change(request.settings, ControlFile::name);
}

std::vector<std::string> Steering::overrides() const {
    std::vector<std::string> all = run_.overrides;
    all.insert(all.end(), state_.changes.begin(), state_.changes.end());
    return all;
}

void Steering::carry_out(const ControlRequest& request, Orders& orders) {
    if (!request.changes.empty()) run_.settings.physics->steer(run_.settings, request.settings);
    for (const std::string& change : request.changes) {
        const std::string key = change.substr(0, change.find('=') + 1);
        std::erase_if(state_.changes, [&](const auto& one) { return one.starts_with(key); });
        state_.changes.push_back(change);
    }
    if (request.stop_at_step) state_.stop_at_step = request.stop_at_step;
    if (request.stop_at_time) state_.stop_at_time = request.stop_at_time;
    orders.writes |= request.write;
    orders.checkpoints |= request.checkpoint;
    if (request.stop && orders.stop.empty()) orders.stop = "control.toml";
}

void Steering::register_state(const StateValues& state) {
    triggers_.register_state(state.part("trigger"));
    StateArray shape;
    shape.name = "steering/requests";
    shape.values = std::string();
    const auto save = [this, shape] {
        StateArray array = shape;
        array.values = state_.text();
        return array;
    };
    const auto load = [this](const StateArray& array) {
        state_ = SteeringState::of(std::get<std::string>(array.values));
        if (!state_.changes.empty())  // what is set now comes behind what was asked for before
            state_.changes.insert(state_.changes.end(), run_.later_overrides.begin(),
                                  run_.later_overrides.end());
    };
    const auto check = [](const StateArray& array) {
        SteeringState::of(std::get<std::string>(array.values));
    };
    state.registry().add(
        {shape.name, [shape] { return shape; }, save, load, nullptr, nullptr, check});
    state.off_stack().remade([this] {
        if (state_.changes.empty()) return;
        CaseSettings changed;
        run_.comm.agree([&] {
            const auto refuse = [&](const std::string& why) {
                throw InputError(
                    (run_.folder->path() / "checkpoints").string(),
                    fmt::format("the newest holds changes by control.toml, {}, which the case does "
                                "not take now: {}",
                                quoted(joined_words(state_.changes, ", ")), why));
            };
            try {
                changed = read_case(run_.text, run_.all, overrides());
            } catch (const InputError& error) {
                refuse(error.what());
            }
            if (changed.physics != run_.settings.physics) refuse("they are of another physics");
        });
        run_.settings.physics->steer(run_.settings, changed);
    });
}

}  // namespace solenoid
