#include "flow/flow_measures.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/finite.hpp"

namespace solenoid {

namespace {

bool has_boundary(const Communicator& comm, const DistributedMesh& mesh) {
    bool found = false;
    for (Index f = 0; f < mesh.range(Kind::face).owned; ++f) found = found || mesh.mesh.face_cells(f, 0) == none || mesh.mesh.face_cells(f, 1) == none;
    return comm.any(found);
}

}  // namespace

template <class Real>
FlowMeasures<Real>::FlowMeasures(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry,
                                 Operators<Real>& operators, const CellStencil<Real>& stencil)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      geometry_(geometry),
      operators_(operators),
      stencil_(stencil),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      has_boundary_(has_boundary(comm, mesh)),
      inflow_(comm, device, mesh),
      net_(operators.field(Kind::cell)) {}

template <class Real>
double FlowMeasures<Real>::courant(const Buffer<Real>& flux, double dt) const {
    const double rate = cells_.owned ? kernels::CourantNumber<Real>{d_, stencil_.cell_faces, stencil_.volume, flux}.run(device_, cells_.marked()).rate : 0;
    return dt * comm_.max(rate);
}

template <class Real>
double FlowMeasures<Real>::max_divergence(Buffer<Real>& flux) {
    operators_.divergence(flux, net_);
    const double net = cells_.owned ? Over(device_, cells_.marked()).greatest(abs(net_)) : 0;
    const double through = faces_.owned ? Over(device_, faces_.marked()).greatest(abs(flux)) : 0;
    const double largest = comm_.max(through);
    return largest > 0 ? comm_.max(net) / largest : 0;
}

template <class Real>
double FlowMeasures<Real>::kinetic_energy(const Buffer<Real>& u) const {
    return 0.5 * comm_.sum(Over(device_, cells_.marked()).dot(stencil_.volume, square(u)));
}

template <class Real>
GradientIntegrals FlowMeasures<Real>::gradient_integrals(const Buffer<Real>& node_u, double viscosity) {
    const auto local = operators_.gradient_sums(node_u);
    std::array<double, 2> sums{local.rotation, local.strain};
    comm_.sum(sums);
    return {0.5 * sums[0], viscosity * sums[1]};
}

template <class Real>
typename FlowMeasures<Real>::Speeds FlowMeasures<Real>::checked_speeds(const Buffer<Real>& u, const Buffer<Real>& u_before, double when) const {
    std::array<double, 2> largest{};  // squares, of the change and of u
    if (cells_.owned) largest = Over(device_, cells_.marked()).reduce(greatest(square(u - u_before)), greatest(square(u)));
    const Speeds speeds{std::sqrt(comm_.max(largest[0])), std::sqrt(comm_.max(largest[1]))};
    if (!std::isfinite(speeds.largest) || comm_.any(!std::isfinite(largest[1]))) {
        check_finite(comm_, mesh_, geometry_, u, "the velocity", when);
        comm_.agree([&] { throw ComputationError(fmt::format("the square of the velocity is no longer finite at t = {:.6g} s: take a smaller time.step", when)); });
    }
    return speeds;
}

template <class Real>
std::vector<double> FlowMeasures<Real>::downloaded(Kind kind, Buffer<Real>& field) {
    operators_.halo(kind, field.columns()).exchange(field);
    const auto values = field.download();
    const Index held = mesh_.range(kind).all;
    std::vector<double> result;
    for (int k = 0; k < field.columns(); ++k) {
        const auto column = values.begin() + std::size_t(k) * field.size();
        result.insert(result.end(), column, column + held);
    }
    return result;
}

template <class Real>
std::vector<double> FlowMeasures<Real>::stream_function(Buffer<Real>& potential) {
    const Kind kind = mesh_.mesh.ridge_kind();
    std::vector<double> s = downloaded(kind, potential);
    if (d_ == 3 || has_boundary_) return s;
    double sum = 0;
    for (Index i = 0; i < mesh_.range(kind).owned; ++i) sum += s[i];
    const double mean = comm_.sum(sum) / static_cast<double>(mesh_.global_count[static_cast<int>(kind)]);
    for (double& value : s) value -= mean;
    return s;
}

template class FlowMeasures<float>;
template class FlowMeasures<double>;

}  // namespace solenoid
