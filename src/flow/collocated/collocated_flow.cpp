#include "flow/collocated/collocated_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/diagnostics/vorticity.hpp"
#include "flow/projection/pressure_projection.hpp"
#include "flow/projection/stream_function.hpp"
#include "flow/solver/finite.hpp"
#include "flow/solver/flow_settings.hpp"

namespace solenoid {
namespace {

constexpr int damping_steps = 2;  // of Euler's, at the start of the midpoint rule

}  // namespace

template <class Real>
CollocatedFlow<Real>::CollocatedFlow(const Domain& domain, const FlowCase& flow)
    : domain_(domain),
      d_(domain.dimension),
      boundaries_(domain, flow.boundaries),
      density_(flow.fluid.density),
      is_exact_(flow.flow.method == "exact"),
      is_midpoint_(flow.flow.time_scheme == "midpoint"),
      stream_function_settings_(cg_settings<Real>(flow.solvers.stream_function)),
      pressure_settings_(cg_settings<Real>(flow.solvers.pressure)),
      momentum_(domain, boundaries_, ViscosityModel(flow.fluid.viscosity, flow.fluid.law), {convection_of(flow.flow.convection), flow.flow.jump_penalty},
                cg_settings<Real>(flow.solvers.momentum)),
      measures_(domain, momentum_.stencil()),
      coupling_(domain, boundaries_, momentum_),
      projection_(make_projection(flow)),
      drive_(domain, flow) {
    if (is_midpoint_) implicit_ = std::make_unique<ImplicitTransport<Real>>(domain, momentum_, cg_settings<Real>(flow.solvers.momentum));
    make_fields();
    make_scalars(flow);
    start_from(flow.initial_velocity);
    momentum_.see_viscosity(0, u_);
    if (is_midpoint_) diffusion_rate_ = momentum_.diffusion_rate();
    see_first_force();
    if (!is_exact_) start_from_pressure(flow.initial_pressure);
}

template <class Real>
std::unique_ptr<Projection<Real>> CollocatedFlow<Real>::make_projection(const FlowCase& flow) {
    if (is_exact_) return std::make_unique<StreamFunction<Real>>(domain_, boundaries_.prescribed(), stream_function_settings_);
    return std::make_unique<PressureProjection<Real>>(domain_, boundaries_, density_, momentum_.stencil(), flow.flow.non_orthogonal_corrections, cg_settings<Real>(flow.solvers.pressure));
}

template <class Real>
void CollocatedFlow<Real>::make_fields() {
    for (auto* field : {&u_, &star_}) *field = momentum_.velocity();
    u_before_ = momentum_.lengthened();
    for (auto* field : {&n_now_, &n_before_, &n_earlier_, &q_, &q_before_, &rhs_}) *field = domain_.vector_field<Real>(Kind::cell);
    for (auto* field : {&flux_, &flux_star_, &gradient_}) *field = domain_.field<Real>(Kind::face);
    for (auto* field : {&flux_before_, &flux_middle_, &gradient_before_})
        if (is_midpoint_) *field = domain_.field<Real>(Kind::face);
    if (!boundaries_.follow()) return;
    std::vector<Real> follows(domain_.mesh.mesh.faces());
    for (Index f = 0; f < domain_.mesh.mesh.faces(); ++f) follows[f] = boundaries_.is_open(f) && !boundaries_.has_pressure(f);
    for (auto* field : {&follows_, &free_star_}) *field = domain_.field<Real>(Kind::face);
    follows_.upload(follows);
}

template <class Real>
void CollocatedFlow<Real>::make_scalars(const FlowCase& flow) {
    for (const ScalarSettings& s : flow.scalars) {
        scalars_.push_back(std::make_unique<ScalarTransport<Real>>(domain_, boundaries_, momentum_.stencil(), s, cg_settings<Real>(flow.solvers.scalar)));
        buoyant_acceleration_.push_back((is_midpoint_ ? -0.5 : -1) * s.expansion * flow.fluid.gravity);
    }
}

// The initial velocity is projected; what that takes away is no pressure.
template <class Real>
void CollocatedFlow<Real>::start_from(const VectorFormula& initial) {
    std::vector<Real> values(std::size_t(star_.size()) * d_, Real(0));
    domain_.comm.agree([&] {
        for (Index c = 0; c < domain_.cells.owned; ++c)
            for (int k = 0; k < d_; ++k) values[std::size_t(k) * star_.size() + c] = static_cast<Real>(initial[k].quantity(domain_.geometry.cell_centroid[c], 0));
    });
    star_.upload(values);
    momentum_.boundary().follow_from(initial);
    see(0);
    set_flux_star({.s = 1});
    check(projection_->start(flux_star_, flux_), 0);
    follow_flux(1);
    for (auto* field : {&q_, &q_before_}) over_cells()[*field] = 0;
    domain_.held(Kind::face)[gradient_] = 0;
    check_finite();
}

// Until a step tells better a pressure bears the force: q = G = 0.
template <class Real>
void CollocatedFlow<Real>::see_first_force() {
    const bool is_buoyant = std::any_of(buoyant_acceleration_.begin(), buoyant_acceleration_.end(), [](const Vec3& a) { return a != Vec3(0); });
    if (!drive_.has_force() && !is_buoyant) return;
    force_changes_ = is_buoyant || drive_.changes();
    for (auto* field : {&force_, &force_before_}) *field = momentum_.lengthened();
    node_force_ = domain_.vector_field<Real>(Kind::node);
    over_cells()[force_] = last_force();
    see_force();
}

// What the first step starts with, from which it need not be found.
template <class Real>
void CollocatedFlow<Real>::start_from_pressure(const Formula& initial) {
    if (initial.is_constant() && initial(Vec3(0)) == 0) return;
    std::vector<Real> p = projection_->potential().download();
    domain_.comm.agree([&] {
        for (Index c = 0; c < domain_.cells.owned; ++c) p[c] = static_cast<Real>(initial.finite_value(domain_.geometry.cell_centroid[c], 0) / density_);
    });
    projection_->potential().upload(p);
    projection_->see_pressure(0);
    projection_->take_gradient(gradient_);
    coupling_.to_cells(gradient_, q_);
    q_before_.copy(q_);
    starts_with_pressure_ = true;
}

// Of the midpoint rule for accuracy, but for what scalars step by BDF2; bounded ones take long steps in parts.
template <class Real>
double CollocatedFlow<Real>::courant_limit() const {
    const bool steps_whole = std::any_of(scalars_.begin(), scalars_.end(), [](const auto& scalar) { return scalar->settings().convection != "bounded"; });
    return is_midpoint_ && !steps_whole ? 10 : 1;
}

template <class Real>
void CollocatedFlow<Real>::see(double when) {
    if (drive_.imposes()) projection_->impose(drive_.imposed(when));
    if (momentum_.see(when)) projection_->prescribe(momentum_.boundary().flux());
}

// ---- a step

template <class Real>
void CollocatedFlow<Real>::step(double dt) {
    if (last_step_ > 0) return advance(dt, dt / last_step_);
    if (starts_with_pressure_) return advance(dt, 0);
    // The first step is made twice: the first time for the pressure that it starts with.
    auto u = momentum_.lengthened();
    auto flux = domain_.field<Real>(Kind::face);
    const std::vector<double> through = momentum_.boundary().flux();
    u.copy(u_);
    flux.copy(flux_);
    advance(dt, 0);
    for (auto& scalar : scalars_) scalar->undo();
    u_.copy(u);
    flux_.copy(flux);
    time_ -= dt;
    --steps_;
    momentum_.boundary().forget();
    momentum_.boundary().restart_from(through);
    see(time_);
    momentum_.see_viscosity(time_, u_);
    advance(dt, 0);
}

// From (u, u_before) to u with the step ratio w; w = 0: there is no state before.
template <class Real>
void CollocatedFlow<Real>::advance(double dt, double w) {
    const double when = time_ + dt;
    const Step step = is_midpoint_ ? predict_by_midpoint(dt, w) : predict_by_bdf2(dt, w);
    if (rate_) over_cells()[rate_] = w * w / (1 + w) / dt * u_before_ - (1 + w) / dt * u_;  // of u' the two states before, then u' itself
    u_before_.copy(u_);
    correct(step, when);
    if (budget_) budget_->projected(u_);
    if (!frozen_) coupling_.hold(flux_, u_);
    if (rate_) over_cells()[rate_] += (1 + 2 * w) / (1 + w) / dt * u_;
    coupling_.accept();
    time_ = when;
    step_before_ = w > 0 ? last_step_ : 0;
    last_step_ = dt;
    ++steps_;
    check_finite();
}

// Weights of the transport of the last three states at the end of the step. Linear extrapolation bears damped transport;
// with half of the second difference, of second order too, BDF2 is stable on a part of the imaginary axis, to 0.66, where by two
// states it has none. As many states as there are.
template <class Real>
std::array<double, 3> CollocatedFlow<Real>::extrapolation(double dt, double w) const {
    std::array<double, 3> e{1 + w, -w, 0};
    if (w == 0 || step_before_ == 0 || !is_undamped(momentum_.stencil().convection)) return e;
    const double scale = dt * dt / (last_step_ + step_before_), now = scale / last_step_, earlier = scale / step_before_;
    e[0] += now;
    e[1] -= now + earlier;
    e[2] += earlier;
    return e;
}

// Boundary values of the state left behind, and its lag.
template <class Real>
void CollocatedFlow<Real>::see_state() {
    coupling_.see_lag(u_, flux_);
}

// star: the velocity with the last pressure gradient, less the force, q,
//   (a star - (1 + w) u + w^2 / (1 + w) u_before) / dt = transport - q + nu lap star,   a = (1 + 2 w) / (1 + w);   w = 0: Euler's step.
template <class Real>
typename CollocatedFlow<Real>::Step CollocatedFlow<Real>::predict_by_bdf2(double dt, double w) {
    const double a = (1 + 2 * w) / (1 + w), c1 = (1 + w) / dt, c2 = -w * w / (1 + w) / dt, when = time_ + dt;
    see_state();
    transport_state();
    momentum_.boundary().follow(u_, dt);
    see(when);
    projection_->see_pressure(when);
    for (auto& scalar : scalars_) scalar->advance(flux_, time_, dt, w);
    if (force_changes_) {
        put_force(when, force_before_);
        change_force();
    }
    star_.copy(u_);
    solve_by_viscosity(when, [&] {
        set_rhs(c1, c2, extrapolation(dt, w));
        if (diffused_) over_cells()[rhs_] += diffused_;
        momentum_.solve(a / dt, rhs_, star_, when);
    });
    if (budget_) budget_->predicted(dt, w, u_before_, {&n_now_, &n_before_, &n_earlier_}, extrapolation(dt, w));
    if (budget_ && diffused_) budget_->add_explicit(diffused_);
    std::swap(n_before_, n_earlier_);
    std::swap(n_now_, n_before_);
    return {.s = dt / a, .c1 = c1, .c2 = c2, .reach = w};
}

// n_now: what is carried of the state that the step starts with. Where the viscosity follows the flow explicit diffusion is not among it.
template <class Real>
void CollocatedFlow<Real>::transport_state() {
    momentum_.transport(u_, carrier(), n_now_);
    if (!momentum_.viscosity().follows_flow()) return;
    if (!diffused_) diffused_ = domain_.vector_field<Real>(Kind::cell);
    momentum_.explicit_diffusion(u_, diffused_);
    over_cells()[n_now_] -= diffused_;
}

// star, with the viscosity at its time. One that follows the flow is first the last step's, then that of the star so found, and explicit diffusion likewise: of
// second order, and stable in any step, where by extrapolated velocities a fluid that thickens oscillates.
template <class Real>
template <class Solve>
void CollocatedFlow<Real>::solve_by_viscosity(double when, const Solve& solve) {
    const bool follows = momentum_.viscosity().follows_flow();
    if (!follows && !frozen_) momentum_.see_viscosity(when, star_);
    solve();
    if (!follows || frozen_) return;
    momentum_.see_viscosity(when, star_);
    if (diffused_) momentum_.explicit_diffusion(star_, diffused_);
    solve();
}

// The same by the implicit midpoint rule, with the flux U* extrapolated to the middle,
//   (star - u) / dt = N(U*) u_m + nu lap u_m - q,   u_m = (1 - p) u + p star,   U* = U + p w (U - U_before),   p = 1/2 but for place_of().
template <class Real>
typename CollocatedFlow<Real>::Step CollocatedFlow<Real>::predict_by_midpoint(double dt, double w) {
    const double before = place_, p = place_of(dt), middle = time_ + p * dt, when = time_ + dt;
    see_state();
    set_flux_middle(p * w);
    gradient_before_.copy(gradient_);
    pressure_reach_ = w > 0 ? (1 - p) * dt / (p * dt + (1 - before) * last_step_) : 0;
    place_ = p;
    momentum_.see(middle);
    projection_->see_pressure(middle);
    if (force_changes_) put_force(middle, force_before_);
    for (auto& scalar : scalars_) scalar->advance(flux_, time_, dt, w);
    if (force_changes_) {
        add_buoyancy(force_before_);
        change_force();
    }
    over_cells()[star_] = (1 + p * w) * u_ - p * w * u_before_;
    solve_by_viscosity(middle, [&] {
        set_rhs(1 / (p * dt), 0, {0, 0, 0});
        implicit_->solve(1 / (p * dt), flux_middle_, rhs_, star_, when);
    });
    over_cells()[star_] = (1 - 1 / p) * u_ + 1 / p * star_;
    momentum_.boundary().follow(u_, dt);
    see(when);
    return {.s = dt, .c1 = 1 / dt, .bend = 0.5};
}

// The rule does not damp what swings in a step of diffusion: two steps of Euler's take that out of a start that does not agree with the boundaries
// (Rannacher 1984), and cost no order.
template <class Real>
double CollocatedFlow<Real>::place_of(double dt) const {
    return steps_ < damping_steps && dt * diffusion_rate_ > 1 ? 1 : 0.5;
}

// U + r (U - U_before): free of divergence, as both are.
template <class Real>
void CollocatedFlow<Real>::set_flux_middle(double r) {
    domain_.shared(Kind::face)[flux_middle_] = (1 + r) * flux_ - r * flux_before_;
    flux_before_.copy(flux_);
}

// V (c1 u + c2 u_before - q) + e . (n_now, n_before, n_earlier) + what walls diffuse.
template <class Real>
void CollocatedFlow<Real>::set_rhs(double c1, double c2, const std::array<double, 3>& e) {
    over_cells()[rhs_] = momentum_.stencil().volume * (c1 * u_ + c2 * u_before_ - q_) + (e[0] * n_now_ + e[1] * n_before_ + e[2] * n_earlier_) +
                         momentum_.wall_diffusion();
}

// Body force at a time and buoyancy as add_buoyancy() has it.
template <class Real>
void CollocatedFlow<Real>::put_force(double when, Field<Real>& to) {
    over_cells()[to] = 0;
    add_buoyancy(to);
    if (drive_.has_force()) over_cells()[to] += drive_.force(when);
}

// At the end of the last step.
template <class Real>
Field<Real> CollocatedFlow<Real>::last_force() {
    auto force = domain_.vector_field<Real>(Kind::cell);
    put_force(time_, force);
    if (is_midpoint_) add_buoyancy(force);  // of which one has half
    return force;
}

// From force_ to the new one, in force_before_: q and G keep the pressure, and become less another force.
template <class Real>
void CollocatedFlow<Real>::change_force() {
    std::swap(force_, force_before_);
    see_force();
    over_cells()[force_before_] -= force_;
    over_cells()[q_] += force_before_;
    coupling_.add_flux(force_before_, gradient_);
}

template <class Real>
void CollocatedFlow<Real>::see_force() {
    recover_at_nodes(momentum_.stencil(), force_, node_force_);
    momentum_.boundary().put_at_faces(force_, node_force_);
    projection_->see_force(force_, node_force_);
}

// Of the scalars as they are: at the end of the step, by the midpoint rule half of it before and half after it.
template <class Real>
void CollocatedFlow<Real>::add_buoyancy(Field<Real>& to) {
    for (std::size_t i = 0; i < scalars_.size(); ++i)
        for (int k = 0; k < d_; ++k)
            if (const double a = buoyant_acceleration_[i][k]; a != 0)
                over_cells()[column(to.write(), k)] += (scalars_[i]->values() - scalars_[i]->settings().reference) * a;
}

// star -> u: first the flux, which the face gradient, the cell gradient and u follow.
template <class Real>
void CollocatedFlow<Real>::correct(const Step& step, double when) {
    set_flux_star(step);
    check(projection_->project(flux_star_, flux_, step.s), when);
    follow_flux(step.s);
}

template <class Real>
void CollocatedFlow<Real>::follow_flux(double s) {
    const Over faces = domain_.shared(Kind::face);
    faces[gradient_] = 1 / s * (flux_star_ - flux_);
    if (follows_) faces[gradient_] += 1 / s * (follows_ * (free_star_ - flux_star_));
    std::swap(q_, q_before_);
    coupling_.to_cells(gradient_, carrier(), q_);
    over_cells()[u_] = star_ - s * q_ + s * q_before_;
}

template <class Real>
void CollocatedFlow<Real>::set_flux_star(const Step& step) {
    momentum_.to_faces(star_, flux_star_);
    coupling_.add_lag(is_midpoint_ ? flux_middle_ : carrier(), gradient_, q_, step, flux_star_);
    if (follows_) free_star_.copy(flux_star_);
    momentum_.boundary().hold_flux(flux_star_);
}

template <class Real>
void CollocatedFlow<Real>::freeze() {
    frozen_ = domain_.field<Real>(Kind::face);
    frozen_.copy(flux_);
}

template <class Real>
void CollocatedFlow<Real>::check(const SolveReport& report, double when) {
    projections_.add(report);
    check_converged(report, *projection_, when);
}

template <class Real>
void CollocatedFlow<Real>::check_converged(const SolveReport& report, const Projection<Real>& projection, double when) const {
    if (report.outcome == SolveOutcome::broken_down) solenoid::check_finite(domain_, star_, "the velocity", when);
    domain_.comm.agree([&] {
        if (report.converged()) return;
        std::string name = projection.name();
        for (char& c : name) c = c == '_' ? ' ' : c;
        throw ComputationError(fmt::format("{} at t = {:.6g} s: {}{}", name, when, report.explanation(projection.name()), or_shorter_step(when)));
    });
}

template <class Real>
void CollocatedFlow<Real>::check_finite() {
    const auto speeds = measures_.checked_speeds(u_, u_before_, time_);
    largest_change_ = speeds.change;
    speed_ = speeds.largest;
    courant_rate_ = measures_.courant(flux_, 1);
}

// ---- what a run asks for

template <class Real>
GradientIntegrals CollocatedFlow<Real>::gradient_integrals() {
    return measures_.gradient_integrals(u_.at_nodes(), momentum_.viscosity().in_cells());
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_velocity() {
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    momentum_.to_nodes_for_output(u_, at_nodes);
    return measures_.downloaded(at_nodes);
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::stream_function() {
    if (!is_exact_ && d_ == 3) return {};
    if (!is_exact_) see_stream_function();
    return measures_.stream_function((is_exact_ ? *projection_ : *stream_function_).potential());
}

// The classical method has none: that of its flux, whose divergence is what the pressure's solver left.
template <class Real>
void CollocatedFlow<Real>::see_stream_function() {
    if (!stream_function_)
        stream_function_ = std::make_unique<StreamFunction<Real>>(domain_, boundaries_.prescribed(), stream_function_settings_);
    stream_function_->prescribe(momentum_.boundary().flux());
    auto curl = domain_.field<Real>(Kind::face);
    check_converged(stream_function_->project(flux_, curl, 1), *stream_function_, time_);
}

template <class Real>
const Field<Real>& CollocatedFlow<Real>::recovered_pressure() {
    if (!recovery_) {
        std::vector<bool> is_given(domain_.mesh.mesh.faces(), false);
        for (Index f = 0; f < domain_.mesh.mesh.faces(); ++f)
            if (const FlowBoundary* boundary = boundaries_.boundary(f)) is_given[f] = boundary->condition->holds();
        recovery_ = std::make_unique<PressureRecovery<Real>>(domain_, OpenPressure(domain_, boundaries_, density_), is_given, pressure_settings_);
    }
    auto gradient = domain_.field<Real>(Kind::face);
    gradient.copy(gradient_);
    if (is_midpoint_)
        domain_.shared(Kind::face)[gradient] = (1 + pressure_reach_) * gradient - pressure_reach_ * gradient_before_;
    if (!force_) return recovery_->solve(gradient, time_);
    const Field<Real> force = last_force();
    return recovery_->solve(gradient, time_, &force.values());
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_pressure() {
    const auto values = recovered_pressure().with_ghosts().download();
    return {values.begin(), values.end()};
}

template <class Real>
std::vector<BoundaryForce> CollocatedFlow<Real>::boundary_forces() {
    if (!forces_) forces_ = std::make_unique<BoundaryForces<Real>>(domain_, boundaries_, momentum_.stencil(), momentum_.viscosity());
    const Field<Real>& p = recovered_pressure();
    const auto values = p.with_ghosts().download();
    std::vector<BoundaryForce> forces = forces_->measure(u_.with_boundary(), u_.at_nodes(), {values.begin(), values.end()});
    add_weak_forces(p, forces);
    return forces;
}

// The first time du/dt is that between the last two states; steps from then on keep their own.
template <class Real>
void CollocatedFlow<Real>::add_weak_forces(const Field<Real>& p, std::vector<BoundaryForce>& forces) {
    if (!weak_forces_) {
        weak_forces_ = std::make_unique<WeakForces<Real>>(domain_, boundaries_, *recovery_, momentum_.viscosity());
        body_ = domain_.vector_field<Real>(Kind::cell);
        rate_ = momentum_.lengthened();
        const double part = last_step_ > 0 ? 1 / last_step_ : 0;
        over_cells()[rate_] = part * u_ - part * u_before_;
    }
    if (force_) body_.copy(last_force());
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    momentum_.to_nodes_for_output(u_, at_nodes);
    weak_forces_->measure({at_nodes, p, rate_, body_}, forces);
}

template <class Real>
bool CollocatedFlow<Real>::follow_energy() {
    if (!budget_) budget_ = std::make_unique<EnergyBudget<Real>>(domain_, boundaries_, momentum_);
    return true;
}

template <class Real>
EnergyTerms CollocatedFlow<Real>::energy_terms() {
    over_cells()[rhs_] = 0;
    if (force_) over_cells()[rhs_] = force_;
    over_cells()[q_before_] = q_ + rhs_;
    double driven = 0;
    for (const SectionFlow& section : sections())
        if (section.pressure_rise) driven -= *section.pressure_rise * section.flux;
    if (budget_->needs_pressure()) budget_->see_pressure(node_pressure());
    return budget_->measure({u_, flux_, u_before_, star_, q_before_, rhs_, driven});
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_vorticity() {
    return vorticity_at_nodes(domain_.mesh.mesh, domain_.geometry, node_velocity());
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_q_criterion() {
    return q_criterion_at_nodes(domain_.mesh.mesh, domain_.geometry, node_velocity());
}

template <class Real>
std::vector<std::pair<std::string, SolveTotals>> CollocatedFlow<Real>::solves() const {
    SolveTotals projections = projections_;
    projections.preconditioner = projection_->preconditioner();
    std::vector<std::pair<std::string, SolveTotals>> all{{projection_->name(), projections}, {"momentum", implicit_ ? implicit_->solves() : momentum_.solves()}};
    for (const auto& scalar : scalars_) all.emplace_back(scalar->settings().name, scalar->solves());
    return all;
}

template <class Real>
std::size_t CollocatedFlow<Real>::halo_bytes() const {
    std::size_t bytes = projection_->halo_bytes() + momentum_.halo_bytes();
    for (const auto& scalar : scalars_) bytes += scalar->halo_bytes();
    return bytes;
}

template class CollocatedFlow<float>;
template class CollocatedFlow<double>;

}  // namespace solenoid
