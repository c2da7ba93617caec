#include "run/triggers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "case/named.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/nearest_name.hpp"
#include "core/optional_state.hpp"

namespace solenoid {
namespace {

// A window counts as covered where it is so to rounding.
constexpr double covered = 1 - 1e-9;

std::string condition_of(const TriggerSettings& s) {
    if (s.above) return fmt::format("above {:.6g}", *s.above);
    if (s.below) return fmt::format("below {:.6g}", *s.below);
    if (s.steady) return fmt::format("steady within {:.6g} over {:.6g} s", *s.steady, s.window);
    return fmt::format("more than {:.6g} times what it was in its first {:.6g} s", *s.diverges,
                       s.window);
}

// What a trigger watches and what for, in all digits.
std::string watched_by(const TriggerSettings& s) {
    const auto& [word, value] = s.above    ? std::pair("above", s.above)
                                : s.below  ? std::pair("below", s.below)
                                : s.steady ? std::pair("steady within", s.steady)
                                           : std::pair("diverged by", s.diverges);
    std::string text = fmt::format("{} of {} {} {}", s.column, s.monitor, word, *value);
    if (s.window > 0) text += fmt::format(" over {} s", s.window);
    if (s.from > 0) text += fmt::format(" from {} s", s.from);
    return text;
}

}  // namespace

Triggers::Triggers(const std::vector<TriggerSettings>& settings) {
    for (const TriggerSettings& s : settings) watched_.push_back({.settings = &s});
}

void Triggers::check(const std::string& table, const std::vector<std::string>& columns) const {
    for (const Watched& w : watched_) {
        const TriggerSettings& s = *w.settings;
        if (s.monitor != table || contains(columns, s.column)) continue;
        const std::string near = nearest_name(s.column, columns);
        throw InputError(
            s.place, fmt::format("[[trigger]] column: \"{}\" has no {}{} it has: {}", table,
                                 quoted(s.column),
                                 near.empty() ? ";" : fmt::format("; did you mean \"{}\"?", near),
                                 enumerated(columns)));
    }
}

void Triggers::note(const std::string& table, const std::vector<std::string>& columns,
                    const CsvRow& row) {
    for (Watched& w : watched_) {
        const TriggerSettings& s = *w.settings;
        if (s.monitor != table) continue;
        const std::size_t column = std::ranges::find(columns, s.column) - columns.begin();
        if (column >= row.size()) continue;
        const std::optional<double>&time = row[0], &value = row[column];
        if (!time || !value || *time < s.from) continue;  // an empty cell: outside the mesh
        const bool held = std::exchange(w.holds, holds(w, *time, *value));
        if (w.holds && !held) w.fired = {*time, *value};
    }
}

std::vector<std::int64_t> Triggers::fired() const {
    std::vector<std::int64_t> fired;
    for (const Watched& w : watched_) fired.push_back(w.fired.has_value());
    return fired;
}

void Triggers::act(std::span<const std::int64_t> fired) {
    actions_ = pending(fired);
    for (std::size_t i = 0; i < watched_.size(); ++i)
        if (fired[i]) watched_[i].fired.reset();
}

std::vector<Triggers::Action> Triggers::pending(std::span<const std::int64_t> fired) const {
    std::vector<Action> actions;
    for (std::size_t i = 0; i < watched_.size(); ++i)
        if (fired[i]) actions.push_back({watched_[i].settings, watched_[i].told()});
    return actions;
}

bool Triggers::act_as(const std::string& name) const {
    return std::ranges::any_of(actions_,
                               [&](const Action& action) { return action.trigger->name == name; });
}

// On ranks that have the row.
std::string Triggers::Watched::told() const {
    if (!fired) return "";
    const TriggerSettings& s = *settings;
    return fmt::format("{} of {} is {:.6g} at t = {:.6g} s, {}", s.column, s.monitor, fired->value,
                       fired->time, condition_of(s));
}

bool Triggers::holds(Watched& w, double time, double value) {
    const TriggerSettings& s = *w.settings;
    if (s.above) return value > *s.above;
    if (s.below) return value < *s.below;
    return s.steady ? is_steady(w, time, value) : has_diverged(w, time, value);
}

bool Triggers::is_steady(Watched& w, double time, double value) {
    const TriggerSettings& s = *w.settings;
    w.window.push_back({time, value});
    while (w.window.size() > 1 && time - w.window[1].time >= s.window * covered)
        w.window.pop_front();
    if (time - w.window.front().time < s.window * covered) return false;
    const auto [least, greatest] = std::ranges::minmax(w.window, {}, &Watched::Value::value);
    const double size = std::max(std::abs(least.value), std::abs(greatest.value));
    return greatest.value - least.value <= *s.steady * size;
}

bool Triggers::has_diverged(Watched& w, double time, double value) {
    const TriggerSettings& s = *w.settings;
    if (!std::isfinite(value)) return true;
    if (w.first_until < 0) w.first_until = time + s.window;
    if (time > w.first_until) return w.reference > 0 && std::abs(value) > *s.diverges * w.reference;
    w.reference = std::max(w.reference, std::abs(value));
    return false;
}

// ---- state

std::vector<double> Triggers::Watched::packed() const {
    const Value last = fired.value_or(Value{0, 0});
    std::vector<double> numbers{holds ? 1.0 : 0.0, fired ? 1.0 : 0.0, last.time,
                                last.value,        first_until,       reference};
    for (const Value& one : window) numbers.insert(numbers.end(), {one.time, one.value});
    return numbers;
}

void Triggers::Watched::check(const std::vector<double>& numbers) {
    const std::span<const double> all(numbers);
    if (all.size() < 6 || all.size() % 2 != 0) throw InputError("has no state of a trigger");
    check_numbers(all.first(2), narrowed<bool>({}), 2);
    check_numbers(all.subspan(4, 1), {}, 1);
    check_numbers(all.subspan(5, 1), not_negative, 1);
    for (std::size_t i = 2; i < all.size(); i += i == 2 ? 4 : 2)  // times; values may be any
        check_numbers(all.subspan(i, 1), {}, 1);
}

void Triggers::Watched::unpack(const std::vector<double>& numbers) {
    holds = numbers[0] != 0;
    fired.reset();
    if (numbers[1] != 0) fired = {numbers[2], numbers[3]};
    first_until = numbers[4];
    reference = numbers[5];
    window.clear();
    for (std::size_t i = 6; i < numbers.size(); i += 2)
        window.push_back({numbers[i], numbers[i + 1]});
}

void Triggers::Watched::begin_anew() { *this = {.settings = settings}; }

// By the name, or by what is watched for what where there is none. What was seen counts for this
// condition alone: else a trigger that had acted would never act again.
void Triggers::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    std::vector<std::string> taken;
    for (Watched& w : watched_) {
        const std::string watches = watched_by(*w.settings);
        std::string name = w.settings->name;
        if (name.empty()) name = watches + ": " + w.settings->action;
        const std::string first = name;
        for (int n = 2; contains(taken, name); ++n) name = fmt::format("{} ({})", first, n);
        taken.push_back(name);
        const OptionalState part = OptionalState(state).owned_by("[[trigger]]", name).part(name);
        const auto is_same = std::make_shared<bool>(false);  // in the state that is loaded
        const auto always = [] { return true; };
        part.add<std::string>(
            "watches", always, [watches] { return watches; },
            [=](const std::optional<std::string>& before) {
                *is_same = before == watches;
                if (before && !*is_same)
                    log::info("begins   [[trigger]] {} anew: it watched {}, and watches {} now",
                              quoted(name), *before, watches);
            },
            [](const std::string&) {});
        part.add<Numbers>(
            "seen", always, [&w] { return w.packed(); },
            [&w, is_same](const std::optional<Numbers>& numbers) {
                if (numbers && *is_same)
                    w.unpack(*numbers);
                else
                    w.begin_anew();
            },
            Watched::check);
    }
}

}  // namespace solenoid
