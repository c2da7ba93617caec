#include "core/time_parts.hpp"

#include <cmath>

namespace solenoid {

std::vector<TimePoint> quadrature(const TimeParts& parts, double from, double to) {
    const double reach = 0.5 / std::sqrt(3.0);
    std::vector<TimePoint> points;
    for (const double end : parts(from, to)) {
        const double span = end - from, middle = from + 0.5 * span;
        points.push_back({middle - reach * span, 0.5 * span});
        points.push_back({middle + reach * span, 0.5 * span});
        from = end;
    }
    return points;
}

}  // namespace solenoid
