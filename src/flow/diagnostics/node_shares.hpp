// Factors of values at nodes in sums over the mesh, found face by face on the ranks that own the
// faces, and added up on those that own the nodes.
#pragma once

#include <compare>

#include "operators/domain.hpp"

namespace solenoid {

struct NodeShare {
    std::uint32_t sum;  // which one
    Index node;
    double value;
    auto operator<=>(const NodeShare&) const = default;
};

// The number of components of a force and its moment.
constexpr int components_of_load(int dimension) { return dimension == 2 ? 3 : 6; }

// Adds the factors of a node's value v in the force `force` v and its moment about the origin, acting
// at a point: sums first .. first + dimension - 1, then those of the moment, in two dimensions of
// its third component alone.
void add_shares(int dimension, std::uint32_t first, Index node, const Vec3& force,
                const Vec3& point, std::vector<NodeShare>& shares);

// The shares of the nodes that this rank owns, sorted, so that their sums have the same bits on any
// ranks. Those given are of any nodes held. Collective.
std::vector<NodeShare> shares_of_owned(const Domain& domain, const std::vector<NodeShare>& shares);

}  // namespace solenoid
