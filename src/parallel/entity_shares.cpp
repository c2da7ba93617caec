#include "parallel/entity_shares.hpp"

#include <algorithm>
#include <map>

#include "parallel/bytes.hpp"

namespace solenoid {

std::vector<EntityShare> shares_of_owned(const Communicator& comm, const DistributedMesh& mesh,
                                         Kind kind, const std::vector<EntityShare>& shares) {
    const HaloPlan& plan = mesh.halo(kind);
    const Index owned = mesh.range(kind).owned;
    struct Place {
        std::size_t neighbour;
        Index at;  // in its messages
    };
    std::map<Index, Place> positions;
    for (const EntityShare& share : shares)
        if (share.entity >= owned) positions[share.entity] = {};
    for (std::size_t n = 0; n < plan.neighbours.size() && !positions.empty(); ++n)
        for (Index r = plan.receive_start[n]; r < plan.receive_start[n + 1]; ++r)
            if (const auto found = positions.find(plan.receive[r]); found != positions.end())
                found->second = {n, r - plan.receive_start[n]};
    std::vector<EntityShare> own;
    std::map<int, std::vector<EntityShare>> out;  // entity: the place in the message
    for (const EntityShare& share : shares) {
        if (share.entity < owned) {
            own.push_back(share);
            continue;
        }
        const Place& place = positions.at(share.entity);
        out[plan.neighbours[place.neighbour]].push_back({share.sum, place.at, share.value});
    }
    const auto in = exchange_values(comm, std::move(out));
    for (const auto& [rank, brought] : in) {
        const auto n = std::ranges::find(plan.neighbours, rank) - plan.neighbours.begin();
        for (const EntityShare& share : brought)
            own.push_back({share.sum, plan.send[plan.send_start[n] + share.entity], share.value});
    }
    std::ranges::sort(own);
    return own;
}

}  // namespace solenoid
