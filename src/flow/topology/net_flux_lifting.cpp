#include "flow/topology/net_flux_lifting.hpp"

#include <cmath>

#include "parallel/sum_over_ranks.hpp"

namespace solenoid {
namespace {

double outward(const Mesh& mesh, Index face) { return mesh.face_cells(face, 1) == none ? 1 : -1; }

}  // namespace

NetFluxLifting::NetFluxLifting(const Domain& domain, const Cohomology& topology,
                               const std::vector<bool>& prescribed)
    : domain_(domain), topology_(topology), prescribed_(prescribed) {}

Index NetFluxLifting::part_of(Index face) const {
    return face < domain_.faces.shared
               ? topology_.part_of(domain_.mesh.mesh.nodes_of(Kind::face, face)[0])
               : none;
}

// The part that balances the net flux of another: the first in its region, if that has no outlet;
// else none.
Index NetFluxLifting::sink(Index part) const {
    const auto& parts = topology_.parts();
    if (topology_.has_outlet(parts[part].region)) return none;
    Index first = 0;
    while (parts[first].region != parts[part].region) ++first;
    return first;
}

// The net flux out of the domain through each part; 0 where it is rounding.
std::vector<double> NetFluxLifting::net(const std::vector<Index>& faces,
                                        const std::vector<double>& flux) const {
    const std::size_t n = topology_.parts().size();
    std::vector<RankSum> parts(2 * n);
    for (std::size_t k = 0; k < faces.size() && faces[k] < domain_.faces.owned; ++k) {
        parts[part_of(faces[k])] += outward(domain_.mesh.mesh, faces[k]) * flux[k];
        parts[n + part_of(faces[k])] += std::abs(flux[k]);
    }
    std::vector<double> sums = totals(domain_.comm, std::move(parts));
    double gross = 0;
    for (std::size_t i = 0; i < n; ++i) gross += sums[n + i];
    sums.resize(n);
    for (double& sum : sums)
        if (std::abs(sum) <= 1e-13 * gross) sum = 0;
    return sums;
}

// A divergence-free flux with a net flux of 1 out through a part, uniform over its faces and over
// those of its sink.
const std::vector<double>& NetFluxLifting::unit(Index part, const std::vector<Index>& faces) {
    const auto found = units_.find(part);
    if (found != units_.end()) return found->second;
    const auto& parts = topology_.parts();
    std::vector<double> flux(domain_.faces.all, 0.0);
    for (Index f : faces) {
        const Index of_face = part_of(f);
        if (of_face == none) continue;
        if (of_face == part)
            flux[f] = outward(domain_.mesh.mesh, f) / static_cast<double>(parts[part].faces);
        else if (of_face == sink(part))
            flux[f] = -outward(domain_.mesh.mesh, f) / static_cast<double>(parts[of_face].faces);
    }
    if (!balance_) balance_ = std::make_unique<FluxBalance>(domain_, topology_, prescribed_);
    balance_->balance(flux);
    return units_.emplace(part, std::move(flux)).first->second;
}

void NetFluxLifting::take(const std::vector<Index>& faces, std::vector<double>& flux) {
    carried_.clear();
    const std::vector<double> through = net(faces, flux);
    for (Index part = 0; part < through.size(); ++part) {
        if (through[part] == 0 || !topology_.parts()[part].closed || sink(part) == part) continue;
        const auto& unit_flux = unit(part, faces);
        carried_.resize(unit_flux.size(), 0.0);
        for (std::size_t f = 0; f < unit_flux.size(); ++f)
            carried_[f] += through[part] * unit_flux[f];
    }
    for (std::size_t k = 0; k < faces.size() && !carried_.empty(); ++k)
        flux[k] -= carried_[faces[k]];
}

}  // namespace solenoid
