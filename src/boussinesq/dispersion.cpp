#include "boussinesq/dispersion.hpp"

#include <cmath>

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

}  // namespace solenoid
