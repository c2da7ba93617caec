// Sizes and positions of the entities of a mesh, in double precision.
#pragma once

#include <limits>

#include "mesh/mesh.hpp"

namespace solenoid {

struct Geometry {
    std::vector<double> cell_volume;  // [m^3], in 2D an area [m^2]
    std::vector<Vec3> cell_centroid;  // [m]
    std::vector<Vec3> face_area;      // normal times area [m^2], in 2D normal times length [m]
    // [m]; of a periodic mesh where the face's first cell sees it
    std::vector<Vec3> face_centroid;
};
Geometry geometry(const Mesh& mesh);

// x_f - x_c [m] of the cell's face opposite its node j; on a periodic mesh as the cell sees the
// face.
Vec3 face_offset(const Mesh& mesh, const Geometry& geometry, Index cell, int j);
// Centroids [m] of the two cells of a face as its first cell sees them; the face's own centroid
// where there is no cell. They may be subtracted from each other and from face_centroid.
std::array<Vec3, 2> centroids_beside(const Mesh& mesh, const Geometry& geometry, Index face);

// The box round all cells held, on a periodic mesh as the cells see their corners.
struct Bounds {
    Vec3 low{std::numeric_limits<double>::max()};
    Vec3 high{std::numeric_limits<double>::lowest()};
    void add(const Vec3& x);
};
Bounds bounds(const Mesh& mesh);

// S_j [m^2, in 2D m]: the outward area vector of the cell's face opposite its node j. sum_j S_j =
// 0, and the linear shape function of node j has the gradient -S_j / (dimension V).
Vec3 opposite_area(const Mesh& mesh, Index cell, int j);
double volume(const Mesh& mesh, Index cell);

// Quality of a cell, dimension x inradius / circumradius: 1 for the regular simplex, 0 for a flat
// one.
double quality(const Mesh& mesh, Index cell);
struct Quality {
    double least, mean;
    double smallest_volume, largest_volume;
    double shortest_edge, longest_edge;
};
Quality quality(const SimplexMesh& mesh);

}  // namespace solenoid
