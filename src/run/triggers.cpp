#include "run/triggers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "case/named.hpp"
#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/nearest_name.hpp"

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

void Triggers::Watched::unpack(const std::vector<double>& numbers) {
    holds = numbers[0] != 0;
    fired.reset();
    if (numbers[1] != 0) fired = {numbers[2], numbers[3]};
    first_until = numbers[4];
    reference = numbers[5];
    window.clear();
    for (std::size_t i = 6; i + 1 < numbers.size(); i += 2)
        window.push_back({numbers[i], numbers[i + 1]});
}

void Triggers::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    for (std::size_t i = 0; i < watched_.size(); ++i)
        state.off_stack().add<Numbers>(
            fmt::format("{}", i), [&w = watched_[i]] { return w.packed(); },
            [&w = watched_[i]](const Numbers& numbers) { w.unpack(numbers); });
}

}  // namespace solenoid
