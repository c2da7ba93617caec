// The axes of points, so that thin cells can be seen in their own units.
#pragma once

#include <vector>

#include "mesh/mesh.hpp"

namespace solenoid {

struct PrincipalAxis {
    Vec3 direction;
    double size;  // root mean square of the points along it
};

// Of points about the origin, orthonormal, the longest first; without those along which the points
// are zero but for rounding. dimension: of the points.
std::vector<PrincipalAxis> principal_axes(const std::vector<Vec3>& points, int dimension);

// From a node, the corners of the cells [begin, end) round it: they span all directions.
std::vector<Vec3> corners_round(const Mesh& mesh, Index node, const Index* begin, const Index* end);

}  // namespace solenoid
