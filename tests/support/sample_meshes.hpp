// Small meshes that tests of several rooms cut up.
#pragma once

#include "mesh/box.hpp"

namespace solenoid::sample {

inline SimplexMesh box(int dimension, std::size_t cells) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    return box_mesh(settings);
}

// Two boxes that do not touch: two connected components.
inline SimplexMesh two_boxes(int dimension, std::size_t cells) {
    SimplexMesh mesh = box(dimension, cells / 2);
    const SimplexMesh other = box(dimension, cells / 2);
    const auto first = static_cast<Index>(mesh.points.size());
    for (const Vec3& point : other.points) mesh.points.push_back(point + Vec3(2, 0, 0));
    for (Index node : other.cells) mesh.cells.push_back(first + node);
    for (Index node : other.sides) mesh.sides.push_back(first + node);
    mesh.cell_region.insert(mesh.cell_region.end(), other.cell_region.begin(),
                            other.cell_region.end());
    mesh.side_group.insert(mesh.side_group.end(), other.side_group.begin(), other.side_group.end());
    return mesh;
}

}  // namespace solenoid::sample
