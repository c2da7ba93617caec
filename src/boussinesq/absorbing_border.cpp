#include "boussinesq/absorbing_border.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace solenoid {

BoussinesqSettings::Field border_damping(const BoussinesqSettings& grid,
                                         const AbsorbingBorder& border) {
    const auto check = [](const char* what, double value, bool is_good, const char* wanted) {
        if (!std::isfinite(value) || !is_good)
            throw InputError(fmt::format("the {} of an absorbing border is {:g}: it must be {}",
                                         what, value, wanted));
    };
    check("width", border.width, border.width > 0, "above 0 [m]");
    check("frequency", border.frequency, border.frequency >= 0, "not negative [rad/s]");
    check("strength", border.strength, border.strength >= 0, "not negative");
    const double west = grid.x - grid.dx / 2, south = grid.y - grid.dy / 2,
                 east = west + grid.nx * grid.dx, north = south + grid.ny * grid.dy;
    return [=](double x, double y) {
        double s = 0;
        for (const GridSide side : border.sides) {
            const double inward = side == GridSide::west    ? x - west
                                  : side == GridSide::east  ? east - x
                                  : side == GridSide::south ? y - south
                                                            : north - y;
            s = std::max(s, 1 - inward / border.width);
        }
        return border.strength * border.frequency * s * s;
    };
}

}  // namespace solenoid
