// The plane waves that a sea is a sum of: regular and irregular.
#pragma once

#include <cstdint>
#include <vector>

namespace solenoid {

// Elevation amplitude cos(frequency t - k . x + phase).
struct WaveComponent {
    double amplitude = 0;  // [m]
    double frequency = 0;  // [rad/s]
    double direction = 0;  // of travel, from the x-axis to the y-axis [rad]
    double phase = 0;      // [rad]
};

// One component. Throws InputError where the amplitude is negative or the period not above 0.
std::vector<WaveComponent> regular_waves(double amplitude, double period, double direction = 0);

// JONSWAP's spectrum, f^-5 exp(-5/4 (f_p / f)^4) peakedness^exp(-(f / f_p - 1)^2 / (2 sigma^2)),
// sigma = 0.07 below the peak, 0.09 above, cut off at 0.5 and 2.5 times the peak's frequency: equal
// bands of frequency with one component each at random in it, with random phases; amplitudes are
// scaled to the significant height. Directions are drawn from cos^(2 spreading) about the mean one.
struct IrregularSea {
    double significant_height = 0;  // four times the standard deviation of the elevation [m]
    double peak_period = 0;         // [s]
    double peakedness = 3.3;        // gamma, 1 (Pierson-Moskowitz) to 10
    double direction = 0;           // [rad]
    double spreading = 0;           // 0: all in the mean direction
    int components = 64;
    std::uint64_t seed = 1;  // the same seed, the same sea, on every machine
};
// Throws InputError where a setting is outside its range.
std::vector<WaveComponent> irregular_waves(const IrregularSea& sea);

// 4 sqrt(sum of amplitude^2 / 2).
double significant_height(const std::vector<WaveComponent>& components);

}  // namespace solenoid
