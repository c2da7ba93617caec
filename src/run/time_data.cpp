#include "run/time_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <memory>

#include "case/quote.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/optional_state.hpp"
#include "formula/formula_tree.hpp"

namespace solenoid {
namespace {

// departure in a fixed step, relative to the range, that is reported
constexpr double badly_followed = 0.1;
// departure in a part of an integral, relative to the range
constexpr double followed_in_parts = 1e-3;
// the same in short pulses, whose area wants no more: parts are an eighth of the rise
constexpr double parts_of_pulses = 0.02;
constexpr double one_instant = 1e-12;  // jumps closer than this part of the run are one
constexpr int cells_of_time = 4096;    // samples for a formula of t alone
constexpr int cells_of_place = 2048;   // for a formula of x and t, at each of its points
// for a fixed step: at least one for each step, up to this number
constexpr int most_cells = 1 << 18;
constexpr long most_evaluations = 1 << 21;  // for each point
constexpr int windows = 4096;  // largest number of windows in which a fixed step is tried
constexpr int most_observations = 30;
constexpr long most_operations = 1 << 20;  // to bound a datum: a tenth of a second
// parts of the run that are not told of where a datum is not bounded: of what may depart in so
// short a time, times have few digits left
constexpr double shortest_told = 1e-10;

int cells_for(const Formula& formula, const TimeSettings& time) {
    const int least = formula.depends_on_place() ? cells_of_place : cells_of_time,
              most = formula.depends_on_place() ? most_cells / 16 : most_cells;
    return time.step ? static_cast<int>(std::clamp(std::ceil(time.end / *time.step), double(least),
                                                   double(most)))
                     : least;
}

std::string at(const Formula& formula) {
    return formula.place().empty() ? "" : formula.place() + ": ";
}

double neighbour(double t, double towards) { return std::nextafter(t, towards); }

// A time with few digits near t, else t.
double in_few_digits(double t) {
    const double rounded = std::stod(fmt::format("{:.12g}", t));
    const double reach = 2 * (neighbour(t, HUGE_VAL) - t);
    return std::abs(rounded - t) <= reach ? rounded : t;
}

// The operations of a formula; null where they do not have its values.
std::optional<FormulaTree> tree_of(const TimeDatum& datum, double end) {
    auto tree = FormulaTree::read(datum.formula.text());
    constexpr std::array<double, 4> fractions{0.0871, 0.3719, 0.6133, 0.9377};
    for (const Vec3& x : datum.points)
        for (const double fraction : fractions) {
            if (!tree) return tree;
            const double t = fraction * end, expected = datum.formula(x, t),
                         found = tree->value(x, t), reach = 1e-13 * end;
            // where digits cancel, both round by themselves
            const bool is_alike =
                std::isnan(expected) == std::isnan(found) &&
                (!(std::abs(found - expected) > 1e-9 * std::abs(expected)) ||
                 tree->at(x).during({t - reach, t + reach}).value.holds(expected));
            if (!is_alike) tree.reset();
        }
    return tree;
}

// A rounded length for messages, at most the given one.
double rounded_down(double value) {
    const double unit = std::pow(10, std::floor(std::log10(value)));
    return std::max(1.0, std::floor(value / unit)) * unit;
}

}  // namespace

TimeData::TimeData(const Communicator& comm, const std::vector<TimeDatum>& data,
                   const TimeSettings& time, double followed)
    : comm_(comm), time_(time), followed_(followed) {
    if (time.steady || !(time.end > 0)) return;
    comm.agree([&] {
        for (const TimeDatum& datum : data)
            if (datum.formula.depends_on_time() && !datum.points.empty()) add(datum);
        find_breaks();
    });
    for (Datum& datum : data_) {
        warn_of_sampling(datum);
        if (time_.step && !datum.is_integrated) warn_of_fixed_step(datum);
    }
}

void TimeData::add(const TimeDatum& given) {
    Datum& datum = data_.emplace_back(Datum{
        given.key, given.formula, {}, {}, cells_for(given.formula, time_), given.is_integrated});
    const std::size_t count = given.formula.depends_on_place() ? given.points.size() : 1;
    const Formula& formula = datum.formula;
    const std::optional<FormulaTree> tree = tree_of(given, time_.end);
    for (std::size_t i = 0; i < count; ++i)
        datum.traces.emplace_back(
            [&formula, x = given.points[i]](double t) { return formula.finite_value(x, t); },
            time_.end, datum.cells, datum.range, std::max(most_evaluations, 16L * datum.cells),
            tree ? std::make_shared<FormulaTree>(tree->at(given.points[i])) : nullptr);
    for (TimeTrace& trace : datum.traces) trace.refine();
    for (TimeTrace& trace : datum.traces)
        trace.find_hidden(most_operations / static_cast<long>(count));
}

// A step may land a neighbour among the numbers away from where it should.
void TimeData::find_breaks() {
    std::vector<TimeTrace::Jump> jumps;
    for (const Datum& datum : data_)
        for (const TimeTrace& trace : datum.traces) {
            const std::vector<TimeTrace::Jump> of_trace = trace.jumps();
            jumps.insert(jumps.end(), of_trace.begin(), of_trace.end());
        }
    std::ranges::sort(jumps, {}, &TimeTrace::Jump::before);
    breaks_.clear();
    for (const TimeTrace::Jump& jump : jumps) {
        if (!breaks_.empty() && jump.before - breaks_.back().after < one_instant * time_.end) {
            breaks_.back().after = std::max(breaks_.back().after, neighbour(jump.after, HUGE_VAL));
            continue;
        }
        const double instant = in_few_digits(jump.after);
        breaks_.push_back({neighbour(std::min(jump.before, instant), -HUGE_VAL), instant,
                           std::max(jump.after, neighbour(instant, HUGE_VAL))});
    }
}

bool TimeData::has_integrated() const { return std::ranges::any_of(data_, &Datum::is_integrated); }

std::vector<double> TimeData::extremes() const {
    std::vector<double> times;
    for (const Datum& datum : data_) {
        std::array<TimeTrace::Extreme, 2> of_datum{{{0, HUGE_VAL}, {0, -HUGE_VAL}}};
        for (const TimeTrace& trace : datum.traces) {
            const auto [least, greatest] = trace.extremes();
            if (least.value < of_datum[0].value) of_datum[0] = least;
            if (greatest.value > of_datum[1].value) of_datum[1] = greatest;
        }
        for (const auto& one : of_datum) times.push_back(one.t);
    }
    return times;
}

double TimeData::last_change() const {
    // the state at a jump is that before it
    double last = breaks_.empty() ? 0 : breaks_.back().after;
    for (const Datum& datum : data_)
        for (const TimeTrace& trace : datum.traces) last = std::max(last, trace.last_change());
    return last;
}

double TimeData::next_stop(double t) const {
    const auto next =
        std::ranges::upper_bound(breaks_, t + 0.25 * TimeTrace::gap(time_.end), {}, &Break::before);
    return next == breaks_.end() ? HUGE_VAL : next->before;
}

const TimeData::Break* TimeData::break_at(double t) const {
    const auto next =
        std::ranges::upper_bound(breaks_, t + 0.25 * TimeTrace::gap(time_.end), {}, &Break::before);
    return next != breaks_.begin() && t < (next - 1)->after ? &*(next - 1) : nullptr;
}

double TimeData::found_step(double t, double wanted) const {
    double step = std::min(wanted, next_stop(t) - t);
    for (const Datum& datum : data_)
        for (const TimeTrace& trace : datum.traces)
            step = trace.longest_step(t, step, followed_, datum.is_integrated ? 0 : followed_);
    return step;
}

double TimeData::longest_step(double t, double wanted) {
    double step = found_step(t, wanted);
    for (int i = 0; i < most_observations && observe(t, step); ++i) step = found_step(t, step);
    return step;
}

std::optional<TimeData::Span> TimeData::pulse_at(double t) const {
    std::optional<Span> span;
    for (const Datum& datum : data_)
        for (const TimeTrace& trace : datum.traces)
            for (const TimeTrace::Pulse& pulse : trace.pulses())
                if (!datum.is_integrated && pulse.from <= t && t < pulse.to)
                    span = {span ? std::min(span->from, pulse.from) : pulse.from,
                            span ? std::max(span->to, pulse.to) : pulse.to};
    return span;
}

std::vector<double> TimeData::parts(double from, double to) const {
    std::vector<double> ends;
    while (from < to) {
        double length = to - from;
        for (const Datum& datum : data_)
            for (const TimeTrace& trace : datum.traces)
                if (datum.is_integrated)
                    length = trace.longest_step(from, length, followed_in_parts, parts_of_pulses);
        from = length < to - from ? std::max(from + length, std::nextafter(from, to)) : to;
        ends.push_back(from);
    }
    return ends;
}

// Samples the data within a step. Returns whether they depart from what earlier samples showed.
bool TimeData::observe(double t, double span) {
    bool surprises = false;
    comm_.agree([&] {
        for (Datum& datum : data_)
            for (TimeTrace& trace : datum.traces) {
                const double departure = trace.observe(t, span);
                surprises |= departure > 0;
                datum.has_grown |= departure > 0;
                if (departure > badly_followed && !datum.is_told && !time_.step)
                    warn_of_sampling(datum);
            }
        if (surprises) find_breaks();
    });
    return surprises;
}

namespace {

// Throws InputError where numbers are no samples: of any formula, up to any end.
void check_samples(const std::vector<double>& numbers) {
    check_numbers(numbers, {}, std::ssize(numbers));
    std::span<const double> rest(numbers);
    bool are_sound = rest.size() >= 2 && rest[0] <= rest[1];
    for (rest = rest.subspan(are_sound ? 2 : 0); are_sound && !rest.empty();)
        are_sound = TimeTrace::is_sound(rest);
    if (!are_sound) throw InputError("has no samples of a formula");
}

}  // namespace

// By the key, and of several formulas of a key by their order. The samples of a formula count for
// this formula alone, from 0 to this end. They are there where steps have found more than the
// set-up.
void TimeData::register_state(const StateValues& state) {
    using Numbers = std::vector<double>;
    std::map<std::string, int> formulas;
    for (Datum& datum : data_) {
        const int number = formulas[datum.key]++;
        const OptionalState part =
            OptionalState(state).part(number ? fmt::format("{}/{}", datum.key, number) : datum.key);
        const auto is_same = std::make_shared<bool>(false);  // in the state that is loaded
        const auto has_grown = [&datum] { return datum.has_grown; };
        part.add<std::string>(
            "formula", has_grown, [&datum] { return datum.formula.text(); },
            [&datum, is_same](const std::optional<std::string>& text) {
                *is_same = text && *text == datum.formula.text();
            },
            [](const std::string&) {});
        const auto get = [&datum] {
            Numbers numbers{datum.range.least, datum.range.greatest};
            for (const TimeTrace& trace : datum.traces) trace.pack_to(numbers);
            return numbers;
        };
        const auto set = [&datum, is_same](const std::optional<Numbers>& numbers) {
            if (!numbers || !*is_same) return;
            std::span<const double> rest = std::span(*numbers).subspan(2);
            for (const TimeTrace& trace : datum.traces)
                if (!trace.passes(rest)) return;
            if (!rest.empty()) return;
            datum.has_grown = true;
            std::span<const double> left(*numbers);
            datum.range = {left[0], left[1]};
            left = left.subspan(2);
            for (TimeTrace& trace : datum.traces) trace.unpack_from(left);
        };
        part.add<Numbers>("samples", has_grown, get, set, check_samples);
    }
    state.off_stack().remade([this] { find_breaks(); });
}

// Warns where a datum is neither bounded nor followed. Of one that is not bounded a detail shorter
// than the distance of samples was found by chance: there may be more.
void TimeData::warn_of_sampling(Datum& datum) {
    const double between = time_.end / datum.cells / 4;
    double shortest = HUGE_VAL, unbounded = 0;
    bool whole = true;
    for (const TimeTrace& trace : datum.traces) {
        shortest = std::min(shortest, trace.swings().shortest);
        whole &= trace.is_whole();
        const TimeTrace::Unbounded& left = trace.unbounded();
        if (left.departure > badly_followed && left.length > shortest_told * time_.end)
            unbounded = std::max(unbounded, left.length);
    }
    if (whole && unbounded == 0) return;
    if (whole && shortest >= 2 * between) {
        datum.is_told = true;
        log::warning(
            "{}{} = {} is not known to be bounded between times {:.3g} s apart: a change within "
            "less may be missed. Take {} = {:.3g} or less, or a shorter time.end",
            at(datum.formula), datum.key, quoted(datum.formula.text()), unbounded, "time.step",
            rounded_down(0.25 * std::min(unbounded, between)));
        return;
    }
    datum.is_told = true;
    log::warning(
        "{}{} = {} changes within {:.3g} s and was sampled every {:.3g} s: some of its changes may "
        "be missed. Take {} = {:.3g} or less, or a shorter time.end",
        at(datum.formula), datum.key, quoted(datum.formula.text()), std::min(shortest, between),
        between, "time.step", rounded_down(0.25 * std::min(shortest, between)));
}

void TimeData::warn_of_fixed_step(Datum& datum) {
    const double step = *time_.step, count = std::ceil(time_.end / step);
    double shortest = step;
    const int tried = static_cast<int>(std::min(count, double(windows)));
    for (const TimeTrace& trace : datum.traces)
        for (int k = 0; k < tried; ++k) {
            const double t = std::floor(k * count / tried) * step;
            const double whole = std::min({step, time_.end - t, next_stop(t) - t});
            if (whole <= 0 || break_at(t)) continue;
            if (trace.longest_step(t, whole, badly_followed, badly_followed) < whole * (1 - 1e-9))
                shortest = std::min(shortest, trace.longest_step(t, whole, followed_, followed_));
        }
    if (shortest >= step || datum.is_told) return;
    datum.is_told = true;
    log::warning(
        "{}{} = {} changes too fast for time.step = {:.6g}: steps use its values at their ends "
        "only. Take time.step = {:.3g}, or leave it out",
        at(datum.formula), datum.key, quoted(datum.formula.text()), step, rounded_down(shortest));
}

}  // namespace solenoid
