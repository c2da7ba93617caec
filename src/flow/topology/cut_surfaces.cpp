#include "flow/topology/cut_surfaces.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/upload.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

template <class Real>
CutSurfaces<Real>::CutSurfaces(const Domain& domain) : domain_(domain) {
    for (const PeriodicPair& pair : domain.mesh.mesh.periodic_map.pairs) {
        std::vector<double> sign(domain_.faces.all, 0.0);
        for (Index face : section_faces(domain.mesh.mesh, pair))
            sign[entity_of(face)] = orientation_of(face);
        pairs_.push_back({domain.mesh.mesh.boundaries[pair.from],
                          domain.mesh.mesh.boundaries[pair.to], 0, std::nullopt});
        sign_.push_back(uploaded<Real>(domain.device, sign));
    }
}

template <class Real>
std::vector<double> CutSurfaces<Real>::flux(const Buffer<Real>& flux) const {
    std::vector<double> sums;
    for (const auto& sign : sign_)
        sums.push_back(domain_.own(Kind::face).dot(domain_.comm, sign, flux));
    domain_.comm.sum(sums);
    return sums;
}

template <class Real>
std::vector<double> CutSurfaces<Real>::gross(const Buffer<Real>& flux) const {
    std::vector<RankSum> sums;
    const auto values = flux.download();
    for (const auto& sign : sign_) {
        const auto signs = sign.download();
        RankSum& sum = sums.emplace_back();
        for (Index f = 0; f < domain_.faces.owned; ++f) sum += std::abs(signs[f] * values[f]);
    }
    return totals(domain_.comm, std::move(sums));
}

template class CutSurfaces<float>;
template class CutSurfaces<double>;

}  // namespace solenoid
