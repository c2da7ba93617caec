// Connected parts of a distributed set of entities, as linked by pairs.
#pragma once

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// Of every entity held the least number in its connected part of the whole set. numbers: one an
// entity, the same on every rank that holds it; links: pairs of entities held, every pair known
// where one of the two is owned. Collective.
std::vector<GlobalIndex> component_labels(const Communicator& comm, const EntityRanges& ranges,
                                          const HaloPlan& plan,
                                          const std::vector<GlobalIndex>& numbers,
                                          const std::vector<std::array<Index, 2>>& links);

}  // namespace solenoid
