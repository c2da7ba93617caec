#include "run/time_step.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {

double StepControl::next(double step, double error) {
    if (std::isnan(error)) return 0.2 * step;
    if (error <= 0) return 4 * step;
    return step * std::clamp(0.9 * std::pow(error, -1.0 / 3.0), 0.2, 4.0);
}

double fitted_step(double time, double step, double target) {
    const double left = target - time;
    if (step >= left * (1 - 1e-9)) return left;
    return step > 0.5 * left ? 0.5 * left : step;
}

}  // namespace solenoid
