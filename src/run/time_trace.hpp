// A function of time represented by samples: values at knots, close enough that the function
// departs from the line between two neighbours by no more than a fraction of its range. A jump has
// two knots at a distance of rounding.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace solenoid {

// The range of a function, or of several that share it.
struct ValueRange {
    double least = 1e300, greatest = -1e300;
    double width() const { return greatest > least ? greatest - least : 0; }
};

class TimeTrace {
  public:
    // value: evaluates at a time from 0 to `end` [s]; may throw. cells: parts of equal length, each
    // sampled at its ends and at three times inside. range: grows with all samples; must outlive
    // this. most: approximate largest number of evaluations.
    TimeTrace(std::function<double(double)> value, double end, int cells, ValueRange& range,
              long most);

    // Sets the knots, once all functions of a range have been sampled.
    void refine();
    // The longest step from t, at most `wanted` [s], in which the function departs from the line
    // between its values at the step's ends by no more than `part` of its range, and the areas
    // below both differ by no more than a thousandth of the mean area of a swing.
    double longest_step(double t, double wanted, double part) const;
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

    std::vector<double> jumps() const;  // the middle of each pair of knots
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
    void measure();

    std::function<double(double)> value_;
    double end_;
    int cells_;
    ValueRange& range_;
    long most_, count_ = 0;
    std::vector<Knot> knots_;
    double swing_ = 0;  // mean area of a swing, from the middle value
};

}  // namespace solenoid
