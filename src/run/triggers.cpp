#include "run/triggers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "case/named.hpp"

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

TriggerWatch::TriggerWatch(const std::vector<TriggerSettings>& settings) {
    for (const TriggerSettings& s : settings) watched_.push_back({.settings = &s});
}

void TriggerWatch::begin(const std::string& table, const std::vector<std::string>& columns) {
    const auto at = [&](const std::string& name) {
        return static_cast<std::size_t>(std::ranges::find(columns, name) - columns.begin());
    };
    for (Watched& w : watched_) {
        const TriggerSettings& s = *w.settings;
        if (s.monitor != table) continue;
        w.column = at(s.column);
        w.time = at("time");
        if (w.column < columns.size()) continue;
        const std::string near = nearest_name(s.column, columns);
        throw InputError(
            s.place,
            fmt::format("[[trigger]] column: \"{}\" has no \"{}\"{}; it has: {}", table, s.column,
                        near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near),
                        enumerated(columns)));
    }
}

void TriggerWatch::row(const std::string& table, const CsvRow& row) {
    for (Watched& w : watched_) {
        const TriggerSettings& s = *w.settings;
        if (s.monitor != table || w.column >= row.size() || w.time >= row.size()) continue;
        const std::optional<double>&time = row[w.time], &value = row[w.column];
        if (!time || !value || *time < s.from) continue;  // an empty cell: outside the mesh
        const bool held = std::exchange(w.holds, holds(w, *time, *value));
        if (w.holds && !held)
            fired_.push_back({&s, fmt::format("{} of {} is {:.6g} at t = {:.6g} s, {}", s.column,
                                              s.monitor, *value, *time, condition_of(s))});
    }
}

std::vector<TriggerWatch::Fired> TriggerWatch::fired() { return std::exchange(fired_, {}); }

bool TriggerWatch::holds(Watched& w, double time, double value) {
    const TriggerSettings& s = *w.settings;
    if (s.above) return value > *s.above;
    if (s.below) return value < *s.below;
    return s.steady ? is_steady(w, time, value) : has_diverged(w, time, value);
}

bool TriggerWatch::is_steady(Watched& w, double time, double value) {
    const TriggerSettings& s = *w.settings;
    w.window.push_back({time, value});
    while (w.window.size() > 1 && time - w.window[1].time >= s.window * covered)
        w.window.pop_front();
    if (time - w.window.front().time < s.window * covered) return false;
    const auto [least, greatest] = std::ranges::minmax(w.window, {}, &Watched::Value::value);
    const double size = std::max(std::abs(least.value), std::abs(greatest.value));
    return greatest.value - least.value <= *s.steady * size;
}

bool TriggerWatch::has_diverged(Watched& w, double time, double value) {
    const TriggerSettings& s = *w.settings;
    if (!std::isfinite(value)) return true;
    if (w.first_until < 0) w.first_until = time + s.window;
    if (time > w.first_until) return w.reference > 0 && std::abs(value) > *s.diverges * w.reference;
    w.reference = std::max(w.reference, std::abs(value));
    return false;
}

}  // namespace solenoid
