#include "flow/thesis_momentum.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {

template <class Real>
ThesisMomentum<Real>::ThesisMomentum(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry,
                                     const FlowBoundaries& boundaries, const CellStencil<Real>& stencil, Operators<Real>& operators,
                                     double viscosity, bool implicit, bool upwind)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      stencil_(stencil),
      operators_(operators),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      faces_(mesh.range(Kind::face)),
      viscosity_(viscosity),
      implicit_(implicit),
      upwind_(upwind),
      boundary_(comm, device, mesh, boundaries),
      unit_(unit_vectors<Real>(device, d_)) {
    put_faces(geometry, boundaries);
    for (auto* field : {&flux_, &flux_before_, &flux_middle_}) *field = operators.field(Kind::face);
    transport_ = operators.vector_field(Kind::face);
    const Index lengthened = cells_.all + static_cast<Index>(boundaries.faces().faces.size());
    for (auto* field : {&middle_, &diffusing_, &slope_}) *field = device.buffer<Real>(lengthened, d_);
    net_ = operators.vector_field(Kind::cell);
    nodes_ = operators.vector_field(Kind::node);
}

template <class Real>
void ThesisMomentum<Real>::put_faces(const Geometry& g, const FlowBoundaries& boundaries) {
    const Mesh& m = mesh_.mesh;
    const Index n = faces_.shared;
    std::vector<double> entered(n, 0.5), conduction(n);
    std::vector<Vec3> skew(n);
    const FaceCoefficients c = face_coefficients(mesh_, g, boundaries.faces());
    conductance_.assign(cells_.owned, 0.0);
    for (Index f = 0; f < n; ++f) {
        const Index left = m.face_cells(f, 0), right = m.face_cells(f, 1);
        const bool is_boundary = left == none || right == none;
        if (is_boundary) entered[f] = right == none ? 1 : 0;
        conduction[f] = is_boundary ? c.conduction[f] / 2 : c.conduction[f];  // a boundary's is that of a parabola there
        const auto [a, b] = centroids_beside(m, g, f);
        skew[f] = g.face_area[f] - conduction[f] * (b - a);  // of A n, what is not along the line of centres
        for (const Index cell : {left, right})
            if (cell != none && cell < cells_.owned) conductance_[cell] += conduction[f] / g.cell_volume[cell];
    }
    entered_ = uploaded<Real>(device_, entered);
    conduction_ = uploaded<Real>(device_, conduction);
    skew_ = uploaded_vectors<Real>(device_, skew, n, 1, d_);
}

template <class Real>
void ThesisMomentum<Real>::combine(double a, const Buffer<Real>& x, double b, const Buffer<Real>& y, Buffer<Real>& out) {
    Over(device_, cells_.marked())[out] = a * x + b * y;
    operators_.halo(Kind::cell, d_).exchange(out);
    boundary_.put_at_faces(out, nodes_);
}

template <class Real>
void ThesisMomentum<Real>::begin_step(const Buffer<Real>& u, const Buffer<Real>& u_before, double ratio, double time, double dt) {
    boundary_.see(time + dt / 2);
    Over(device_, {0, faces_.all})[flux_middle_] = (1 + ratio / 2) * flux_ - ratio / 2 * flux_before_;
    if (!implicit_) combine(1 + ratio / 2, u, -ratio / 2, u_before, diffusing_);
}

template <class Real>
void ThesisMomentum<Real>::apply(double dt, const Buffer<Real>& u, Buffer<Real>& end, Buffer<Real>& star) {
    combine(0.5, u, 0.5, end, middle_);
    if (implicit_) device_.copy(middle_, diffusing_);
    kernels::MeanTransport<Real>{d_, stencil_.face_cells, entered_, conduction_, flux_middle_, middle_, diffusing_, transport_, static_cast<Real>(viscosity_),
                                 Real(upwind_ ? 1 : 0)}.run(device_, {0, faces_.shared});
    if (viscosity_ > 0) add_skewness();
    kernels::TransportSum<Real>{d_, stencil_.cell_faces, transport_, net_}.run(device_, cells_.marked());
    Over(device_, cells_.marked())[star] = u + (dt / stencil_.volume) * net_;
}

template <class Real>
void ThesisMomentum<Real>::add_skewness() {
    for (int k = 0; k < d_; ++k) {
        const auto axis = static_cast<std::uint32_t>(k);
        kernels::DirectionalSlope<Real>{d_, unit_, stencil_.cell_faces, stencil_.face_cells, entered_, stencil_.area, stencil_.volume, diffusing_, slope_, axis}
            .run(device_, cells_.marked());
        operators_.halo(Kind::cell, d_).exchange(slope_);
        kernels::SkewTransport<Real>{d_, unit_, stencil_.face_cells, entered_, skew_, slope_, transport_, static_cast<Real>(viscosity_), axis}
            .run(device_, {0, faces_.shared});
    }
}

template <class Real>
void ThesisMomentum<Real>::accept(Buffer<Real>&, const Buffer<Real>& flux, double) {
    device_.copy(flux_, flux_before_);
    device_.copy(flux, flux_);
}

// Gershgorin's bound of the part along the lines of centres.
template <class Real>
double ThesisMomentum<Real>::diffusion_rate() {
    double most = 0;
    for (const double sum : conductance_) most = std::max(most, sum);
    return 2 * comm_.max(most);
}

template class ThesisMomentum<float>;
template class ThesisMomentum<double>;

}  // namespace solenoid
