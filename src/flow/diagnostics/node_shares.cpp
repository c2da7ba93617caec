#include "flow/diagnostics/node_shares.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>

#include "parallel/bytes.hpp"

namespace solenoid {

void add_shares(int dimension, std::uint32_t first, Index node, const Vec3& force,
                const Vec3& point, std::vector<NodeShare>& shares) {
    for (int k = 0; k < dimension; ++k) shares.push_back({first++, node, force[k]});
    const Vec3 moment = glm::cross(point, force);
    for (int k = dimension == 2 ? 2 : 0; k < 3; ++k) shares.push_back({first++, node, moment[k]});
}

std::vector<NodeShare> shares_of_owned(const Domain& domain,
                                       const std::vector<NodeShare>& shares) {
    const HaloPlan& plan = domain.mesh.halo(Kind::node);
    struct Place {
        std::size_t neighbour;
        Index at;  // in its messages
    };
    std::map<Index, Place> places;
    for (const NodeShare& share : shares)
        if (share.node >= domain.nodes.owned) places[share.node] = {};
    for (std::size_t n = 0; n < plan.neighbours.size() && !places.empty(); ++n)
        for (Index r = plan.receive_start[n]; r < plan.receive_start[n + 1]; ++r)
            if (const auto found = places.find(plan.receive[r]); found != places.end())
                found->second = {n, r - plan.receive_start[n]};
    std::vector<NodeShare> own;
    std::map<int, std::vector<NodeShare>> out;  // node: the place in the message
    for (const NodeShare& share : shares) {
        if (share.node < domain.nodes.owned) {
            own.push_back(share);
            continue;
        }
        const Place& place = places.at(share.node);
        out[plan.neighbours[place.neighbour]].push_back({share.sum, place.at, share.value});
    }
    const auto in = exchange_values(domain.comm, std::move(out));
    for (const auto& [rank, brought] : in) {
        const auto n = std::ranges::find(plan.neighbours, rank) - plan.neighbours.begin();
        for (const NodeShare& share : brought)
            own.push_back({share.sum, plan.send[plan.send_start[n] + share.node], share.value});
    }
    std::ranges::sort(own);
    return own;
}

}  // namespace solenoid
