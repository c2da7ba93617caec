// The colour map viridis (S. van der Walt, N. Smith): perceptually uniform, readable in grey and
// with colour blindness.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>

namespace solenoid {

using Colour = glm::dvec3;  // sRGB, each component in [0, 1]

// The colour at t, clamped to [0, 1].
Colour colour_of(double t);

inline constexpr int colour_steps = 256;
// The colours at t = i / 255, opaque.
std::array<std::array<std::uint8_t, 4>, colour_steps> colour_table();

// The colour of values that are not finite: magenta, which the map does not contain.
inline constexpr Colour invalid_colour{0.93, 0.0, 0.75};

}  // namespace solenoid
