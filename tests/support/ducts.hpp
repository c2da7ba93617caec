// Ducts with bodies in them, of squares or cubes cut into simplices.
#pragma once

#include <cmath>

#include "support/grids.hpp"

namespace solenoid::test {

// A box 2 m long, 1 m high (and wide), without the cubes that `kept` refuses by their least corner:
// a body off the middle, or a step on the floor. Its ends are "xmin" and "xmax", its floor "floor",
// all else "wall", its surfaces within "body". Cells of 1/n.
inline SimplexMesh duct(int dimension, Index n, const std::function<bool(const Vec3&)>& kept) {
    SimplexMesh mesh = grid(dimension, {2 * n, n, n}, kept);
    for (Vec3& x : mesh.points) x /= n;
    const auto lies = [](const Mesh& m, Index f, int axis, double at) {
        for (int j = 0; j < m.dimension; ++j)
            if (std::abs(m.points[m.nodes_of(Kind::face, f)[j]][axis] - at) > 1e-9) return false;
        return true;
    };
    const auto group_of = [&](const Mesh& m, Index f) {
        if (m.face_cells(f, 0) != none && m.face_cells(f, 1) != none) return "";
        if (lies(m, f, 0, 0)) return "xmin";
        if (lies(m, f, 0, 2)) return "xmax";
        if (lies(m, f, 1, 0)) return "floor";
        for (int k = 1; k < m.dimension; ++k)
            if (lies(m, f, k, 0) || lies(m, f, k, 1)) return "wall";
        return "body";
    };
    for (const char* name : {"xmin", "xmax", "floor", "wall", "body"})
        mesh = with_group(std::move(mesh), name, [&](const Mesh& m, Index f) {
            return std::string(group_of(m, f)) == name;
        });
    return mesh;
}

// With a square or cube in the middle.
inline SimplexMesh with_body(int dimension, Index n) {
    return duct(dimension, n, [=](const Vec3& low) {
        for (int k = 0; k < dimension; ++k)
            if (low[k] < double(n) / 4 || low[k] >= 0.75 * n) return true;
        return false;
    });
}

}  // namespace solenoid::test
