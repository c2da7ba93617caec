#include "flow/diagnostics/flow_measures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {

namespace {

bool has_boundary(const Communicator& comm, const DistributedMesh& mesh) {
    bool found = false;
    for (Index f = 0; f < mesh.range(Kind::face).owned; ++f) found = found || mesh.mesh.face_cells(f, 0) == none || mesh.mesh.face_cells(f, 1) == none;
    return comm.any(found);
}

}  // namespace

template <class Real>
FlowMeasures<Real>::FlowMeasures(const Domain& domain, const CellStencil<Real>& stencil)
    : domain_(domain),
      operators_(domain.operators<Real>()),
      stencil_(stencil),
      d_(domain.dimension),
      has_boundary_(has_boundary(domain.comm, domain.mesh)),
      inflow_(domain),
      net_(domain_.field<Real>(Kind::cell)) {}

template <class Real>
double FlowMeasures<Real>::courant(const Buffer<Real>& flux, double dt) const {
    const double rate = domain_.cells.owned ? kernels::CourantNumber<Real>{.dimension = d_, .face = stencil_.cell_faces, .volume = stencil_.volume,
                                                                           .flux = flux}.run(domain_.device, domain_.cells.marked()).rate : 0;
    return dt * domain_.comm.max(rate);
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
    return 0.5 * domain_.comm.sum(domain_.own(Kind::cell).dot(stencil_.volume, square(u)));
}

template <class Real>
GradientIntegrals FlowMeasures<Real>::gradient_integrals(const Buffer<Real>& node_u, const Buffer<Real>& viscosity) {
    const auto local = operators_.gradient_sums(node_u, viscosity);
    std::array<double, 2> sums{local.rotation, local.strain};
    domain_.comm.sum(sums);
    return {0.5 * sums[0], sums[1]};
}

template <class Real>
typename FlowMeasures<Real>::Speeds FlowMeasures<Real>::checked_speeds(const Buffer<Real>& u, const Buffer<Real>& u_before, double when) const {
    std::array<double, 2> largest{};  // squares, of the change and of u
    if (domain_.cells.owned) largest = domain_.own(Kind::cell).reduce(greatest(square(u - u_before)), greatest(square(u)));
    const Speeds speeds{std::sqrt(domain_.comm.max(largest[0])), std::sqrt(domain_.comm.max(largest[1]))};
    if (!std::isfinite(speeds.largest) || domain_.comm.any(!std::isfinite(largest[1]))) {
        check_finite(domain_, u, "the velocity", when);
        domain_.comm.agree([&] { throw ComputationError(fmt::format("the square of the velocity is no longer finite at t = {:.6g} s: take a smaller time.step", when)); });
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
std::vector<double> FlowMeasures<Real>::stream_function(const Field<Real>& potential) const {
    const Kind kind = domain_.mesh.mesh.ridge_kind();
    std::vector<double> s = downloaded(potential);
    if (d_ == 3 || has_boundary_) return s;
    double sum = 0;
    for (Index i = 0; i < domain_.range(kind).owned; ++i) sum += s[i];
    const double mean = domain_.comm.sum(sum) / static_cast<double>(domain_.mesh.global_count[static_cast<int>(kind)]);
    for (double& value : s) value -= mean;
    return s;
}

template class FlowMeasures<float>;
template class FlowMeasures<double>;

}  // namespace solenoid
