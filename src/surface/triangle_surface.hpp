// A surface of triangles in space, as a file has it.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

struct TriangleSurface {
    std::vector<Vec3> points;  // in the file's unit of length
    std::vector<std::array<Index, 3>> triangles;
    std::string left_out = {};  // what its file has beside these, for messages; mostly empty
};

// The area [length^2], and the volume between the triangles and the origin, positive where a closed
// surface's normals point outward [length^3].
double area_of(const TriangleSurface& surface);
double volume_of(const TriangleSurface& surface);

// 4 sqrt(3) area / (sum of the sides' squares): 1 where the sides are equal, 0 without an area.
double shape_of(const Vec3& a, const Vec3& b, const Vec3& c);

// "triangle 3 with its centroid at (0, 0, 1)"; messages count from 1.
std::string triangle_text(const TriangleSurface& surface, Index triangle);

// Of points at the same place one: the first. What a file without shared points needs.
void merge_equal_points(TriangleSurface& surface);

// The sum of the principal curvatures at each point, positive where the normals point outward of a
// convex body [1/length]; on borders 0. For pictures; the flow computes its own on the device.
std::vector<double> curvatures_of(const TriangleSurface& surface);

// Of a unit sphere: the sides of an icosahedron cut into `parts` >= 1 parts each, 20 parts^2
// triangles.
TriangleSurface sphere_surface(int parts);

}  // namespace solenoid
