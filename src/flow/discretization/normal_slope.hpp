// The normal derivative at a boundary from a value on it and values inside.
#pragma once

#include <vector>

#include "core/types.hpp"

namespace solenoid {

// du/dn = (u_face - sum of weights u_point) / distance. The weights add up to 1; distance [m] is
// that of the weighted mean point from the face, along the normal.
struct NormalSlope {
    double distance;
    std::vector<double> weights;
};

// The slope of the linear function with the face's value that fits the points by least squares with
// inverse-square weights: exact for linear u; the error is of first order at the face, of second
// order half way to the mean point. normal: outward. Where the points do not determine the fit,
// point `nearest` alone is used.
NormalSlope normal_slope(const Vec3& centre, const Vec3& normal, const std::vector<Vec3>& points,
                         std::size_t nearest, int dimension);

}  // namespace solenoid
