#include "run/time_trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace solenoid {
namespace {

// largest departure from the line, relative to the range
constexpr double part_between_knots = 5e-4;
constexpr double rounding_of_values = 1e-15;
constexpr double swing = 0.1;  // least change of a swing, relative to the range
// Positions of samples in a cell; their distances are unequal, so that periodic functions are not
// sampled in phase.
constexpr std::array<double, 3> within{0.271, 0.5, 0.743};
// largest difference of areas in a step, relative to that of a swing
constexpr double part_of_swing = 1e-3;
constexpr int observations = 8;        // samples in a step
constexpr double most_counted = 9e15;  // evaluations that a saved state may tell
constexpr double at_the_end = 1e-3;    // part of the time in which a last change is none

}  // namespace

double TimeTrace::gap(double end) { return 32 * std::numeric_limits<double>::epsilon() * end; }

TimeTrace::TimeTrace(std::function<double(double)> value, double end, int cells, ValueRange& range,
                     long most, std::shared_ptr<const FormulaTree> tree)
    : value_(std::move(value)),
      end_(end),
      cells_(cells),
      range_(range),
      most_(most),
      tree_(std::move(tree)) {
    for (int k = 0; k <= cells; ++k) {
        const double t = k == cells ? end : end > 1e300 ? end / cells * k : end * k / cells;
        knots_.push_back({t, at(t)});
    }
}

double TimeTrace::at(double t) {
    const double value = value_(t);
    range_.least = std::min(range_.least, value);
    range_.greatest = std::max(range_.greatest, value);
    ++count_;
    return value;
}

double TimeTrace::tolerance() const {
    const double largest = std::max(std::abs(range_.least), std::abs(range_.greatest));
    return std::max(part_between_knots * range_.width(), rounding_of_values * largest);
}

void TimeTrace::refine() {
    const std::vector<Knot> coarse = std::move(knots_);
    knots_ = {coarse.front()};
    for (std::size_t k = 1; k < coarse.size(); ++k) bisect(coarse[k - 1], coarse[k], knots_);
    measure();
}

// Ends the work on knots: computes the areas, and the mean area of a swing from the middle value,
// above which the function is for half of the time.
void TimeTrace::measure() {
    sharpen_jumps();
    std::vector<std::pair<double, double>> values;  // with the length of time of each
    for (std::size_t k = 1; k < knots_.size(); ++k) {
        const double span = knots_[k].t - knots_[k - 1].t,
                     mean = 0.5 * (knots_[k].value + knots_[k - 1].value);
        knots_[k].area = knots_[k - 1].area + span * mean;
        values.emplace_back(mean, span);
    }
    std::ranges::sort(values);
    double passed = 0, middle = values.front().first, whole = 0;
    for (const auto& [value, span] : values) {
        if (passed <= 0.5 * end_) middle = value;
        passed += span;
    }
    for (const auto& [value, span] : values) whole += std::abs(value - middle) * span;
    swing_ = whole / std::max(1.0, 0.5 * swings().count);
    find_pulses();
}

bool TimeTrace::is_straight(const Knot& from, const Knot& to) {
    bool straight = true;
    for (const double part : within) {
        const double line = from.value + part * (to.value - from.value);
        straight &= std::abs(at(from.t + part * (to.t - from.t)) - line) <= tolerance();
    }
    return straight;
}

// Adds the knots in (from, to]; a constant stretch keeps only its ends.
void TimeTrace::bisect(const Knot& from, const Knot& to, std::vector<Knot>& knots) {
    if (to.t - from.t > gap(end_) && count_ < most_ && !is_straight(from, to)) {
        const double middle = 0.5 * (from.t + to.t);
        const Knot between{middle, at(middle)};
        bisect(from, between, knots);
        bisect(between, to, knots);
        return;
    }
    const std::size_t n = knots.size();
    if (n > 1 && knots[n - 1].value == to.value && knots[n - 2].value == to.value) knots.pop_back();
    knots.push_back(to);
}

double TimeTrace::told(double t) const {
    const auto next = std::ranges::upper_bound(knots_, t, {}, &Knot::t);
    if (next == knots_.end()) return knots_.back().value;
    if (next == knots_.begin()) return next->value;
    const Knot& last = *(next - 1);
    return last.value + (t - last.t) / (next->t - last.t) * (next->value - last.value);
}

double TimeTrace::last_change() const {
    const auto last = std::find_if(knots_.rbegin(), knots_.rend(), [&](const Knot& knot) {
        return std::abs(knot.value - knots_.back().value) > tolerance();
    });
    if (last == knots_.rend()) return knots_.front().t;
    const double time = last.base()->t;
    return time > (1 - at_the_end) * end_ ? HUGE_VAL : time;
}

double TimeTrace::area(double t) const {
    const auto next = std::ranges::upper_bound(knots_, t, {}, &Knot::t);
    if (next == knots_.begin()) return 0;
    const Knot& last = *(next - 1);
    return last.area + 0.5 * (t - last.t) * (last.value + told(t));
}

// The lines from t that pass all knots so far within the tolerance form a cone. The step ends where
// the line to its own end leaves the cone.
double TimeTrace::longest_step(double t, double wanted, double part, double in_pulses) const {
    if (in_pulses > 0) {
        const auto [step, is_inside] = step_of_pulses(t, in_pulses);
        wanted = std::min(wanted, step);
        if (is_inside) return wanted;
    }
    const double start = told(t), tolerance = part * range_.width(),
                 rounding = 1e-12 * range_.width();
    double least = -HUGE_VAL, greatest = HUGE_VAL, longest = 0;
    const double from = area(t), most_area = part_of_swing * swing_ + rounding * end_;
    const auto fits = [&](double span, double value, double to) {
        const bool in_cone =
            value - start >= least * span - rounding && value - start <= greatest * span + rounding;
        return in_cone && std::abs(0.5 * span * (start + value) - (to - from)) <= most_area;
    };
    for (auto knot = std::ranges::upper_bound(knots_, t, {}, &Knot::t);
         knot != knots_.end() && knot->t < t + wanted; ++knot) {
        const double span = knot->t - t;
        if (fits(span, knot->value, knot->area)) longest = span;
        least = std::max(least, (knot->value - tolerance - start) / span);
        greatest = std::min(greatest, (knot->value + tolerance - start) / span);
        if (least > greatest) return longest;
    }
    return longest == 0 || fits(wanted, told(t + wanted), area(t + wanted)) ? wanted : longest;
}

double TimeTrace::observe(double t, double span) {
    double largest = 0;
    for (int k = 0; k < observations; ++k) {
        const double when = t + (k + within[k % within.size()]) / observations * span;
        if (!(when > 0 && when < end_)) continue;
        const double value = at(when), departure = std::abs(value - told(when));
        if (departure <= 2 * tolerance()) continue;
        const auto next = std::ranges::upper_bound(knots_, when, {}, &Knot::t);
        if (next == knots_.begin() || next == knots_.end()) continue;
        const Knot from = *(next - 1), to = *next, between{when, value};
        if (to.t - from.t <= gap(end_)) continue;
        largest = std::max(largest, departure / range_.width());
        std::vector<Knot> fresh{from};
        bisect(from, between, fresh);
        bisect(between, to, fresh);
        const auto place = knots_.erase(next - 1, next + 1);
        knots_.insert(place, fresh.begin(), fresh.end());
    }
    if (largest > 0) measure();
    return largest;
}

void TimeTrace::pack_to(std::vector<double>& numbers) const {
    numbers.insert(numbers.end(), {double(count_), double(knots_.size())});
    for (const Knot& knot : knots_) numbers.insert(numbers.end(), {knot.t, knot.value});
}

void TimeTrace::unpack_from(std::span<const double>& numbers) {
    count_ = static_cast<long>(numbers[0]);
    const auto size = static_cast<std::size_t>(numbers[1]);
    knots_.clear();
    for (std::size_t k = 0; k < size; ++k)
        knots_.push_back({numbers[2 + 2 * k], numbers[3 + 2 * k]});
    numbers = numbers.subspan(2 + 2 * size);
    measure();
}

bool TimeTrace::is_sound(std::span<const double>& numbers) {
    if (numbers.size() < 2 || !(numbers[0] >= 0 && numbers[0] <= most_counted) ||
        !(numbers[1] >= 2) || !(numbers[1] <= double((numbers.size() - 2) / 2)))
        return false;
    const auto size = static_cast<std::size_t>(numbers[1]);
    for (std::size_t k = 1; k < size; ++k)
        if (!(numbers[2 * k] < numbers[2 + 2 * k])) return false;
    numbers = numbers.subspan(2 + 2 * size);
    return true;
}

bool TimeTrace::passes(std::span<const double>& numbers) const {
    const std::span<const double> all = numbers;
    if (!is_sound(numbers)) return false;
    return all[2] == 0 && all[2 * static_cast<std::size_t>(all[1])] == end_;
}

bool TimeTrace::is_jump(const Knot& from, const Knot& to) const {
    return to.t - from.t <= gap(end_) && std::abs(to.value - from.value) > tolerance();
}

// Moves the knots of jumps on to neighbours among the numbers, or, where these are much closer
// because the time is small, to a hundredth of their distance at the end.
void TimeTrace::sharpen_jumps() {
    const double close = 1e-2 * std::numeric_limits<double>::epsilon() * end_;
    for (std::size_t k = 1; k < knots_.size(); ++k) {
        Knot &from = knots_[k - 1], &to = knots_[k];
        if (!is_jump(from, to)) continue;
        while (to.t - from.t > close) {
            const double middle = 0.5 * (from.t + to.t);
            if (middle <= from.t || middle >= to.t) break;
            const double value = value_(middle);
            (std::abs(value - from.value) <= std::abs(value - to.value) ? from : to).t = middle;
        }
    }
}

std::vector<TimeTrace::Jump> TimeTrace::jumps() const {
    std::vector<Jump> jumps;
    for (std::size_t k = 1; k < knots_.size(); ++k)
        if (is_jump(knots_[k - 1], knots_[k])) jumps.push_back({knots_[k - 1].t, knots_[k].t});
    return jumps;
}

TimeTrace::Swings TimeTrace::swings() const {
    const double least = swing * range_.width();
    Swings found;
    if (least == 0) return found;
    double direction = 0, last_update = -HUGE_VAL;
    Knot extreme = knots_.front();
    for (const Knot& knot : knots_) {
        const double change = knot.value - extreme.value;
        if (change * direction > 0 || (direction == 0 && std::abs(change) > least)) {
            direction = change > 0 ? 1 : -1;
            extreme = knot;
        } else if (change * direction < -least * std::abs(direction) && direction != 0) {
            found.shortest = std::min(found.shortest, extreme.t - last_update);
            ++found.count;
            last_update = extreme.t;
            direction = -direction;
            extreme = knot;
        }
    }
    return found;
}

std::array<TimeTrace::Extreme, 2> TimeTrace::extremes() const {
    const auto [least, greatest] = std::ranges::minmax_element(knots_, {}, &Knot::value);
    return {{{least->t, least->value}, {greatest->t, greatest->value}}};
}

}  // namespace solenoid
