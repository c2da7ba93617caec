#include "flow/diagnostics/watched_forces.hpp"

#include <algorithm>

namespace solenoid {

template <class Real>
void WatchedForces<Real>::watch(const std::vector<std::size_t>& boundaries) {
    for (const std::size_t b : boundaries) {
        if (std::ranges::find(watched_, b) != watched_.end()) continue;
        watched_.push_back(b);
        std::vector<NodeShare> shares;
        faces_.add_surface(b, 0, shares);
        const auto nothing = [&](int) { return std::vector<double>(domain_.nodes.owned, 0.0); };
        prepare({b, sums_.size(), &PressureLoads::surface, &PressureLoads::surface_moment}, shares,
                nothing);
        if (faces_.has_patch(b)) {
            shares.clear();
            faces_.add_patch(b, 0, shares);
            const std::vector<double> function = faces_.patch_function(b);
            prepare({b, sums_.size(), &PressureLoads::patch, &PressureLoads::patch_moment}, shares,
                    [&](int k) { return weak_.weights(function, k); });
        }
        shares.clear();
        weak_.add_overlaps(b, 0, shares);
        prepare({b, sums_.size(), &PressureLoads::weak, &PressureLoads::weak_moment}, shares,
                [&](int k) { return weak_.weights(b, k); });
    }
}

// weights: of component k, at owned nodes, to which the shares are added.
template <class Real>
void WatchedForces<Real>::prepare(const Load& load, const std::vector<NodeShare>& shares,
                                  const std::function<std::vector<double>(int)>& weights) {
    loads_.push_back(load);
    const std::vector<NodeShare> own = shares_of_owned(domain_, shares);
    auto next = own.begin();
    for (int k = 0; k < components_of_load(domain_.dimension); ++k) {
        std::vector<double> weight = weights(k);
        for (; next != own.end() && next->sum == static_cast<std::uint32_t>(k); ++next)
            weight[next->node] += next->value;
        sums_.push_back(recovery_.prepare(std::move(weight), has_cells_));
    }
}

template <class Real>
std::vector<PressureLoads> WatchedForces<Real>::loads(const Field<Real>& gradient, double time,
                                                      const Buffer<Real>* force,
                                                      const Field<Real>* in_cells) {
    const int d = domain_.dimension;
    const std::vector<double> sums = recovery_.sums(sums_, gradient, time, force, in_cells);
    std::vector<PressureLoads> found(domain_.mesh.mesh.boundaries.size());
    for (const Load& load : loads_) {
        const double* sum = sums.data() + load.first;
        for (int k = 0; k < d; ++k) (found[load.boundary].*load.force)[k] = *sum++;
        for (int k = d == 2 ? 2 : 0; k < 3; ++k) (found[load.boundary].*load.moment)[k] = *sum++;
    }
    return found;
}

template class WatchedForces<float>;
template class WatchedForces<double>;

}  // namespace solenoid
