// The integral over a step in time of what is given as formulas of t.
#pragma once

#include <functional>
#include <vector>

namespace solenoid {

// Ends of the parts of a span of time in each of which all that is to be integrated is nearly
// linear; the last is `to` [s].
using TimeParts = std::function<std::vector<double>(double from, double to)>;

struct TimePoint {
    double t, weight;  // [s]
};
// Gauss' rule of two points in each part: exact for cubics, and for what is linear in the parts.
std::vector<TimePoint> quadrature(const TimeParts& parts, double from, double to);

}  // namespace solenoid
