#include "flow/collocated/midpoint_scheme.hpp"

#include "device/expression.hpp"

namespace solenoid {
namespace {

constexpr int damping_steps = 2;  // implicit Euler steps at the start

}  // namespace

template <class Real>
MidpointScheme<Real>::MidpointScheme(CollocatedSystem<Real>& system, const CgSettings& momentum)
    : system_(system),
      implicit_(system.domain, system.momentum, momentum),
      rhs_(system.domain.template vector_field<Real>(Kind::cell)) {
    for (auto* field : {&flux_before_, &flux_middle_, &gradient_before_})
        *field = system.domain.template field<Real>(Kind::face);
}

template <class Real>
void MidpointScheme<Real>::step(double dt, double w) {
    const double when = system_.time + dt;
    predict(dt, w);
    system_.keep_before();
    system_.correct({.s = dt, .c1 = 1 / dt, .curvature = 0.5}, flux_middle_, when);
}

// Computes u* with the flux U_m extrapolated to the middle of the step:
//   (u* - u) / dt = N(U_m) u_m + nu lap u_m - q,   u_m = (1 - p) u + p u*,
//   U_m = U + p w (U - U_before),   p = place_of(dt)
template <class Real>
void MidpointScheme<Real>::predict(double dt, double w) {
    CollocatedSystem<Real>& s = system_;
    const double before = place_, p = place_of(dt), middle = s.time + p * dt, when = s.time + dt;
    s.update_lag();
    set_flux_middle(p * w);
    gradient_before_.copy(s.gradient);
    rise_before_ = s.projection->pressure_rise();
    pressure_reach_ = w > 0 ? (1 - p) * dt / (p * dt + (1 - before) * s.last_step) : 0;
    place_ = p;
    s.momentum.update(middle);
    s.momentum.boundary().look_ahead(p * w);
    s.projection->update_boundary_pressure(middle);
    if (s.force.changes()) s.force.begin({s.time, when, middle, 0, dt});
    s.advance_scalars(dt, w);
    if (s.force.changes()) {
        s.force.add_buoyancy();
        s.force.change(s.q, s.gradient);
    }
    s.over_cells()[s.star] = (1 + p * w) * s.u - p * w * s.u_before;
    const double shift = 1 / (p * dt);
    const auto solve = [&] {
        s.over_cells()[rhs_] =
            s.momentum.stencil().volume * (shift * s.u - s.q) + s.momentum.wall_diffusion();
        implicit_.solve(shift, flux_middle_, rhs_, s.star, when);
    };
    s.solve_by_viscosity(middle, solve, [] {});
    s.momentum.boundary().look_ahead(0);
    s.over_cells()[s.star] = (1 - 1 / p) * s.u + 1 / p * s.star;
    s.momentum.boundary().follow(s.u, dt);
    s.update(when);
}

// p: 1 (implicit Euler) for the first two steps where diffusion is stiff, else 1/2. The midpoint
// rule hardly damps stiff diffusion: an initial velocity that contradicts the boundary values
// oscillates. Two Euler steps damp that and keep second order (Rannacher 1984).
template <class Real>
double MidpointScheme<Real>::place_of(double dt) {
    if (diffusion_rate_ < 0) diffusion_rate_ = system_.momentum.diffusion_rate();
    return system_.steps < damping_steps && dt * diffusion_rate_ > 1 ? 1 : 0.5;
}

// flux_middle_ = U + r (U - U_before), of divergence zero as both are.
template <class Real>
void MidpointScheme<Real>::set_flux_middle(double r) {
    system_.domain.shared(Kind::face)[flux_middle_] = (1 + r) * system_.flux - r * flux_before_;
    flux_before_.copy(system_.flux);
}

template <class Real>
bool MidpointScheme<Real>::bring_to_end(Field<Real>& gradient) const {
    system_.domain.shared(Kind::face)[gradient] =
        (1 + pressure_reach_) * gradient - pressure_reach_ * gradient_before_;
    return true;
}

template <class Real>
void MidpointScheme<Real>::bring_rise_to_end(std::vector<std::optional<double>>& rise) const {
    for (std::size_t i = 0; i < rise.size(); ++i)
        if (rise[i])
            *rise[i] += pressure_reach_ *
                        (*rise[i] -
                         (i < rise_before_.size() ? rise_before_[i].value_or(*rise[i]) : *rise[i]));
}

template <class Real>
void MidpointScheme<Real>::keep_in(Snapshot<Real>& snapshot) {
    for (auto* field : {&flux_before_, &gradient_before_}) snapshot.add(*field);
    snapshot.add_value(rise_before_);
    for (double* value : {&place_, &pressure_reach_}) snapshot.add_value(*value);
}

template class MidpointScheme<float>;
template class MidpointScheme<double>;

TimeSchemeKind midpoint_kind() {
    return time_scheme_kind<MidpointScheme>(
        "midpoint",
        "the implicit midpoint rule, up to 10, by which skew-symmetric convection makes and takes "
        "no energy at any step. A step costs about three "
        "times as much at a Courant number of 0.5, and six to eight times at 4; accuracy asks for "
        "2 or less where the flow changes in time. The "
        "pressure between steps is extrapolated to their ends. Scalars keep to BDF2: with one "
        "whose `convection` is not `\"bounded\"` the limit stays 1",
        2, false);
}

}  // namespace solenoid
