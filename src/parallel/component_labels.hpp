// Connected parts of a distributed set of entities that are linked in pairs.
#pragma once

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// For each entity held, the lowest number in its connected part of the whole set. numbers: of each
// entity, equal on all ranks that hold it. links: pairs of entities held; each pair is known where
// one of its entities is owned. Collective.
std::vector<GlobalIndex> component_labels(const Communicator& comm, const EntityRanges& ranges,
                                          const HaloPlan& plan,
                                          const std::vector<GlobalIndex>& numbers,
                                          const std::vector<std::array<Index, 2>>& links);

}  // namespace solenoid
