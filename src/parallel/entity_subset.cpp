#include "parallel/entity_subset.hpp"

namespace solenoid {
namespace {

// The members of the subset in a message's list, in the same order on both sides.
void keep_members(const std::vector<Index>& start, const std::vector<Index>& list,
                  const std::vector<Index>& place, std::vector<Index>& kept_start,
                  std::vector<Index>& kept) {
    for (std::size_t n = 0; n + 1 < start.size(); ++n) {
        for (Index k = start[n]; k < start[n + 1]; ++k)
            if (place[list[k]] != none) kept.push_back(place[list[k]]);
        kept_start.push_back(static_cast<Index>(kept.size()));
    }
}

}  // namespace

EntitySubset entity_subset(const EntityRanges& ranges, const HaloPlan& halo,
                           const std::vector<bool>& is_member) {
    EntitySubset result;
    result.place.assign(ranges.all, none);
    for (Index i = 0; i < ranges.all; ++i) {
        if (!is_member[i]) continue;
        result.place[i] = static_cast<Index>(result.members.size());
        result.members.push_back(i);
        result.ranges.interior += i < ranges.interior;
        result.ranges.owned += i < ranges.owned;
        result.ranges.shared += i < ranges.shared;
        ++result.ranges.all;
    }
    if (halo.names) {
        std::vector<GlobalIndex> names;
        for (const Index member : result.members) names.push_back((*halo.names)[member]);
        result.halo.names = std::make_shared<const std::vector<GlobalIndex>>(std::move(names));
    }
    result.halo.neighbours = halo.neighbours;
    keep_members(halo.send_start, halo.send, result.place, result.halo.send_start,
                 result.halo.send);
    keep_members(halo.receive_start, halo.receive, result.place, result.halo.receive_start,
                 result.halo.receive);
    return result;
}

}  // namespace solenoid
