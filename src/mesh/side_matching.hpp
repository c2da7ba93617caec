// Test whether one group of sides is a translation of another. Used in src/mesh only.
#pragma once

#include <optional>

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct SideMatch {
    Vec3 offset{0};
    double tolerance = 0;                        // within which nodes were matched [m]
    std::vector<std::pair<Index, Index>> nodes;  // nodes of `from` and `to`
    std::vector<std::pair<Index, Index>> sides;  // sides of `from` and `to`
    // empty where they match; else a sentence with both names
    std::string failure;
};
SideMatch match_sides(const SimplexMesh& mesh, std::uint16_t from, std::uint16_t to);

}  // namespace solenoid
