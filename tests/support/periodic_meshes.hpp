// Boxes with matched sides, closed.
#pragma once

#include <algorithm>

#include "mesh/box.hpp"
#include "mesh/periodic.hpp"

namespace solenoid::test {

// Joins xmin and xmax where "x" is among the directions, and so on.
inline SimplexMesh closed(SimplexMesh mesh, const std::string& directions) {
    std::vector<PeriodicRequest> pairs;
    for (const char direction : directions) {
        const auto group = [&](const std::string& end) {
            const auto& names = mesh.boundaries;
            return static_cast<std::uint16_t>(std::find(names.begin(), names.end(), direction + end) - names.begin());
        };
        pairs.push_back({group("min"), group("max"), "test"});
    }
    make_periodic(mesh, pairs);
    return mesh;
}

inline SimplexMesh plain_box(int dimension, std::size_t cells, const Vec3& low = Vec3(0), const Vec3& size = Vec3(1)) {
    BoxSettings box;
    box.dimension = dimension;
    box.cells = cells;
    box.low = low;
    box.high = low + size;
    if (dimension == 2) box.low.z = box.high.z = 0;
    return box_mesh(box);
}

}  // namespace solenoid::test
