#include "flow/collocated/midpoint_step.hpp"

#include "device/expression.hpp"

namespace solenoid {
namespace {

constexpr int damping_steps = 2;  // implicit Euler steps at the start

}  // namespace

template <class Real>
MidpointStep<Real>::MidpointStep(const CollocatedParts<Real>& parts)
    : domain_(parts.domain),
      state_(parts.state),
      momentum_(parts.momentum),
      coupling_(parts.coupling),
      projection_(parts.projection),
      sources_(parts.sources),
      implicit_(parts.domain, parts.momentum, parts.momentum_solver),
      rhs_(domain_.vector_field<Real>(Kind::cell)),
      middle_(domain_.vector_field<Real>(Kind::cell)),
      middle_before_(domain_.vector_field<Real>(Kind::cell)) {
    for (auto* field : {&flux_star_, &flux_before_, &flux_middle_, &gradient_before_})
        *field = domain_.field<Real>(Kind::face);
}

template <class Real>
void MidpointStep<Real>::advance(const Span& span) {
    const double end = state_.time + span.dt;

    // u*
    predict(span.dt, span.w, end);
    // u_{n-1}, u_n -> u_n, u_{n+1}
    state_.shift_velocities();
    // U = P U*,   G = (U* - U) / dt,   q = R G,   u = u* - dt (q - q_before)
    project(span.dt, end, span.is_first);
    // at walls: u_m extrapolated to the end of the step, since u* = 2 u_m - u holds what the last
    // projection has changed
    const Over cells = domain_.own(Kind::cell);
    const double r = pressure_reach_;
    if (r > 0) cells[state_.star] = (1 + r) * middle_ - r * middle_before_;
    middle_before_.copy(middle_);
}

// Computes u* with the flux U_m extrapolated to the middle of the step:
//   (u* - u) / dt = N(U_m) u_m + nu lap u_m - q,   u_m = (1 - p) u + p u*,   p = place_of(dt)
template <class Real>
void MidpointStep<Real>::predict(double dt, double w, double end) {
    CollocatedState<Real>& s = state_;
    const Over cells = domain_.own(Kind::cell);
    const double p = place_of(dt), middle = s.time + p * dt;
    keep_pressure(dt, w, p);

    // L = U - I u
    coupling_.update_lag(s.u, s.flux);
    projection_.begin(s.flux);
    // U_m = U + p w (U - U_before), of divergence zero as both are
    const double r = p * w;
    domain_.shared(Kind::face)[flux_middle_] = (1 + r) * s.flux - r * flux_before_;
    flux_before_.copy(s.flux);
    // boundary values of t + p dt: velocities, pressures, and in this block what enters by them
    momentum_.update(middle);
    projection_.update_boundary_pressure(middle, r);
    {
        const InflowAhead<Real> ahead(momentum_.boundary(), r);
        // scalars T(t + dt), force f(t + p dt):   q += f_before - f,   G += A n . (f_before - f)
        sources_.advance(s, dt, w, {s.time, end, middle, 0, dt});
        // u_m is first u + p w (u - u_before); nu(t + p dt)
        cells[s.star] = (1 + p * w) * s.u - p * w * s.u_before;
        momentum_.update_properties(middle, s.star);
        // (V/(p dt) - nu lap - N(U_m)) u_m = V (u/(p dt) - q) + (walls)
        const double shift = 1 / (p * dt);
        const auto solve = [&] {
            cells[rhs_] =
                momentum_.stencil().volume * (shift * s.u - s.q) + momentum_.wall_diffusion();
            implicit_.solve(shift, flux_middle_, rhs_, s.star, end);
        };
        solve();
        // where nu follows the flow: nu(u_m)
        if (momentum_.update_properties_by(s.star, middle)) solve();
    }
    cells[middle_] = s.star;
    // G on curved walls, of u_m
    projection_.update_curved_walls(s.star);
    // u* = (1 - 1/p) u + 1/p u_m
    cells[s.star] = (1 - 1 / p) * s.u + 1 / p * s.star;
    // boundary values of t + dt: where fluid leaves with the flow, given velocities, U_b
    momentum_.boundary().follow(s.u, dt);
    projection_.update_boundary(end);
}

// p: 1 (implicit Euler) for the first two steps where diffusion is stiff, else 1/2. The midpoint
// rule hardly damps stiff diffusion: an initial velocity that contradicts the boundary values
// oscillates. Two Euler steps damp that and keep second order (Rannacher 1984).
template <class Real>
double MidpointStep<Real>::place_of(double dt) const {
    return state_.steps < damping_steps && dt * momentum_.diffusion_rate() > 1 ? 1 : 0.5;
}

// Stores the last pressure, for its extrapolation to the end of the step, which has its own at
// `place`.
template <class Real>
void MidpointStep<Real>::keep_pressure(double dt, double w, double place) {
    gradient_before_.copy(state_.gradient);
    rise_before_ = projection_.pressure_rise();
    pressure_reach_ = w > 0 ? (1 - place) * dt / (place * dt + (1 - place_) * state_.last_step) : 0;
    place_ = place;
}

template <class Real>
void MidpointStep<Real>::project(double dt, double end, bool is_first) {
    CollocatedState<Real>& s = state_;

    // U* = I u* + dt Q + L',   Q = I q,   L' by dL/dt = Q - G + Z - r L
    momentum_.to_faces(s.star, flux_star_);
    coupling_.add_lag(flux_middle_, s.gradient, s.q, {.s = dt, .c1 = 1 / dt, .curvature = 0.5},
                      flux_star_);
    // before the projection: U* = U_b where the flux is given
    projection_.impose_boundary_flux(flux_star_, {dt, 0, true});
    // U = P U*,   D U = 0
    projection_.project(flux_star_, s.flux,
                        {dt, end, is_first ? ProjectionPart::first : ProjectionPart::lagged},
                        s.star);
    // G = (U* - U) / dt
    projection_.take_gradient(flux_star_, s.flux, dt, s.gradient);
    // q = R G
    std::swap(s.q, s.q_before);
    coupling_.to_cells(s.gradient, s.carrier(), s.q);
    // u = u* - dt (q - q_before)
    domain_.own(Kind::cell)[s.u] = s.star - dt * s.q + dt * s.q_before;
}

template <class Real>
bool MidpointStep<Real>::bring_to_end(Field<Real>& gradient) const {
    domain_.shared(Kind::face)[gradient] =
        (1 + pressure_reach_) * gradient - pressure_reach_ * gradient_before_;
    return true;
}

template <class Real>
void MidpointStep<Real>::bring_rise_to_end(std::vector<std::optional<double>>& rise) const {
    for (std::size_t i = 0; i < rise.size(); ++i)
        if (rise[i])
            *rise[i] += pressure_reach_ *
                        (*rise[i] -
                         (i < rise_before_.size() ? rise_before_[i].value_or(*rise[i]) : *rise[i]));
}

template <class Real>
void MidpointStep<Real>::register_state(const State<Real>& state) {
    state.add("flux_before", flux_before_);
    state.add("middle_before", middle_before_);
    state.add("face_gradient_before", gradient_before_);
    if (!projection_.pressure_rise().empty()) state.add("rise_before", rise_before_, of_any_count);
    state.add("place", place_, {0, 1});
    state.add("pressure_reach", pressure_reach_);
    implicit_.register_state(state);
}

template class MidpointStep<float>;
template class MidpointStep<double>;

TimeSchemeKind midpoint_kind() {
    return time_scheme_kind<MidpointStep>(
        "midpoint",
        "the implicit midpoint rule, up to 10, by which skew-symmetric convection makes and takes "
        "no energy at any step. A step costs about three "
        "times as much at a Courant number of 0.5, and six to eight times at 4; accuracy asks for "
        "2 or less where the flow changes in time. The "
        "pressure between steps is extrapolated to their ends. Scalars keep to BDF2: with one "
        "whose `convection` is not `\"bounded\"` the limit stays 1",
        // of 10 for accuracy
        10, Buoyancy::of_both_ends, false,
        // beyond, layers with alternating diagonals gather noise: at 100, and at 15
        80, 12);
}

}  // namespace solenoid
