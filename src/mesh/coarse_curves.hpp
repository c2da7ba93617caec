// Which faces of a boundary form one smooth surface, and curves that a mesh does not resolve.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mesh/geometry.hpp"
#include "mesh/mesh.hpp"

namespace solenoid {

// How two faces that touch meet, by the angle between their outward normals: up to 20 degrees as
// parts of one surface, beyond 45 degrees at an edge. In between it is either an edge or a curve
// that the mesh does not resolve.
enum class FacesMeet { smoothly, unresolved, at_an_edge };
FacesMeet how_faces_meet(const Vec3& normal, const Vec3& other);  // both of length 1

// Of a group how many of the first `faces` of the mesh, and how many of these lie on a curve that
// the mesh does not resolve: on both sides of them are faces of the group that meet them so.
struct CoarseCurve {
    std::size_t coarse = 0, faces = 0;
};
CoarseCurve coarse_curve(const Mesh& mesh, const Geometry& geometry, const std::string& boundary,
                         Index faces);

}  // namespace solenoid
