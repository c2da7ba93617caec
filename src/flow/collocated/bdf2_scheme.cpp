#include "flow/collocated/bdf2_scheme.hpp"

#include "device/expression.hpp"

namespace solenoid {
namespace {

// The pressure iteration's tolerance over the tolerance of a step.
constexpr double pressure_part = 0.1;

}  // namespace

template <class Real>
Bdf2Scheme<Real>::Bdf2Scheme(CollocatedSystem<Real>& system, const CgSettings&)
    : system_(system),
      iteration_(system.domain, system.boundaries, system.momentum.stencil(),
                 system.momentum.viscosity(), pressure_part * system.step_tolerance),
      seen_(system.domain.template field<Real>(Kind::face)) {
    for (auto* field : {&n_now_, &n_before_, &n_earlier_, &rhs_})
        *field = system.domain.template vector_field<Real>(Kind::cell);
}

template <class Real>
void Bdf2Scheme<Real>::step(double dt, double w) {
    const Bdf2 bdf2{dt, w};
    const double when = system_.time + dt;
    predict(bdf2);
    system_.keep_before();
    seen_.copy(system_.gradient);
    system_.correct({.s = bdf2.reach(),
                     .c1 = bdf2.c1(),
                     .c2 = bdf2.c2(),
                     .reach = iteration_.is_active() ? 0 : w},
                    system_.carrier(), when);
    is_remade_ = false;
    if (system_.frozen) return;
    is_remade_ = iteration_.run(seen_, system_.gradient, bdf2.reach(),
                                [&](const Field<Real>& gradient) { remake(bdf2, gradient); });
    if (is_remade_) settle();
}

// Ends a repeated step with u = u*, and q and G those that u* was computed with. The projection's
// correction is left out: it is within the tolerance of a pressure, which is many times that of a
// velocity. q_before becomes the gradient at the start of the step.
template <class Real>
void Bdf2Scheme<Real>::settle() {
    system_.over_cells()[system_.u] = system_.star;
    std::swap(system_.q, system_.q_before);
    system_.coupling.to_cells(seen_, system_.carrier(), system_.q_before);
    system_.gradient.copy(last_seen_);
}

// Repeats the step with the face gradient `gradient`. rhs_ contains -V q_before of the last pass,
// which is replaced by -V q of the new gradient.
template <class Real>
void Bdf2Scheme<Real>::remake(const Bdf2& bdf2, const Field<Real>& gradient) {
    CollocatedSystem<Real>& s = system_;
    const double when = s.time + bdf2.dt;
    if (!last_seen_) last_seen_ = s.domain.template field<Real>(Kind::face);
    last_seen_.copy(gradient);
    s.gradient.copy(gradient);
    s.coupling.to_cells(s.gradient, s.carrier(), s.q);
    s.over_cells()[rhs_] += s.momentum.stencil().volume * (s.q_before - s.q);
    s.momentum.solve(bdf2.shift(), rhs_, s.star, when);
    s.correct_again({.s = bdf2.reach(), .c1 = bdf2.c1(), .c2 = bdf2.c2()}, when);
}

// Computes u* with q, the last pressure gradient less the force:
//   (a u* - (1 + w) u + w^2 / (1 + w) u_before) / dt = transport - q + nu lap u*
template <class Real>
void Bdf2Scheme<Real>::predict(const Bdf2& bdf2) {
    CollocatedSystem<Real>& s = system_;
    const double when = s.time + bdf2.dt;
    s.update_lag();
    transport();
    s.momentum.boundary().follow(s.u, bdf2.dt);
    s.update(when);
    s.momentum.boundary().look_ahead(bdf2.w);
    s.projection->update_boundary_pressure(when);
    s.momentum.boundary().look_ahead(0);
    s.advance_scalars(bdf2.dt, bdf2.w);
    if (s.force.changes()) {
        s.force.begin({s.time, when, when, bdf2.kept(), bdf2.reach()});
        s.force.change(s.q, s.gradient);
    }
    s.star.copy(s.u);
    const std::array<double, 3> e = extrapolation(bdf2);
    const double c1 = bdf2.c1(), c2 = bdf2.c2();
    const auto solve = [&] {
        s.over_cells()[rhs_] = s.momentum.stencil().volume * (c1 * s.u + c2 * s.u_before - s.q) +
                               (e[0] * n_now_ + e[1] * n_before_ + e[2] * n_earlier_) +
                               s.momentum.wall_diffusion();
        if (diffused_) s.over_cells()[rhs_] += diffused_;
        s.momentum.solve(bdf2.shift(), rhs_, s.star, when);
    };
    s.solve_by_viscosity(when, solve, [&] { s.momentum.explicit_diffusion(s.star, diffused_); });
    last_ = bdf2;
    weights_ = e;
    std::swap(n_before_, n_earlier_);
    std::swap(n_now_, n_before_);
}

// predict() has shifted the transports by one state: n_before_, n_earlier_ and n_now_ are the last
// step's n_now_, n_before_ and n_earlier_. The velocity before it was constrained is u* - s (q -
// q_before), or u* in a repeated step.
template <class Real>
Bdf2 Bdf2Scheme<Real>::explain(Field<Real>& transport, Field<Real>& projected) const {
    const CollocatedSystem<Real>& s = system_;
    s.over_cells()[transport] =
        weights_[0] * n_before_ + weights_[1] * n_earlier_ + weights_[2] * n_now_;
    if (diffused_) s.over_cells()[transport] += diffused_;
    if (is_remade_) {
        s.over_cells()[projected] = s.star;
        return last_;
    }
    const double reach = last_.reach();
    s.over_cells()[projected] = s.star - reach * s.q + reach * s.q_before;
    return last_;
}

// n_now_ = transport of the state at the start of the step. Where the viscosity follows the flow,
// explicit diffusion is subtracted from it.
template <class Real>
void Bdf2Scheme<Real>::transport() {
    CollocatedSystem<Real>& s = system_;
    s.momentum.transport(s.u, s.carrier(), n_now_);
    if (!s.momentum.viscosity().follows_flow()) return;
    if (!diffused_) diffused_ = s.domain.template vector_field<Real>(Kind::cell);
    s.momentum.explicit_diffusion(s.u, diffused_);
    s.over_cells()[n_now_] -= diffused_;
}

// Weights of the last three transports in the extrapolation to the end of the step; for equal steps
// 5/2, -2, 1/2. Both extrapolations are of second order. The linear one suits damped transport.
// With half of the second difference added, BDF2 is stable on the imaginary axis up to omega dt =
// 0.66; with the linear one it is not stable on any part of it. States that do not exist have
// weight zero.
template <class Real>
std::array<double, 3> Bdf2Scheme<Real>::extrapolation(const Bdf2& bdf2) const {
    const auto& [dt, w] = bdf2;
    const double last = system_.last_step, before = system_.step_before;
    std::array<double, 3> e{1 + w, -w, 0};
    if (w == 0 || before == 0 || !system_.momentum.scheme().is_undamped()) return e;
    const double scale = dt * dt / (last + before), now = scale / last, earlier = scale / before;
    e[0] += now;
    e[1] -= now + earlier;
    e[2] += earlier;
    return e;
}

template class Bdf2Scheme<float>;
template class Bdf2Scheme<double>;

TimeSchemeKind bdf2_kind() {
    return time_scheme_kind<Bdf2Scheme>(
        "bdf2", "transport extrapolated, up to a Courant number of 1", 1, true);
}

}  // namespace solenoid
