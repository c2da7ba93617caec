// Some entities of a kind, the boundary's faces say, as a numbering of their own with its ranges
// and halo.
#pragma once

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

struct EntitySubset {
    // their numbers among all, ascending: interior, border, shared and ghost in this order
    std::vector<Index> members;
    std::vector<Index> place;  // of every entity among the members, or `none`
    EntityRanges ranges;
    HaloPlan halo;
};

// is_member: one flag an entity held; whether an entity belongs must be the same on every rank that
// holds it.
EntitySubset entity_subset(const EntityRanges& ranges, const HaloPlan& halo,
                           const std::vector<bool>& is_member);

}  // namespace solenoid
