// Intervals of numbers. An operation's result holds those of all numbers of its operands, and of
// the rounding of double precision.
#pragma once

#include <limits>

namespace solenoid {

// Closed; its ends may be infinite. Without any number where `least` is above `greatest`, or either
// is not a number: where an operation has no value.
struct Interval {
    double least = 0, greatest = 0;

    static Interval all() { return {-infinite, infinite}; }
    static Interval none() { return {infinite, -infinite}; }
    bool is_empty() const { return !(least <= greatest); }
    bool is_point() const { return least == greatest; }
    bool holds(double value) const { return least <= value && value <= greatest; }
    double size() const;  // the largest magnitude

    static constexpr double infinite = std::numeric_limits<double>::infinity();
};

Interval operator-(const Interval& a);
Interval operator+(const Interval& a, const Interval& b);
Interval operator-(const Interval& a, const Interval& b);
Interval operator*(const Interval& a, const Interval& b);  // 0 times infinite is 0
Interval operator*(double a, const Interval& b);
Interval inverse(const Interval& a);  // 1/a
Interval square(const Interval& a);
Interval power(const Interval& a, int exponent);              // not negative
Interval power(const Interval& a, const Interval& exponent);  // of what is not negative in `a`
Interval hull(const Interval& a, const Interval& b);          // holds both
Interval clipped(const Interval& a, double least, double greatest);  // what both hold

// A function that rises, or one that falls, from its values at the ends.
Interval rising(double (*function)(double), const Interval& a);
Interval falling(double (*function)(double), const Interval& a);
Interval sine(const Interval& a);
Interval cosine(const Interval& a);

}  // namespace solenoid
