// The area of a face [m^2], in 2D its length [m], as the first of its cells sees it.
#pragma once

#include <glm/geometric.hpp>

#include "mesh/mesh.hpp"

namespace solenoid {

inline double face_size(const Mesh& mesh, Index face) {
    const auto x = mesh.face_corners(face);
    if (mesh.dimension == 2) return glm::length(x[1] - x[0]);
    return 0.5 * glm::length(glm::cross(x[1] - x[0], x[2] - x[0]));
}

}  // namespace solenoid
