// Spheres under mean curvature flow.
#pragma once

#include "surface/flow/mean_curvature_flow.hpp"
#include "surface/sample_surfaces.hpp"

namespace solenoid::test {

inline double mean_radius(const std::vector<Vec3>& points) {
    double sum = 0;
    for (const Vec3& p : points) sum += glm::length(p);
    return sum / double(points.size());
}

// The radius after a flow of a unit sphere.
inline double radius_after(Device& device, const TriangleSurface& sphere, double time, int steps) {
    const CheckedSurface checked = check_surface(sphere, "sample");
    const auto flow = make_flow(device, checked, {});
    for (int k = 0; k < steps; ++k) flow->step(time / steps);
    return mean_radius(flow->points());
}

}  // namespace solenoid::test
