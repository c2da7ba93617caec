#include "boussinesq/dispersion.hpp"

#include <cmath>
#include <limits>

namespace solenoid {

double wave_frequency(double k, double depth, double gravity) {
    const double q = k * depth * k * depth;
    return k * std::sqrt(gravity * depth * (1 + q / 15) / (1 + 0.4 * q));
}

double group_velocity(double k, double depth, double gravity) {
    const double q = k * depth * k * depth;
    return wave_frequency(k, depth, gravity) / k *
           (1 + q / 15 / (1 + q / 15) - 0.4 * q / (1 + 0.4 * q));
}

double wave_number(double frequency, double depth, double gravity) {
    // q^2 / 15 + (1 - 2 w / 5) q - w = 0, q = (k h)^2, w = omega^2 h / g: the positive root
    const double w = frequency * frequency * depth / gravity, b = 1 - 0.4 * w,
                 root = std::sqrt(b * b + 4 * w / 15);
    const double q = b > 0 ? 2 * w / (b + root) : 7.5 * (root - b);
    return std::sqrt(q) / depth;
}

double wave_number_on_current(double frequency, double depth, double gravity, double current) {
    const auto excess = [&](double k) {
        return wave_frequency(k, depth, gravity) + k * current - frequency;
    };
    if (current == 0) return wave_number(frequency, depth, gravity);
    double low = 0, high = wave_number(frequency, depth, gravity);
    if (current < 0) {
        // The group velocity falls up to k h = 3.66: so does the slope of the excess, and the least
        // frequency that the current stops is where it is 0.
        constexpr double slowest = 3.66;
        double top = slowest / depth;
        if (group_velocity(top, depth, gravity) + current < 0) {
            double rising = 0;
            for (int n = 0; n < 100; ++n) {
                const double middle = (rising + top) / 2;
                (group_velocity(middle, depth, gravity) + current > 0 ? rising : top) = middle;
            }
            if (excess(rising) < 0) return std::numeric_limits<double>::quiet_NaN();
            high = rising;
        } else {
            while (excess(high) < 0) high *= 2;
        }
    }
    for (int n = 0; n < 100; ++n) {
        const double middle = (low + high) / 2;
        (excess(middle) < 0 ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace solenoid
