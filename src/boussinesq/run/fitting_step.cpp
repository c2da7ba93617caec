#include "boussinesq/run/fitting_step.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.hpp"

namespace solenoid {
namespace {

struct Interval {
    std::string key, place;
    double length;
};

std::vector<Interval> intervals_of(const CaseSettings& s) {
    std::vector<Interval> all{{"time.end", s.time.end_place, s.time.end}};
    const auto add = [&](const std::string& key, const std::string& place,
                         const WhenSettings& when) {
        if (!when.interval) return;
        all.push_back({key + " interval", place, *when.interval});
        if (when.from > 0 && when.from < s.time.end)
            all.push_back({key + " from", place, when.from});
    };
    add("[output]", s.place, s.output);
    add("[checkpoint]", s.place, s.checkpoint);
    for (const MonitorSettings& one : s.monitors) add("[[monitor]]", one.place, one.when);
    for (const PictureSettings& one : s.pictures)
        add(one.frames_per_second ? "[[film]]" : "[[picture]]", one.place, one.when);
    if (s.average)
        for (const auto& [key, bound] :
             {std::pair("[average] from", s.average->from), {"[average] to", s.average->to}})
            if (bound > 0 && bound < s.time.end) all.push_back({key, s.average->place, bound});
    return all;
}

bool is_whole(double length, double step) {
    const double count = length / step;
    return std::abs(count - std::round(count)) <= 1e-9 * count && std::round(count) >= 1;
}

}  // namespace

double fitting_step(const CaseSettings& settings, double most, bool is_given, double reached) {
    constexpr int most_tries = 10000;
    std::vector<Interval> intervals = intervals_of(settings);
    if (reached > 0) intervals.push_back({"the time of the checkpoint", settings.place, reached});
    if (is_given) {
        for (const Interval& one : intervals)
            if (!is_whole(one.length, most))
                throw InputError(
                    one.place,
                    fmt::format(
                        "{}: {:.9g} s is not a whole number of steps of time.step = {:.9g} "
                        "s, which are all alike: change one of them, or leave time.step out",
                        one.key, one.length, most));
        return most;
    }
    const Interval least = std::ranges::min(intervals, {}, &Interval::length);
    const double shortest = least.length;
    const auto first = static_cast<std::int64_t>(std::ceil(shortest / most * (1 - 1e-12)));
    for (std::int64_t n = std::max<std::int64_t>(1, first); n < first + most_tries; ++n) {
        const double step = shortest / double(n);
        if (std::ranges::all_of(intervals,
                                [&](const Interval& one) { return is_whole(one.length, step); }))
            return step;
    }
    const auto misfit = std::ranges::find_if(
        intervals, [&](const Interval& one) { return !is_whole(one.length, shortest); });
    throw InputError(
        misfit->place,
        fmt::format("{}: {:.9g} s and {}, {:.9g} s, are no whole numbers of one step: make one a "
                    "multiple of the other",
                    misfit->key, misfit->length, least.key, shortest));
}

bool fits(const CaseSettings& settings, double step) {
    return std::ranges::all_of(intervals_of(settings),
                               [&](const Interval& one) { return is_whole(one.length, step); });
}

void check_fit(const CaseSettings& settings, double step, const std::string& place) {
    for (const Interval& one : intervals_of(settings))
        if (!is_whole(one.length, step))
            throw InputError(
                place, fmt::format("{}: {:.9g} s is not a whole number of the run's steps of "
                                   "{:.9g} s, which are all alike: the nearest that is one is "
                                   "{:.12g} s",
                                   one.key, one.length, step,
                                   std::max(1.0, std::round(one.length / step)) * step));
}

}  // namespace solenoid
