// The derivative along a boundary's normal from a value on it and values inside.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace solenoid {

// du/dn = (u_face - sum of weights u_point) / distance: the sum of the weights is 1, the distance
// [m] theirs from the face, along the normal.
struct NormalSlope {
    double distance;
    std::vector<double> weights;
};

// Of the linear function with the face's value that fits the points' best, by least squares with
// the inverse square of their distance: exact for linear u, error of the first order in the points'
// distance, of the second as the derivative half way to the mean. normal: outward. Where the points
// do not tell, that of `nearest` alone counts.
NormalSlope normal_slope(const Vec3& centre, const Vec3& normal, const std::vector<Vec3>& points,
                         std::size_t nearest, int dimension);

}  // namespace solenoid
