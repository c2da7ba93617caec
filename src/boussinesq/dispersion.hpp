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
// The same of a wave on a current whose component along it is `current` [m/s]; frequency: seen from
// the ground, omega + k current. Not a number where the current is against the wave and lets none
// of this frequency pass.
double wave_number_on_current(double frequency, double depth, double gravity, double current);

}  // namespace solenoid
