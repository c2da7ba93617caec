// A function of time as samples show it: values at knots, so close that it departs by no more than
// a part of its range from the line between two neighbours. Where it jumps, two knots lie a
// rounding apart.
#pragma once

#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace solenoid {

// Of a function, or of those that share a range.
struct ValueRange {
    double least = 1e300, greatest = -1e300;
    double width() const { return greatest > least ? greatest - least : 0; }
};

class TimeTrace {
  public:
    // value: at a time from 0 to end [s]; may throw. cells: parts of equal length, each sampled at
    // its ends and three times between. range: grows with all that is seen; must outlive this.
    // most: evaluations, at most about so many.
    TimeTrace(std::function<double(double)> value, double end, int cells, ValueRange& range,
              long most);

    // Sets the knots, after all that share a range have been made.
    void refine();
    // The longest step from t, of `wanted` at most, in which the function departs by no more than
    // `part` of its range from the line between the values at the step's ends, and the areas under
    // both by no more than a thousandth of that of a swing in the mean [s].
    double longest_step(double t, double wanted, double part) const;
    // Samples it between t and t + span, and sets knots where it is not what the knots tell. The
    // largest departure [of the range].
    double observe(double t, double span);

    std::vector<double> jumps() const;  // middles of the pairs of knots
    // Turns between changes of a tenth of the range or more: how many, and the shortest time
    // between two [s], none: infinite.
    struct Swings {
        long count = 0;
        double shortest = HUGE_VAL;
    };
    Swings swings() const;
    // Where it is least and greatest, and the values.
    struct Extreme {
        double t, value;
    };
    std::array<Extreme, 2> extremes() const;
    bool is_whole() const { return count_ < most_; }  // else there were too many knots to set
    // the distance of the two knots of a jump, at most [s]
    static double gap(double end);

  private:
    struct Knot {
        double t, value, area = 0;  // from 0 to t, under the lines
    };
    double at(double t);
    double told(double t) const;  // by the knots
    double area(double t) const;  // likewise, from 0
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
    double swing_ = 0;  // the mean area of one, from the value in the middle of all
};

}  // namespace solenoid
