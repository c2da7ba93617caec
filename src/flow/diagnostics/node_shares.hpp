// Factors of values at nodes in forces and their moments.
#pragma once

#include <glm/geometric.hpp>

#include "parallel/entity_shares.hpp"

namespace solenoid {

// The number of components of a force and its moment.
constexpr int components_of_load(int dimension) { return dimension == 2 ? 3 : 6; }

// Adds the factors of a node's value v in the force `force` v and its moment about the origin,
// acting at a point: sums first .. first + dimension - 1, then those of the moment, in two
// dimensions of its third component alone.
inline void add_shares(int dimension, std::uint32_t first, Index node, const Vec3& force,
                       const Vec3& point, std::vector<EntityShare>& shares) {
    for (int k = 0; k < dimension; ++k) shares.push_back({first++, node, force[k]});
    const Vec3 moment = glm::cross(point, force);
    for (int k = dimension == 2 ? 2 : 0; k < 3; ++k) shares.push_back({first++, node, moment[k]});
}

}  // namespace solenoid
