#include "flow/diagnostics/watched_forces.hpp"

#include <algorithm>

namespace solenoid {

template <class Real>
void WatchedForces<Real>::watch(const std::vector<std::size_t>& boundaries) {
    for (const std::size_t b : boundaries) {
        if (std::ranges::find(watched_, b) != watched_.end()) continue;
        watched_.push_back(b);
        std::vector<EntityShare> shares;
        faces_.add_surface(b, 0, shares);
        prepare({b, sums_.size(), &PressureLoads::surface, &PressureLoads::surface_moment}, shares,
                std::vector<std::vector<double>>(components_of_load(domain_.dimension),
                                                 std::vector<double>(domain_.nodes.owned, 0.0)));
        if (faces_.has_patch(b)) {
            shares.clear();
            faces_.add_patch(b, 0, shares);
            prepare({b, sums_.size(), &PressureLoads::patch, &PressureLoads::patch_moment}, shares,
                    weak_.weights(faces_.patch_function(b)));
        }
        shares.clear();
        weak_.add_overlaps(b, 0, shares);
        prepare({b, sums_.size(), &PressureLoads::weak, &PressureLoads::weak_moment}, shares,
                weak_.weights(b));
    }
}

// weights: of each component, at owned nodes, to which the shares are added.
template <class Real>
void WatchedForces<Real>::prepare(const Load& load, const std::vector<EntityShare>& shares,
                                  std::vector<std::vector<double>> weights) {
    loads_.push_back(load);
    const std::vector<EntityShare> own =
        shares_of_owned(domain_.comm, domain_.mesh, Kind::node, shares);
    auto next = own.begin();
    for (int k = 0; k < components_of_load(domain_.dimension); ++k) {
        std::vector<double>& weight = weights[k];
        for (; next != own.end() && next->sum == static_cast<std::uint32_t>(k); ++next)
            weight[next->entity] += next->value;
        sums_.push_back(recovery_.prepare(std::move(weight), kind_));
    }
}

template <class Real>
std::vector<PressureLoads> WatchedForces<Real>::loads(const PressureSources<Real>& from,
                                                      double time) {
    const int d = domain_.dimension;
    const std::vector<double> sums = recovery_.sums(sums_, from, time);
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
