// Meshes of unit squares or cubes, and groups of their faces.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "mesh/mesh.hpp"
#include "support/simplices.hpp"

namespace solenoid::test {

// Unit squares or cubes, so many a direction, each of 2 triangles or 6 tets along its diagonal from
// low to high; no groups. kept: by the square's least corner.
inline SimplexMesh grid(int dimension, const std::array<Index, 3>& n,
                        const std::function<bool(const Vec3&)>& kept = {}) {
    const Index levels = dimension == 3 ? n[2] + 1 : 1;
    const std::array<Index, 3> step{1, n[0] + 1, (n[0] + 1) * (n[1] + 1)};
    std::vector<Index> cells;
    for (Index k = 0; k < (dimension == 3 ? n[2] : 1); ++k)
        for (Index j = 0; j < n[1]; ++j)
            for (Index i = 0; i < n[0]; ++i) {
                if (kept && !kept(Vec3(i, j, k))) continue;
                std::array<int, 3> axes{0, 1, 2};
                do {
                    std::vector<Index> path{i + j * step[1] + k * step[2]};
                    for (int a = 0; a < dimension; ++a) path.push_back(path.back() + step[axes[a]]);
                    const bool is_odd =
                        dimension == 2
                            ? axes[0] > axes[1]
                            : (axes[0] > axes[1]) != ((axes[1] > axes[2]) != (axes[0] > axes[2]));
                    if (is_odd) std::swap(path[1], path[2]);
                    cells.insert(cells.end(), path.begin(), path.end());
                } while (std::next_permutation(axes.begin(), axes.begin() + dimension));
            }
    std::vector<Index> number(step[2] * levels, none);  // of the points that cells have
    for (const Index node : cells) number[node] = 0;
    std::vector<Vec3> points;
    for (Index node = 0; node < number.size(); ++node) {
        if (number[node] == none) continue;
        number[node] = static_cast<Index>(points.size());
        points.push_back(Vec3(node % step[1], node / step[1] % (n[1] + 1), node / step[2]));
    }
    for (Index& node : cells) node = number[node];
    return simplices(dimension, std::move(points), std::move(cells));
}
inline SimplexMesh grid(int dimension, Index n) { return grid(dimension, {n, n, n}); }

// Puts faces into a group.
inline SimplexMesh with_group(SimplexMesh mesh, const char* name,
                              const std::function<bool(const Mesh&, Index)>& has) {
    const Mesh built = build_mesh(whole(SimplexMesh(mesh)));
    mesh.boundaries.push_back(name);
    for (Index f = 0; f < built.faces(); ++f) {
        if (!has(built, f)) continue;
        mesh.sides.insert(mesh.sides.end(), built.nodes_of(Kind::face, f),
                          built.nodes_of(Kind::face, f) + mesh.dimension);
        mesh.side_group.push_back(static_cast<std::uint16_t>(mesh.boundaries.size() - 1));
    }
    return mesh;
}
}  // namespace solenoid::test
