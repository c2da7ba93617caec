// Bodies that a physics has on a plane mesh, such as ships: drawn in pictures and in the window.
#pragma once

#include <array>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

struct Marker {
    using Polygon = std::vector<std::array<double, 2>>;

    Vec3 position{0};                 // [m], of its middle; z does not count: it floats
    double heading = 0;               // [rad], from x towards y
    double length = 1, width = 0.25;  // [m]
    // In parts of the length, forward, and of the width, to the left: from -1/2 to 1/2. Each is
    // counter-clockwise and seen whole from the mean of its corners. Empty: a ship's hull.
    std::vector<Polygon> polygons = {};
};

}  // namespace solenoid
