#include "flow/staggered/rotational_momentum.hpp"

#include <array>
#include <cmath>

#include "core/hash.hpp"
#include "device/expression.hpp"
#include "device/kernels.hpp"
#include "flow/settings/cg_settings.hpp"
#include "flow/staggered/staggered_flow.hpp"

namespace solenoid {
namespace {

// A value of a codim-2 entity that depends on its place alone; in 3D along the edge from the end
// with the lesser coordinates.
double scattered_along(const Mesh& m, Index codim2) {
    const Index* ends = m.nodes_of(m.codim2_kind(), codim2);
    const Vec3 a = m.points[ends[0]], b = m.points[ends[m.dimension - 2]];
    const bool is_along = std::array{a.x, a.y, a.z} <= std::array{b.x, b.y, b.z};
    return (is_along ? 1 : -1) * scattered(0.5 * (a + b));
}

}  // namespace

template <class Real>
RotationalMomentum<Real>::RotationalMomentum(const StaggeredParts<Real>& parts)
    : domain_(parts.domain),
      d_(domain_.dimension),
      viscosity_(parts.viscosity()),
      implicit_(parts.is_implicit() && viscosity_ > 0),
      vorticity_(domain_, parts.boundaries, cg_settings<Real>(parts.flow.solvers.momentum).stop) {
    for (auto* field : {&omega_, &omega_before_, &omega_end_, &omega_middle_})
        *field = vorticity_.field();
    for (auto* field : {&spin_, &curl_}) *field = domain_.vector_field<Real>(Kind::cell);
}

template <class Real>
void RotationalMomentum<Real>::begin_step(const Field<Real>&, const Field<Real>&, double ratio,
                                          double time, double dt) {
    // omega* = (1 + r/2) omega - r/2 omega_before, and w* its values in cells
    domain_.own(domain_.codim2_kind)[omega_middle_] =
        (1 + ratio / 2) * omega_ - ratio / 2 * omega_before_;
    vorticity_.at_cells(omega_middle_, spin_);
    // explicit: what diffuses is curl omega*
    if (!implicit_) vorticity_.curl(omega_middle_, curl_);
    // the first guess of the solves for omega'
    omega_end_.copy(omega_);
    end_ = time + dt;
    vorticity_.update_boundary(end_);
}

template <class Real>
void RotationalMomentum<Real>::apply(double dt, const Field<Real>& u, const Field<Real>& end,
                                     Field<Real>& star) {
    if (implicit_) {
        // M omega' = C^T X^T u' + b',   curl (omega + omega') / 2
        vorticity_.solve(end, omega_end_, end_);
        domain_.own(domain_.codim2_kind)[omega_middle_] = 0.5 * omega_ + 0.5 * omega_end_;
        vorticity_.curl(omega_middle_, curl_);
    }
    // star = u - dt (w* x (u + u') / 2 + nu curl)
    kernels::RotationalStep<Real>{.dimension = d_,
                                  .u = u,
                                  .v = end,
                                  .vorticity = spin_,
                                  .curl = curl_,
                                  .value = star,
                                  .dt = static_cast<Real>(dt),
                                  .nu = static_cast<Real>(viscosity_)}
        .run();
}

template <class Real>
void RotationalMomentum<Real>::accept(const Field<Real>& u, const Field<Real>&, double time) {
    omega_before_.copy(omega_);
    // M omega = C^T X^T u + b, from that of the last apply()
    omega_.copy(omega_end_);
    vorticity_.update_boundary(time);
    vorticity_.solve(u, omega_, time);
}

// The largest eigenvalue of M^-1 C^T H C, by 40 steps of the power method. Before the first
// Vorticity::update_boundary(): b = 0.
template <class Real>
double RotationalMomentum<Real>::diffusion_rate() {
    const Mesh& m = domain_.mesh.mesh;
    std::vector<Real> start(domain_.codim2_entities.all);
    for (Index r = 0; r < domain_.codim2_entities.all; ++r)
        start[r] = static_cast<Real>(scattered_along(m, r));
    omega_middle_.upload(start);
    const auto norm = [&](const Buffer<Real>& x) {
        return std::sqrt(
            domain_.comm.sum(domain_.own(domain_.codim2_kind).dot(domain_.comm, x, x)));
    };
    double rate = 0;
    for (int k = 0; k < 40; ++k) {
        vorticity_.curl(omega_middle_, curl_);
        vorticity_.solve(curl_, omega_end_, 0);
        const double size = norm(omega_end_);
        rate = size / norm(omega_middle_);
        domain_.own(domain_.codim2_kind)[omega_middle_] = 1 / size * omega_end_;
    }
    return 1.05 * rate;  // the method comes from below
}

template <class Real>
void RotationalMomentum<Real>::register_state(const State<Real>& state) {
    state.add("vorticity", omega_);
    state.add("vorticity_before", omega_before_);
    if (d_ == 3) vorticity_.register_state(state);
}

template class RotationalMomentum<float>;
template class RotationalMomentum<double>;

MomentumKind rotational_momentum() {
    return staggered_kind<RotationalMomentum>(
        "rotational", "the stream function alone, which conserves kinetic energy", {"central"});
}

}  // namespace solenoid
