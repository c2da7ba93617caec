#include "flow/collocated/bdf2_step.hpp"

#include <fmt/format.h>

#include "device/expression.hpp"

namespace solenoid {
namespace {

// The pressure iteration's tolerance over the tolerance of a step.
constexpr double pressure_part = 0.1;

}  // namespace

template <class Real>
Bdf2Step<Real>::Bdf2Step(const CollocatedParts<Real>& parts)
    : domain_(parts.domain),
      state_(parts.state),
      momentum_(parts.momentum),
      coupling_(parts.coupling),
      projection_(parts.projection),
      sources_(parts.sources),
      iteration_(parts.domain, parts.boundaries, parts.momentum.stencil(),
                 parts.momentum.viscosity(), pressure_part * parts.step_tolerance) {
    if (momentum_.diffuses_implicitly())
        implicit_ =
            std::make_unique<ImplicitTransport<Real>>(domain_, momentum_, parts.momentum_solver);
    for (auto* field : {&seen_, &flux_star_}) *field = domain_.field<Real>(Kind::face);
    for (auto* field : {&n_now_, &n_before_, &n_earlier_, &rhs_})
        *field = domain_.vector_field<Real>(Kind::cell);
}

template <class Real>
std::string Bdf2Step<Real>::chosen_form() const {
    if (!implicit_) return {};
    if (!momentum_.stencil().diffusion_is_implicit)
        return "all of diffusion is implicit: the fluid slips along curved walls";
    return fmt::format(
        "all of diffusion is implicit: eigenvalues of an explicit part may be {:.2g} of the "
        "implicit one's, above {:.2g}",
        momentum_.stencil().explicit_diffusion_bound, most_of_explicit_diffusion);
}

template <class Real>
void Bdf2Step<Real>::advance(const Span& span) {
    CollocatedState<Real>& s = state_;
    const Bdf2 bdf2{span.dt, span.w};
    const double end = s.time + span.dt;

    // u*
    predict(bdf2, end);
    // u_{n-1}, u_n -> u_n, u_{n+1}
    s.shift_velocities();
    // U = P U*,   G = (U* - U) / s,   q = R G,   u = u* - s (q - q_before)
    seen_.copy(s.gradient);
    project(bdf2, end, span.is_first ? ProjectionPart::first : ProjectionPart::lagged);
    is_repeated_ = false;
    if (s.frozen) return;
    // slow flow: again, until the G that the projection finds is the one that momentum was given
    for (bool repeats = iteration_.begin(seen_, s.gradient, bdf2.reach()); repeats;
         repeats = iteration_.goes_on(s.gradient))
        repeat(bdf2, end);
    if (is_repeated_) settle();
}

// Computes u* with q, the last pressure gradient less the force.
template <class Real>
void Bdf2Step<Real>::predict(const Bdf2& bdf2, double end) {
    CollocatedState<Real>& s = state_;
    const Over cells = domain_.own(Kind::cell);

    // L = U - I u
    coupling_.update_lag(s.u, s.flux);
    projection_.begin(s.flux);
    // n = N(U) u + (explicit diffusion, if any)
    transport();
    // boundary values of t + dt: where fluid leaves with the flow, given velocities, U_b, pressures
    momentum_.boundary().follow(s.u, bdf2.dt);
    projection_.update_boundary(end);
    projection_.update_boundary_pressure(end, bdf2.w);
    // scalars T(t + dt), force f(t + dt):   q += f_before - f,   G += A n . (f_before - f)
    sources_.advance(s, bdf2.dt, bdf2.w, {s.time, end, end, bdf2.kept(), bdf2.reach()});
    // nu(t + dt)
    s.star.copy(s.u);
    momentum_.update_properties(end, s.star);
    // (a/dt V - K) u* = V (c1 u + c2 u_before - q) + e_0 n + e_1 n_before + e_2 n_earlier + (walls)
    const std::array<double, 3> e = extrapolation(bdf2);
    const double c1 = bdf2.c1(), c2 = bdf2.c2();
    const auto solve = [&] {
        cells[rhs_] = momentum_.stencil().volume * (c1 * s.u + c2 * s.u_before - s.q) +
                      (e[0] * n_now_ + e[1] * n_before_ + e[2] * n_earlier_) +
                      momentum_.wall_diffusion();
        if (diffused_) cells[rhs_] += diffused_;
        this->solve(bdf2, end);
    };
    solve();
    // where nu follows the flow: nu(u*), and the explicit diffusion of u* by it
    if (momentum_.update_properties_by(s.star, end)) {
        if (diffused_) momentum_.explicit_diffusion(s.star, diffused_);
        solve();
    }
    // n_before, n_earlier of the next step
    std::swap(n_before_, n_earlier_);
    std::swap(n_now_, n_before_);
    last_ = bdf2;
    weights_ = e;
}

// (a/dt V - diffusion) u* = rhs
template <class Real>
void Bdf2Step<Real>::solve(const Bdf2& bdf2, double end) {
    if (implicit_)
        implicit_->solve_diffusion(bdf2.shift(), rhs_, state_.star, end);
    else
        momentum_.solve(bdf2.shift(), rhs_, state_.star, end);
}

// n_now_ = transport of the state at the start of the step. Where the viscosity follows the flow,
// explicit diffusion is subtracted from it.
template <class Real>
void Bdf2Step<Real>::transport() {
    if (implicit_) return momentum_.convection(state_.u, state_.carrier(), n_now_);
    momentum_.transport(state_.u, state_.carrier(), n_now_);
    if (!momentum_.viscosity().follows_flow()) return;
    if (!diffused_) diffused_ = domain_.vector_field<Real>(Kind::cell);
    momentum_.explicit_diffusion(state_.u, diffused_);
    domain_.own(Kind::cell)[n_now_] -= diffused_;
}

// Weights of the last three transports in the extrapolation to the end of the step; for equal steps
// 5/2, -2, 1/2. Both extrapolations are of second order. The linear one suits damped transport.
// With half of the second difference added, BDF2 is stable on the imaginary axis up to omega dt =
// 0.66; with the linear one it is not stable on any part of it. States that do not exist have
// weight zero.
template <class Real>
std::array<double, 3> Bdf2Step<Real>::extrapolation(const Bdf2& bdf2) const {
    const auto& [dt, w] = bdf2;
    const double last = state_.last_step, before = state_.step_before;
    std::array<double, 3> e{1 + w, -w, 0};
    if (w == 0 || before == 0 || !momentum_.scheme().is_undamped()) return e;
    const double scale = dt * dt / (last + before), now = scale / last, earlier = scale / before;
    e[0] += now;
    e[1] -= now + earlier;
    e[2] += earlier;
    return e;
}

// part: `whole` in a repeated step, whose q and G are those of its end: the lag extrapolates
// nothing then.
template <class Real>
void Bdf2Step<Real>::project(const Bdf2& bdf2, double end, ProjectionPart part) {
    CollocatedState<Real>& s = state_;
    const double reach = bdf2.reach();
    typename FluxCoupling<Real>::Step step{.s = reach, .c1 = bdf2.c1(), .c2 = bdf2.c2()};

    // U* = I u* + s Q + L',   Q = I q,   L' by dL/dt = Q - G + Z - r L
    momentum_.to_faces(s.star, flux_star_);
    if (part == ProjectionPart::whole) {
        coupling_.add_lag_again(s.gradient, s.q, step, flux_star_);
    } else {
        step.reach = iteration_.is_active() ? 0 : bdf2.w;
        coupling_.add_lag(s.carrier(), s.gradient, s.q, step, flux_star_);
    }
    // before the projection: U* = U_b where the flux is given
    projection_.impose_boundary_flux(flux_star_, {reach, bdf2.c2(), part != ProjectionPart::whole});
    // G on curved walls, of u*
    projection_.update_curved_walls(s.star);
    // U = P U*,   D U = 0
    projection_.project(flux_star_, s.flux, {reach, end, part}, s.star);
    // G = (U* - U) / s
    projection_.take_gradient(flux_star_, s.flux, reach, s.gradient);
    // q = R G
    std::swap(s.q, s.q_before);
    coupling_.to_cells(s.gradient, s.carrier(), s.q);
    // u = u* - s (q - q_before)
    domain_.own(Kind::cell)[s.u] = s.star - reach * s.q + reach * s.q_before;
}

// Repeats the step with another face gradient. rhs_ contains -V q_before of the last pass, which is
// replaced by -V q of the new gradient.
template <class Real>
void Bdf2Step<Real>::repeat(const Bdf2& bdf2, double end) {
    CollocatedState<Real>& s = state_;
    is_repeated_ = true;
    if (!last_seen_) last_seen_ = domain_.field<Real>(Kind::face);
    last_seen_.copy(iteration_.next());
    // q = R G
    s.gradient.copy(iteration_.next());
    projection_.impose_boundary_gradient(bdf2.reach(), s.gradient);
    coupling_.to_cells(s.gradient, s.carrier(), s.q);
    // (a/dt V - K) u* = rhs + V (q_before - q)
    domain_.own(Kind::cell)[rhs_] += momentum_.stencil().volume * (s.q_before - s.q);
    solve(bdf2, end);
    project(bdf2, end, ProjectionPart::whole);
}

// Ends a repeated step with u = u*, and q and G those that u* was computed with. The projection's
// correction is left out: it is within the tolerance of a pressure, which is many times that of a
// velocity. q_before becomes the gradient at the start of the step.
template <class Real>
void Bdf2Step<Real>::settle() {
    CollocatedState<Real>& s = state_;
    domain_.own(Kind::cell)[s.u] = s.star;
    std::swap(s.q, s.q_before);
    coupling_.to_cells(seen_, s.carrier(), s.q_before);
    s.gradient.copy(last_seen_);
}

// predict() has shifted the transports by one state: n_before_, n_earlier_ and n_now_ are the last
// step's n_now_, n_before_ and n_earlier_. The velocity before it was constrained is u* - s (q -
// q_before), or u* in a repeated step.
template <class Real>
Bdf2 Bdf2Step<Real>::explain(Field<Real>& transport, Field<Real>& projected) const {
    const CollocatedState<Real>& s = state_;
    const Over cells = domain_.own(Kind::cell);
    cells[transport] = weights_[0] * n_before_ + weights_[1] * n_earlier_ + weights_[2] * n_now_;
    if (implicit_) {
        auto diffused = domain_.vector_field<Real>(Kind::cell);
        momentum_.explicit_diffusion(state_.star, diffused);
        cells[transport] += diffused;
    } else if (diffused_) {
        cells[transport] += diffused_;
    }
    if (is_repeated_) {
        cells[projected] = s.star;
        return last_;
    }
    const double reach = last_.reach();
    cells[projected] = s.star - reach * s.q + reach * s.q_before;
    return last_;
}

template class Bdf2Step<float>;
template class Bdf2Step<double>;

TimeSchemeKind bdf2_kind() {
    return time_scheme_kind<Bdf2Step>("bdf2", "transport extrapolated, up to a Courant number of 1",
                                      1, Buoyancy::of_end, true, 12000, 12000);
}

}  // namespace solenoid
