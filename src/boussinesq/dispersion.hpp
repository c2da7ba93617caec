// Plane waves of the linear variational Boussinesq model over a flat bottom, parabolic profile:
//   omega^2 = g k^2 h (1 + (k h)^2 / 15) / (1 + 2 (k h)^2 / 5)
#pragma once

namespace solenoid {

// [rad/s]; k [1/m] not negative, depth [m] positive.
double wave_frequency(double k, double depth, double gravity);
// d omega / d k [m/s]; k positive.
double group_velocity(double k, double depth, double gravity);
// The wave number of a frequency [rad/s], not negative.
double wave_number(double frequency, double depth, double gravity);

}  // namespace solenoid
