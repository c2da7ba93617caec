#include "formula/enclosure.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// Also where values grow beyond all numbers: infinite ones may make none.
bool may_lack(const Enclosure& a) { return a.is_partial || !(a.value.size() < Interval::infinite); }

}  // namespace

Enclosure Enclosure::jumping(const Interval& values) {
    if (values.is_point()) return constant(values.least);
    return {values, Interval::all(), Interval::all()};
}

double Enclosure::departure(double h, double least, double greatest) const {
    if (is_empty()) return Interval::infinite;
    double departure = std::max({0.0, value.greatest - least, greatest - value.least});
    if (std::isnan(departure)) return Interval::infinite;
    // of slopes between two bounds, and of a curvature
    const double by_slope = 0.25 * h * (slope.greatest - slope.least),
                 by_curvature = 0.125 * h * h * curvature.size();
    if (by_slope < departure) departure = by_slope;
    if (by_curvature < departure) departure = by_curvature;
    return departure;
}

Enclosure operator-(const Enclosure& a) { return {-a.value, -a.slope, -a.curvature, a.is_partial}; }

Enclosure operator+(const Enclosure& a, const Enclosure& b) {
    if (a.is_empty() || b.is_empty()) return Enclosure::none();
    return {a.value + b.value, a.slope + b.slope, a.curvature + b.curvature,
            may_lack(a) || may_lack(b)};
}

Enclosure operator-(const Enclosure& a, const Enclosure& b) { return a + -b; }

Enclosure operator*(const Enclosure& a, const Enclosure& b) {
    if (a.is_empty() || b.is_empty()) return Enclosure::none();
    return {a.value * b.value, a.slope * b.value + a.value * b.slope,
            a.curvature * b.value + 2.0 * (a.slope * b.slope) + a.value * b.curvature,
            may_lack(a) || may_lack(b)};
}

Enclosure chain(const Enclosure& a, const Interval& g, const Interval& first,
                const Interval& second) {
    if (a.is_empty() || g.is_empty()) return Enclosure::none();
    const Interval g1 = first.is_empty() ? Interval::all() : first,
                   g2 = second.is_empty() ? Interval::all() : second;
    return {g, g1 * a.slope, g2 * square(a.slope) + g1 * a.curvature, may_lack(a)};
}

Enclosure inverse(const Enclosure& a) {
    if (a.is_empty()) return Enclosure::none();
    const Interval value = inverse(a.value);
    if (value.least == -Interval::infinite && value.greatest == Interval::infinite)
        return {value, value, value, true};
    return chain(a, value, -square(value), 2.0 * (value * square(value)));
}

Enclosure absolute(const Enclosure& a) {
    if (a.is_empty()) return a;
    if (a.value.least >= 0) return a;
    if (a.value.greatest <= 0) return -a;
    return {{0, a.value.size()}, hull(a.slope, -a.slope), Interval::all(), a.is_partial};
}

Enclosure larger(const Enclosure& a, const Enclosure& b) {
    if (a.is_partial || b.is_partial) {
        Enclosure either = Enclosure::jumping(hull(a.value, b.value));
        either.is_partial = true;
        return either;
    }
    if (a.value.least >= b.value.greatest) return a;
    if (b.value.least >= a.value.greatest) return b;
    return {{std::max(a.value.least, b.value.least), std::max(a.value.greatest, b.value.greatest)},
            hull(a.slope, b.slope),
            Interval::all()};
}

}  // namespace solenoid
