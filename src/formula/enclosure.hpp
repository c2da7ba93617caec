// Where the values, slopes and curvatures of a function of time lie during an interval of time.
#pragma once

#include "formula/interval.hpp"

namespace solenoid {

// slope: every quotient of differences within the interval; all numbers where the function may
// jump. curvature: every second derivative; all numbers where the slope may jump.
struct Enclosure {
    Interval value, slope, curvature;
    // There may be no value at some times; some functions have one all the same: 1^x, min(x, 2).
    bool is_partial = false;

    static Enclosure constant(double value) { return {{value, value}, {0, 0}, {0, 0}}; }
    // That may have any of the values and jump between them.
    static Enclosure jumping(const Interval& values);
    static Enclosure none() { return {Interval::none(), Interval::all(), Interval::all(), true}; }
    bool is_empty() const { return value.is_empty(); }
    // By how much the function may leave the straight line between its values at both ends of an
    // interval of length h, if these lie between `least` and `greatest`.
    double departure(double h, double least, double greatest) const;
};

Enclosure operator-(const Enclosure& a);
Enclosure operator+(const Enclosure& a, const Enclosure& b);
Enclosure operator-(const Enclosure& a, const Enclosure& b);
Enclosure operator*(const Enclosure& a, const Enclosure& b);
// g(a): the values, first and second derivatives of g at those of `a`.
Enclosure chain(const Enclosure& a, const Interval& g, const Interval& first,
                const Interval& second);
Enclosure inverse(const Enclosure& a);
Enclosure absolute(const Enclosure& a);
Enclosure larger(const Enclosure& a, const Enclosure& b);

}  // namespace solenoid
