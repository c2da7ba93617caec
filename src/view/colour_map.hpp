// viridis (S. van der Walt, N. Smith): perceptually uniform, readable in grey and to the
// colour-blind.
#pragma once

#include <array>
#include <cstdint>
#include <glm/vec3.hpp>

namespace solenoid {

using Colour = glm::dvec3;  // sRGB, each in [0, 1]

// The colour at t in [0, 1], clamped.
Colour colour_of(double t);

inline constexpr int colour_steps = 256;
// colours at t = i / 255, opaque
std::array<std::array<std::uint8_t, 4>, colour_steps> colour_table();

inline constexpr Colour invalid_colour{
    0.93, 0.0, 0.75};  // of values that are not finite: magenta, not in the map

}  // namespace solenoid
