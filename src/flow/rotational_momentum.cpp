#include "flow/rotational_momentum.hpp"

#include <cmath>

#include "device/expression.hpp"
#include "device/kernels.hpp"

namespace solenoid {

template <class Real>
RotationalMomentum<Real>::RotationalMomentum(const Communicator& comm, Device& device, const DistributedMesh& mesh, const Geometry& geometry,
                                             const FlowBoundaries& boundaries, Operators<Real>& operators, double viscosity, bool implicit,
                                             const CgSettings& settings)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      ridges_(mesh.range(mesh.mesh.ridge_kind())),
      viscosity_(viscosity),
      implicit_(implicit && viscosity > 0),
      vorticity_(comm, device, mesh, geometry, boundaries, operators, settings) {
    for (auto* field : {&omega_, &omega_before_, &omega_end_, &omega_middle_}) *field = vorticity_.field();
    for (auto* field : {&spin_, &curl_}) *field = operators.vector_field(Kind::cell);
}

template <class Real>
void RotationalMomentum<Real>::begin_step(const Buffer<Real>&, const Buffer<Real>&, double ratio, double time, double dt) {
    Over(device_, ridges_.marked())[omega_middle_] = (1 + ratio / 2) * omega_ - ratio / 2 * omega_before_;
    vorticity_.at_cells(omega_middle_, spin_);
    if (!implicit_) vorticity_.curl(omega_middle_, curl_);
    device_.copy(omega_, omega_end_);
    end_ = time + dt;
    vorticity_.see(end_);
}

template <class Real>
void RotationalMomentum<Real>::apply(double dt, const Buffer<Real>& u, Buffer<Real>& end, Buffer<Real>& star) {
    if (implicit_) {
        vorticity_.solve(end, omega_end_, end_);
        Over(device_, ridges_.marked())[omega_middle_] = 0.5 * omega_ + 0.5 * omega_end_;
        vorticity_.curl(omega_middle_, curl_);
    }
    kernels::RotationalStep<Real>{d_, u, end, spin_, curl_, star, static_cast<Real>(dt), static_cast<Real>(viscosity_)}.run(device_, cells_.marked());
}

template <class Real>
void RotationalMomentum<Real>::accept(Buffer<Real>& u, const Buffer<Real>&, double time) {
    device_.copy(omega_, omega_before_);
    device_.copy(omega_end_, omega_);
    vorticity_.see(time);
    vorticity_.solve(u, omega_, time);
}

// The largest eigenvalue of M^-1 C^T H C, by the power method. Called before a boundary's velocity is seen.
template <class Real>
double RotationalMomentum<Real>::diffusion_rate() {
    const Mesh& m = mesh_.mesh;
    std::vector<Real> start(ridges_.all);
    for (Index r = 0; r < ridges_.all; ++r) start[r] = static_cast<Real>(std::sin(1 + 1.7 * static_cast<double>(m.node_number[m.nodes_of(m.ridge_kind(), r)[0]])));
    omega_middle_.upload(start);
    const auto norm = [&](const Buffer<Real>& x) { return std::sqrt(comm_.sum(Over(device_, ridges_.marked()).dot(x, x))); };
    double rate = 0;
    for (int k = 0; k < 40; ++k) {
        vorticity_.curl(omega_middle_, curl_);
        vorticity_.solve(curl_, omega_end_, 0);
        const double size = norm(omega_end_);
        rate = size / norm(omega_middle_);
        Over(device_, ridges_.marked())[omega_middle_] = 1 / size * omega_end_;
    }
    return 1.05 * rate;  // it comes from below
}

template class RotationalMomentum<float>;
template class RotationalMomentum<double>;

}  // namespace solenoid
