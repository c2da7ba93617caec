// Sizes and positions of a mesh's entities, in double.
#pragma once

#include <limits>

#include "mesh/mesh.hpp"

namespace solenoid {

struct Geometry {
    std::vector<double> cell_volume;  // [m^3], in 2D an area [m^2]
    std::vector<Vec3> cell_centroid;  // [m]
    std::vector<Vec3> face_area;      // normal times area [m^2], in 2D normal times length [m]
    // [m]; of a periodic mesh, where the face's first cell sees it
    std::vector<Vec3> face_centroid;
};
Geometry geometry(const Mesh& mesh);

// x_f - x_c of the cell's face opposite its node j, across a periodic pair too.
Vec3 face_offset(const Mesh& mesh, const Geometry& geometry, Index cell, int j);
// Centroids of the cells on both sides of a face as its first cell sees them, the face's own where
// there is no cell: with face_centroid, positions that can be subtracted.
std::array<Vec3, 2> centroids_beside(const Mesh& mesh, const Geometry& geometry, Index face);

// The box round all cells held, as they see their corners.
struct Bounds {
    Vec3 low{std::numeric_limits<double>::max()};
    Vec3 high{std::numeric_limits<double>::lowest()};
    void add(const Vec3& x);
};
Bounds bounds(const Mesh& mesh);

// The outward area vector of the cell's face opposite its node j: S_j. Sum_j S_j = 0; the gradient
// of the linear shape function of node j is -S_j / (dimension V).
Vec3 opposite_area(const Mesh& mesh, Index cell, int j);
double volume(const Mesh& mesh, Index cell);

// Quality of a cell: 1 for the regular simplex, 0 for a flat one (dimension x inradius /
// circumradius).
double quality(const Mesh& mesh, Index cell);
struct Quality {
    double least, mean;
    double smallest_volume, largest_volume;
    double shortest_edge, longest_edge;
};
Quality quality(const SimplexMesh& mesh);

}  // namespace solenoid
