#include "flow/diagnostics/flow_measures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/solver/finite.hpp"
#include "parallel/sum_over_ranks.hpp"

namespace solenoid {

template <class Real>
FlowMeasures<Real>::FlowMeasures(const Domain& domain, const CellStencil<Real>& stencil)
    : domain_(domain),
      operators_(domain.operators<Real>()),
      stencil_(stencil),
      d_(domain.dimension),
      inflow_(domain),
      net_(domain_.field<Real>(Kind::cell)) {}

template <class Real>
double FlowMeasures<Real>::courant(const Field<Real>& flux, double dt) const {
    const double rate =
        kernels::CourantNumber<Real>{
            .dimension = d_, .face = stencil_.cell_faces, .volume = stencil_.volume, .flux = flux}
            .run(domain_.own(Kind::cell))
            .rate;
    return dt * std::max(0.0, domain_.comm.max(rate));
}

template <class Real>
double FlowMeasures<Real>::max_divergence(const Field<Real>& flux) {
    operators_.divergence(flux, net_);
    const double net = domain_.cells.owned ? domain_.own(Kind::cell).greatest(abs(net_)) : 0;
    const double through = domain_.faces.owned ? domain_.own(Kind::face).greatest(abs(flux)) : 0;
    const double largest = domain_.comm.max(through);
    return largest > 0 ? domain_.comm.max(net) / largest : 0;
}

template <class Real>
double FlowMeasures<Real>::kinetic_energy(const Buffer<Real>& u) const {
    return 0.5 *
           domain_.comm.sum(domain_.own(Kind::cell).dot(domain_.comm, stencil_.volume, square(u)));
}

template <class Real>
GradientIntegrals FlowMeasures<Real>::gradient_integrals(const Field<Real>& node_u,
                                                         const Buffer<Real>& viscosity) {
    const auto local = operators_.gradient_sums(node_u, viscosity);
    std::array<double, 2> sums{local.rotation, local.strain};
    domain_.comm.sum(sums);
    return {0.5 * sums[0], sums[1]};
}

template <class Real>
typename FlowMeasures<Real>::Speeds FlowMeasures<Real>::checked_speeds(const Buffer<Real>& u,
                                                                       const Buffer<Real>& u_before,
                                                                       double when) const {
    std::array<double, 2> largest{};  // squares of the largest change and the largest speed
    if (domain_.cells.owned)
        largest =
            domain_.own(Kind::cell).reduce(greatest(square(u - u_before)), greatest(square(u)));
    const Speeds speeds{std::sqrt(domain_.comm.max(largest[0])),
                        std::sqrt(domain_.comm.max(largest[1]))};
    if (!std::isfinite(speeds.largest) || domain_.comm.any(!std::isfinite(largest[1]))) {
        check_finite(domain_, u, "the velocity", when);
        domain_.comm.agree([&] {
            throw ComputationError(
                fmt::format("the square of the velocity is no longer finite at t = {:.6g} s: take "
                            "a smaller time.step",
                            when));
        });
    }
    return speeds;
}

template <class Real>
std::vector<double> FlowMeasures<Real>::downloaded(const Field<Real>& field) const {
    const auto values = field.with_ghosts().download();
    const Index held = domain_.range(field.kind()).all;
    std::vector<double> result;
    for (int k = 0; k < field.columns(); ++k) {
        const auto column = values.begin() + std::size_t(k) * field.size();
        result.insert(result.end(), column, column + held);
    }
    return result;
}

template <class Real>
std::vector<double> FlowMeasures<Real>::stream_function(const Field<Real>& potential,
                                                        const std::vector<bool>& prescribed) const {
    std::vector<double> s = downloaded(potential);
    if (d_ == 3) return s;
    const Mesh& m = domain_.mesh.mesh;
    const std::vector<Index>& part = domain_.mesh.node_component;
    const std::size_t parts = domain_.mesh.components;
    // for each part: number of prescribed faces, number of nodes, sum of their values
    std::vector<RankSum> local(3 * parts);
    for (Index f = 0; f < domain_.faces.owned; ++f)
        if (prescribed[f]) local[part[m.nodes_of(Kind::face, f)[0]]] += 1;
    for (Index i = 0; i < domain_.nodes.owned; ++i) {
        local[parts + part[i]] += 1;
        local[2 * parts + part[i]] += s[i];
    }
    const std::vector<double> sums = totals(domain_.comm, std::move(local));
    for (std::size_t i = 0; i < s.size(); ++i)
        if (sums[part[i]] == 0) s[i] -= sums[2 * parts + part[i]] / sums[parts + part[i]];
    return s;
}

template class FlowMeasures<float>;
template class FlowMeasures<double>;

}  // namespace solenoid
