// A subset of the entities of a kind, such as the boundary faces, with its own numbering, ranges
// and halo plan.
#pragma once

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

struct EntitySubset {
    // entity numbers, ascending: interior, border, shared and ghost in this order
    std::vector<Index> members;
    std::vector<Index> place;  // number of each entity in the subset, or `none`
    EntityRanges ranges;
    HaloPlan halo;
};

// is_member: one flag for each entity held, equal on all ranks that hold it.
EntitySubset entity_subset(const EntityRanges& ranges, const HaloPlan& halo,
                           const std::vector<bool>& is_member);

}  // namespace solenoid
