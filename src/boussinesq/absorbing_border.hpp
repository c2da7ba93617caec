// Borders of a grid in which waves die out, so that little of them comes back (docs/boussinesq.md).
#pragma once

#include <vector>

#include "boussinesq/boussinesq_model.hpp"
#include "grid/grid_layout.hpp"

namespace solenoid {

// The damping is strength times the frequency times s^2, where s goes from 0 at the inner edge of
// the border to 1 at the side of the grid. A border one wavelength wide and of strength 1 returns
// at most 2 % of the amplitude of the waves of its frequency for k h from 0.3 to 3.
struct AbsorbingBorder {
    std::vector<GridSide> sides;
    double width = 0;      // [m]
    double frequency = 0;  // of the waves to absorb [rad/s]
    double strength = 1;
};

// BoussinesqSettings::damping of a border [1/s]; the sides of the grid are half a distance of nodes
// outside the outermost nodes. Throws InputError where the width is not above 0, the frequency or
// the strength is negative, or one is not finite.
BoussinesqSettings::Field border_damping(const BoussinesqSettings& grid,
                                         const AbsorbingBorder& border);

}  // namespace solenoid
