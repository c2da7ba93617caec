#include "flow/diagnostics/watched_velocity.hpp"

#include <algorithm>

#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

template <class Real>
WatchedVelocity<Real>::Factors::Factors(const Domain& domain, Kind kind,
                                        const std::vector<EntityShare>& shares) {
    const std::vector<EntityShare> own = shares_of_owned(domain.comm, domain.mesh, kind, shares);
    for (const EntityShare& share : own) entities.push_back(share.entity);
    std::ranges::sort(entities);
    entities.erase(std::ranges::unique(entities).begin(), entities.end());
    for (std::size_t i = 0; i < own.size(); ++i) {
        if (i > 0 && own[i].sum == own[i - 1].sum && own[i].entity == own[i - 1].entity) {
            factors.back().value += own[i].value;
            continue;
        }
        const auto place = std::ranges::lower_bound(entities, own[i].entity) - entities.begin();
        factors.push_back(
            {own[i].sum / 3, own[i].sum % 3 * entities.size() + std::size_t(place), own[i].value});
    }
    probe = std::make_unique<Probe<Real>>(domain.device, entities, domain.dimension);
}

template <class Real>
void WatchedVelocity<Real>::Factors::add_to(std::vector<RankSum>& sums, const Buffer<Real>& field) {
    const std::vector<double> values = probe->read(field);
    for (const Factor& factor : factors) sums[factor.sum] += factor.value * values[factor.place];
}

// A node's value is t + 1/2 sum over its cells of w (u_c - mean of t over the cell's nodes), where
// it is not given.
template <class Real>
WatchedVelocity<Real>::WatchedVelocity(const Domain& domain, const FlowBoundaries& boundaries,
                                       const NodeWeights* weights,
                                       const std::vector<EntityShare>& shares, int sums)
    : domain_(domain), sums_(sums) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<EntityShare> of_nodes =
                                 shares_of_owned(domain.comm, domain.mesh, Kind::node, shares),
                             of_cells;
    const std::size_t given = of_nodes.size();
    for (std::size_t n = 0; n < given && weights; ++n) {
        const EntityShare share = of_nodes[n];
        if (std::ranges::binary_search(boundaries.nodes(), share.entity)) continue;
        if (std::ranges::find(boundaries.symmetry_nodes().entities, share.entity) !=
            boundaries.symmetry_nodes().entities.end())
            is_whole_ = false;
        const Rows& cells = weights->cells;
        for (Index k = cells.start[share.entity]; k < cells.start[share.entity + 1]; ++k) {
            const double part = 0.5 * share.value * weights->weights[k];
            of_cells.push_back({share.sum, cells.index[k], part});
            for (int j = 0; j <= m.dimension; ++j)
                of_nodes.push_back(
                    {share.sum, m.cell_nodes(cells.index[k], j), -part / double(m.dimension + 1)});
        }
    }
    is_whole_ = !domain.comm.any(!is_whole_);
    if (!is_whole_) return;
    cells_.emplace(domain, Kind::cell, of_cells);
    nodes_.emplace(domain, Kind::node, of_nodes);
}

template <class Real>
std::vector<double> WatchedVelocity<Real>::sums(CellField<Real>& u) {
    std::vector<RankSum> parts(sums_);
    nodes_->add_to(parts, u.at_nodes());
    cells_->add_to(parts, u);
    return totals(domain_.comm, std::move(parts));
}

template class WatchedVelocity<float>;
template class WatchedVelocity<double>;

}  // namespace solenoid
