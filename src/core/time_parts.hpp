// Integrals over a step in time of data given as formulas of t.
#pragma once

#include <functional>
#include <vector>

namespace solenoid {

// The ends [s] of the parts of [from, to] in each of which all integrands are nearly linear; the
// last is `to`.
using TimeParts = std::function<std::vector<double>(double from, double to)>;

struct TimePoint {
    double t, weight;  // time and weight [s]
};
// Points and weights of Gauss' two-point rule in each part: exact for cubics and for functions that
// are linear in each part.
std::vector<TimePoint> quadrature(const TimeParts& parts, double from, double to);

}  // namespace solenoid
