// What hides between the samples of a function of time, and its short pulses.
#include <algorithm>
#include <cmath>
#include <queue>

#include "formula/formula_tree.hpp"
#include "run/time_trace.hpp"

namespace solenoid {
namespace {

// A departure from the line between knots that bounds allow for and that is let be, relative to the
// range: ten times what samples let be, since bounds of what is smooth are wider than what it does.
constexpr double part_hidden = 5e-3;
// The same, relative to the values, where the range is less.
constexpr double part_of_values = 1e-9;

// A function is steep where it would cross its range in this part of the run. A pulse is steeper by
// a factor somewhere, so that oscillations are no rows of pulses, and over within a part of the
// run. Its largest slope is not much above the mean one, as that of a root of t at 0 is.
constexpr double steep = 1.0 / 40, much_steeper = 4, longest_pulse = 1.0 / 20, most_uneven = 3;
// A step in a pulse, relative to the time in which it would rise at its largest slope, over the
// root of the departure from a line that is let be: half of what that alone would make of a bell.
// The sum over a bell in equal steps has its area to rounding, of exp(-t^2) as of 1/cosh^2, and a
// flow's control of errors leaves them equal.
constexpr double part_of_rise = 0.85;
constexpr double most_in_pulse = 1000;  // steps
// A pulse ends where it leaves so little of its area to a step from the start of the run up to
// there, or so many of its lengths before it rises.
constexpr double part_outside = 1e-6, most_beside = 2;
constexpr double growth = 0.25;  // of steps with their distance from a pulse

struct Part {
    double departure, from, to;
    double length() const { return to - from; }
    bool operator<(const Part& other) const {
        return departure != other.departure ? departure < other.departure
                                            : length() < other.length();
    }
};

}  // namespace

double TimeTrace::hidden_tolerance() const {
    const double largest = std::max(std::abs(range_.least), std::abs(range_.greatest));
    return std::max({part_hidden * range_.width(), part_of_values * largest, 1e-300});
}

// By how much the function may leave the lines between the knots of [from, to]. The value at an end
// that is no knot is within the tolerance of the line.
double TimeTrace::hidden_departure(double from, double to) {
    operations_ += static_cast<long>(tree_->size());
    double least = std::min(told(from), told(to)), greatest = std::max(told(from), told(to)),
           longest = 0, before = from;
    for (auto knot = std::ranges::upper_bound(knots_, from, {}, &Knot::t);
         knot != knots_.end() && knot->t < to; ++knot) {
        least = std::min(least, knot->value);
        greatest = std::max(greatest, knot->value);
        longest = std::max(longest, knot->t - before);
        before = knot->t;
    }
    longest = std::max(longest, to - before);
    return tree_->during({from, to}).departure(longest, least, greatest);
}

// Knots at three times between two neighbouring knots, and as many as it takes between them.
void TimeTrace::insert(double from, double middle, double to) {
    const auto next = std::ranges::upper_bound(knots_, middle, {}, &Knot::t);
    std::vector<Knot> fresh{*(next - 1)};
    for (const double t : {from, middle, to})
        if (t > (next - 1)->t && t <= next->t)
            bisect(Knot(fresh.back()), t == next->t ? *next : Knot{t, at(t)}, fresh);
    if (fresh.back().t < next->t) bisect(Knot(fresh.back()), *next, fresh);
    const auto place = knots_.erase(next - 1, next + 1);
    knots_.insert(place, fresh.begin(), fresh.end());
}

// The parts whose bounds are widest first: so the range is known before narrow bounds are asked
// for. Of a row of changes that is too long, what was found first is no better than none.
void TimeTrace::find_hidden(long operations) {
    operations_ = 0;
    if (!tree_) {
        unbounded_ = {Interval::infinite, end_ / cells_};
        return;
    }
    std::priority_queue<Part> parts;
    const auto add = [&](double from, double to) {
        if (to - from > gap(end_)) parts.push({hidden_departure(from, to), from, to});
    };
    const std::vector<Knot> sampled = knots_;
    add(0, end_);
    bool has_grown = false;
    while (!parts.empty() && parts.top().departure > hidden_tolerance()) {
        const Part part = parts.top();
        if (operations_ > operations || !is_whole()) {
            unbounded_ = {part.departure / std::max(range_.width(), hidden_tolerance()), 0};
            for (; !parts.empty() && parts.top().departure > hidden_tolerance(); parts.pop())
                unbounded_.length = std::max(unbounded_.length, parts.top().length());
            break;
        }
        parts.pop();
        const auto inner = std::ranges::upper_bound(knots_, part.from, {}, &Knot::t);
        const auto last = std::ranges::lower_bound(knots_, part.to, {}, &Knot::t);
        double middle = 0.5 * (part.from + part.to);
        if (inner < last) {
            middle = (inner + (last - inner) / 2)->t;
        } else if (std::abs(at(middle) - told(middle)) > 2 * tolerance()) {
            insert(part.from, middle, part.to);
            has_grown = true;
        }
        add(part.from, middle);
        add(middle, part.to);
    }
    if (!has_grown) return;
    if (!is_whole()) knots_ = sampled;
    measure();
}

// A pulse is a row of steep lines, across the top between its rise and its fall too, and what is
// beside it, where it begins and ends. What a jump cuts has no such sum over equal steps.
void TimeTrace::find_pulses() {
    pulses_.clear();
    const double least_slope = range_.width() / (steep * end_);
    if (!(least_slope > 0)) return;
    struct Row {
        double from, to, least, greatest;
        double slope;             // the largest
        double change, by_slope;  // sums: of changes, and of them times their slope
        bool is_cut;              // by a jump, or the start: it does not begin or end slowly
    };
    std::vector<Row> rows;
    bool is_apart = true;
    double cut = knots_.front().t;
    for (std::size_t k = 1; k < knots_.size(); ++k) {
        const Knot &a = knots_[k - 1], &b = knots_[k];
        const double length = b.t - a.t, slope = std::abs(b.value - a.value) / length;
        if (length <= gap(end_)) {
            if (slope <= least_slope) continue;
            is_apart = true;
            cut = b.t;
            if (!rows.empty() && rows.back().to == a.t) rows.back().is_cut = true;
            continue;
        }
        if (slope <= least_slope) continue;
        const Row row{a.t,
                      b.t,
                      std::min(a.value, b.value),
                      std::max(a.value, b.value),
                      slope,
                      std::abs(b.value - a.value),
                      std::abs(b.value - a.value) * slope,
                      a.t == cut};
        if (!is_apart && row.from - rows.back().to <= 0.5 * (rows.back().to - rows.back().from)) {
            Row& last = rows.back();
            last = {last.from,
                    row.to,
                    std::min(last.least, row.least),
                    std::max(last.greatest, row.greatest),
                    std::max(last.slope, row.slope),
                    last.change + row.change,
                    last.by_slope + row.by_slope,
                    last.is_cut};
        } else {
            rows.push_back(row);
        }
        is_apart = false;
    }
    for (const Row& row : rows) {
        const double length = row.to - row.from, rise = (row.greatest - row.least) / row.slope,
                     area = length * (row.greatest - row.least);
        if (row.is_cut || length > longest_pulse * end_ || row.slope < much_steeper * least_slope ||
            row.slope * row.change > most_uneven * row.by_slope)
            continue;
        Pulse pulse{row.from, row.to, rise};
        const auto edge = [&](double begin, double outwards) {
            const double last = begin + outwards * most_beside * length;
            for (double beside = 0.25; beside < most_beside; beside += 0.25) {
                const double t = begin + outwards * beside * length;
                if (!(last > 0 && last < end_)) return last;
                if (std::abs(value_(t) - value_(last)) * end_ <= part_outside * area) return t;
            }
            pulse.has_tails = true;
            return last;
        };
        pulse.from = edge(row.from, -1);
        pulse.to = edge(row.to, 1);
        if (pulse.to - pulse.from <= longest_pulse * end_) pulses_.push_back(pulse);
    }
}

// A step that ends in a pulse is no longer than those in it. Outside of one that has tails steps
// grow with the distance.
std::pair<double, bool> TimeTrace::step_of_pulses(double t, double part) const {
    double step = HUGE_VAL;
    bool is_inside = false;
    for (const Pulse& pulse : pulses_) {
        const double inside = std::max(part_of_rise * std::sqrt(part) * pulse.rise,
                                       (pulse.to - pulse.from) / most_in_pulse),
                     before = pulse.from - t, behind = t - pulse.to;
        is_inside |= before <= 0 && behind < 0;
        if (before > 0)
            step = std::min(step, std::max(pulse.has_tails ? growth * before : before, inside));
        else if (behind < 0)
            step = std::min(step, inside);
        else if (pulse.has_tails)
            step = std::min(step, std::max(growth * behind, inside));
    }
    return {step, is_inside};
}

}  // namespace solenoid
