// A function of time represented by samples: values at knots, close enough that the function
// departs from the line between two neighbours by no more than a fraction of its range. A jump has
// two knots at a distance of rounding. Where the function's operations are known, bounds of its
// values say whether something hides between the knots.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace solenoid {

class FormulaTree;

// The range of a function, or of several that share it.
struct ValueRange {
    double least = 1e300, greatest = -1e300;
    double width() const { return greatest > least ? greatest - least : 0; }
};

class TimeTrace {
  public:
    // value: evaluates at a time from 0 to `end` [s]; may throw. cells: parts of equal length, each
    // sampled at its ends and at three times inside. range: grows with all samples; must outlive
    // this. most: approximate largest number of evaluations. tree: the function's operations; null
    // where they are not known.
    TimeTrace(std::function<double(double)> value, double end, int cells, ValueRange& range,
              long most, std::shared_ptr<const FormulaTree> tree = nullptr);

    // Sets the knots, once all functions of a range have been sampled.
    void refine();
    // Then: adds knots wherever the bounds of the function during a time allow for a change that
    // the knots do not show, and there is one. operations: the most that may be spent on bounds.
    void find_hidden(long operations);
    // What find_hidden() could not exclude: the largest departure from the lines between knots,
    // relative to the range, within times of this length [s]; none where all is bounded.
    struct Unbounded {
        double departure = 0, length = 0;
    };
    const Unbounded& unbounded() const { return unbounded_; }
    // The longest step from t, at most `wanted` [s], in which the function departs from the line
    // between its values at the step's ends by no more than `part` of its range, and the areas
    // below both differ by no more than a thousandth of the mean area of a swing. in_pulses: during
    // a short smooth pulse steps are alike instead, such that its top departs by about a quarter of
    // this part, and the sum over steps has the pulse's area; 0: they are as elsewhere.
    double longest_step(double t, double wanted, double part, double in_pulses = 0) const;
    // Samples the function between t and t + span, and adds knots where it departs from the present
    // ones. Returns the largest departure relative to the range.
    double observe(double t, double span);

    // The samples as numbers, appended; and taken from the front of a list, whose range is set
    // before.
    void pack_to(std::vector<double>& numbers) const;
    void unpack_from(std::span<const double>& numbers);
    // Whether a list of finite numbers begins with samples of any function up to any end; takes
    // them from its front.
    static bool is_sound(std::span<const double>& numbers);
    // The same of samples from 0 to this end.
    bool passes(std::span<const double>& numbers) const;

    // The last time with the value before a jump, and the first with that after it.
    struct Jump {
        double before, after;
    };
    std::vector<Jump> jumps() const;
    // Short and smooth: from `from` to `to`, with a rise that would take so long at its largest
    // slope [s].
    struct Pulse {
        double from, to, rise;
        bool has_tails = false;  // slow ones, outside
    };
    const std::vector<Pulse>& pulses() const { return pulses_; }
    // Swings: turning points between changes of at least a tenth of the range. count: their number;
    // shortest: the shortest time between two [s], infinite without any.
    struct Swings {
        long count = 0;
        double shortest = HUGE_VAL;
    };
    Swings swings() const;
    // The times and values of the least and the greatest value.
    struct Extreme {
        double t, value;
    };
    std::array<Extreme, 2> extremes() const;
    // The time from which on the function departs from its value at the end by no more than from
    // the line between knots; infinite where that is the last thousandth of the time.
    double last_change() const;
    bool is_whole() const { return count_ < most_; }  // false: the limit of evaluations was reached
    // The largest distance of the two knots of a jump [s].
    static double gap(double end);

  private:
    struct Knot {
        double t, value, area = 0;  // area: below the lines, from 0 to t
    };
    double at(double t);
    double told(double t) const;  // interpolated from the knots
    double area(double t) const;  // from 0 to t, by the knots
    bool is_straight(const Knot& from, const Knot& to);
    void bisect(const Knot& from, const Knot& to, std::vector<Knot>& knots);
    double tolerance() const;
    double hidden_tolerance() const;
    double hidden_departure(double from, double to);
    void insert(double from, double middle, double to);
    bool is_jump(const Knot& from, const Knot& to) const;
    void sharpen_jumps();
    void measure();
    void find_pulses();
    // The longest step by the pulses, and whether t is in one.
    std::pair<double, bool> step_of_pulses(double t, double part) const;

    std::function<double(double)> value_;
    double end_;
    int cells_;
    ValueRange& range_;
    long most_, count_ = 0;
    std::vector<Knot> knots_;
    double swing_ = 0;  // mean area of a swing, from the middle value
    std::shared_ptr<const FormulaTree> tree_;
    long operations_ = 0;  // spent on bounds
    Unbounded unbounded_;
    std::vector<Pulse> pulses_;
};

}  // namespace solenoid
