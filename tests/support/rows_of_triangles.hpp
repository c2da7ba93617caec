// Triangles in layers of given heights.
#pragma once

#include <vector>

#include "mesh/simplex_mesh.hpp"

namespace solenoid::test {

// n columns and rows of the heights, two triangles each, at place(column, y); whether the last
// column meets the first. Boundaries "low" and "high", at both ends "ends".
template <class Place>
SimplexMesh rows_of_triangles(int n, const std::vector<double>& heights, bool is_closed,
                              const Place& place) {
    SimplexMesh mesh;
    mesh.dimension = 2;
    const int columns = is_closed ? n : n + 1;
    double y = 0;
    for (std::size_t j = 0; j <= heights.size(); ++j) {
        for (int i = 0; i < columns; ++i) mesh.points.push_back(place(double(i), y));
        if (j < heights.size()) y += heights[j];
    }
    const auto node = [&](int i, std::size_t j) { return Index(j * columns + i % columns); };
    for (std::size_t j = 0; j < heights.size(); ++j)
        for (int i = 0; i < n; ++i) {
            const Index a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
                        d = node(i, j + 1);
            mesh.cells.insert(mesh.cells.end(), {a, b, c, a, c, d});
        }
    mesh.cell_region.assign(mesh.cell_count(), 0);
    mesh.regions = {"all"};
    mesh.boundaries = {"low", "high", "ends"};
    for (int i = 0; i < n; ++i) {
        mesh.sides.insert(mesh.sides.end(), {node(i, 0), node(i + 1, 0)});
        mesh.sides.insert(mesh.sides.end(), {node(i, heights.size()), node(i + 1, heights.size())});
        mesh.side_group.insert(mesh.side_group.end(), {0, 1});
    }
    for (std::size_t j = 0; j < heights.size() && !is_closed; ++j)
        for (const int i : {0, n}) {
            mesh.sides.insert(mesh.sides.end(), {node(i, j), node(i, j + 1)});
            mesh.side_group.push_back(2);
        }
    check_and_repair(mesh, "rows");
    return mesh;
}

}  // namespace solenoid::test
