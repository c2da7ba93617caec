#include "heat/floating_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "parallel/bytes.hpp"
#include "partition/components.hpp"

namespace solenoid {

// The mesh's components, of which contacts make fewer.
FloatingParts::FloatingParts(const Domain& domain, const std::vector<ContactPair>& contacts)
    : domain_(domain), count_(domain.mesh.components), part_(domain.mesh.node_component) {
    std::vector<std::array<Index, 2>> links;
    for (const ContactPair& pair : contacts)
        if (part_[pair.node] != part_[pair.partner])
            links.push_back({part_[pair.node], part_[pair.partner]});
    std::ranges::sort(links);
    links.erase(std::unique(links.begin(), links.end()), links.end());
    links = gathered(domain.comm, links);
    if (links.empty()) return;
    std::vector<Index> ends;  // as if components were nodes, and links cells of two
    for (const auto& link : links) ends.insert(ends.end(), link.begin(), link.end());
    const Components joined = connected_components(ends, 1, domain.mesh.components);
    count_ = joined.count;
    for (Index& part : part_) part = joined.of_node[part];
}

void FloatingParts::find(const Fields& fields, std::vector<double>& load) {
    const Communicator& comm = domain_.comm;
    const std::vector<double>& mass = fields.mass;
    std::vector<double> held(count_, 0);
    std::vector<RankSum> net(count_), gross(count_), weight(count_), mean(count_);
    for (const Index node : fields.fixed_nodes) held[part_[node]] = 1;
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        const Index p = part_[i];
        if (fields.exchange[i] > 0) held[p] = 1;
        net[p] += load[i];
        gross[p] += std::abs(load[i]);
        weight[p] += mass[i];
        mean[p] += mass[i] * fields.temperature[i];
    }
    comm.max(held);
    for (auto* sums : {&net, &gross, &weight, &mean}) comm.sum(std::span<RankSum>(*sums));
    is_held_.assign(held.begin(), held.end());
    mean_.assign(count_, 0);
    for (std::size_t p = 0; p < count_; ++p) {
        if (is_held_[p]) continue;
        comm.agree([&] {
            if (std::abs(net[p]) <= 1e-6 * gross[p]) return;
            throw InputError(
                fmt::format("the steady heat problem has no solution: a net {:.6g} W flows into {} "
                            "where no temperature is fixed or exchanged; give a boundary the "
                            "type \"temperature\" or \"convection\", or add [time]",
                            net[p].value(), count_ == 1 ? "the body" : "a connected part of it"));
        });
        mean_[p] = mean[p] / weight[p];
        for (Index i = 0; i < domain_.nodes.owned; ++i)
            if (part_[i] == static_cast<Index>(p)) load[i] -= net[p] * mass[i] / weight[p];
    }
}

bool FloatingParts::exist() const { return std::ranges::find(is_held_, false) != is_held_.end(); }

std::vector<double> FloatingParts::corrections(const std::vector<double>& mass,
                                               const std::vector<double>& temperature) const {
    std::vector<RankSum> weight(count_), mean(count_);
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        weight[part_[i]] += mass[i];
        mean[part_[i]] += mass[i] * temperature[i];
    }
    for (auto* sums : {&weight, &mean}) domain_.comm.sum(std::span<RankSum>(*sums));
    std::vector<double> corrections(domain_.nodes.owned, 0.0);
    for (Index i = 0; i < domain_.nodes.owned; ++i)
        if (const Index p = part_[i]; !is_held_[p]) corrections[i] = mean_[p] - mean[p] / weight[p];
    return corrections;
}

}  // namespace solenoid
