// Meshes of points and cells alone: one region, no group.
#pragma once

#include <utility>
#include <vector>

#include "mesh/simplex_mesh.hpp"

namespace solenoid::test {

inline SimplexMesh simplices(int dimension, std::vector<Vec3> points, std::vector<Index> cells) {
    SimplexMesh mesh;
    mesh.dimension = dimension;
    mesh.points = std::move(points);
    mesh.cells = std::move(cells);
    mesh.cell_region.assign(mesh.cell_count(), 0);
    mesh.regions = {"all"};
    return mesh;
}

}  // namespace solenoid::test
