// Factors of values at entities in sums over the mesh, found on any rank that holds an entity, and
// added up on the one that owns it.
#pragma once

#include <compare>

#include "parallel/communicator.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

struct EntityShare {
    std::uint32_t sum;  // which one
    Index entity;
    double value;
    auto operator<=>(const EntityShare&) const = default;
};

// The shares of the entities that this rank owns, sorted, so that they add up to the same bits on
// any ranks. Those given are of any entities held. Collective.
std::vector<EntityShare> shares_of_owned(const Communicator& comm, const DistributedMesh& mesh,
                                         Kind kind, const std::vector<EntityShare>& shares);

}  // namespace solenoid
