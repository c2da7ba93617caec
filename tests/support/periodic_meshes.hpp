// Boxes with matched sides, closed.
#pragma once

#include <algorithm>
#include <map>
#include <utility>

#include "mesh/box.hpp"
#include "mesh/periodic.hpp"

namespace solenoid::test {

// Joins xmin and xmax where "x" is among the directions, and so on.
inline SimplexMesh closed(SimplexMesh mesh, const std::string& directions) {
    std::vector<PeriodicRequest> pairs;
    for (const char direction : directions) {
        const auto group = [&](const std::string& end) {
            const auto& names = mesh.boundaries;
            return static_cast<std::uint16_t>(
                std::find(names.begin(), names.end(), direction + end) - names.begin());
        };
        pairs.push_back({group("min"), group("max"), "test"});
    }
    make_periodic(mesh, pairs);
    return mesh;
}

inline SimplexMesh plain_box(int dimension, std::size_t cells, const Vec3& low = Vec3(0),
                             const Vec3& size = Vec3(1)) {
    BoxSettings box;
    box.dimension = dimension;
    box.cells = cells;
    box.low = low;
    box.high = low + size;
    if (dimension == 2) box.low.z = box.high.z = 0;
    return box_mesh(box);
}

// Every triangle cut into four: meshes of the same shape, so that errors fall by their order alone.
inline SimplexMesh quartered(const SimplexMesh& coarse) {
    SimplexMesh fine = coarse;
    std::map<std::pair<Index, Index>, Index> middles;
    const auto middle = [&](Index a, Index b) {
        const auto [found, is_new] =
            middles.try_emplace(std::minmax(a, b), static_cast<Index>(fine.points.size()));
        if (is_new) fine.points.push_back(0.5 * (coarse.points[a] + coarse.points[b]));
        return found->second;
    };
    fine.cells.clear();
    fine.cell_region.clear();
    for (std::size_t c = 0; c < coarse.cell_count(); ++c) {
        const Index a = coarse.cell(c)[0], b = coarse.cell(c)[1], d = coarse.cell(c)[2];
        const Index ab = middle(a, b), bd = middle(b, d), da = middle(d, a);
        fine.cells.insert(fine.cells.end(), {a, ab, da, ab, b, bd, da, bd, d, ab, bd, da});
        fine.cell_region.insert(fine.cell_region.end(), 4, coarse.cell_region[c]);
    }
    fine.sides.clear();
    fine.side_group.clear();
    for (std::size_t s = 0; s < coarse.side_count(); ++s) {
        const Index a = coarse.side(s)[0], b = coarse.side(s)[1], ab = middle(a, b);
        fine.sides.insert(fine.sides.end(), {a, ab, ab, b});
        fine.side_group.insert(fine.side_group.end(), 2, coarse.side_group[s]);
    }
    return fine;
}

}  // namespace solenoid::test
