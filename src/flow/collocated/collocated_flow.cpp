#include "flow/collocated/collocated_flow.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "device/expression.hpp"
#include "flow/boundary/sharp_edges.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/projection/stream_function.hpp"
#include "flow/settings/cg_settings.hpp"

namespace solenoid {

template <class Real>
CollocatedFlow<Real>::CollocatedFlow(const Domain& domain, const FlowCase& flow)
    : stream_function_settings_(cg_settings<Real>(flow.solvers.stream_function)),
      pressure_settings_(cg_settings<Real>(flow.solvers.pressure)),
      has_energy_budget_(kind_of(time_scheme_kinds(), flow.flow.time_scheme).has_energy_budget),
      s_(domain, flow, kind_of(time_scheme_kinds(), flow.flow.time_scheme).force_shares),
      scheme_(kind_of(time_scheme_kinds(), flow.flow.time_scheme)
                  .make.template of<Real>()(s_, cg_settings<Real>(flow.solvers.momentum).stop)),
      motion_(domain),
      found_(domain) {
    keep_in_snapshots();
    s_.start_from(flow.initial_velocity);
    s_.momentum.update_viscosity(0, s_.u);
    s_.force.start(0);
    if (flow_method(flow.flow.method).solves_for_pressure)
        s_.start_from_pressure(flow.initial_pressure);
}

// Bounded scalars divide a long step into parts and do not limit it.
template <class Real>
double CollocatedFlow<Real>::courant_limit() const {
    return scheme_->courant_limit(std::ranges::any_of(
        s_.scalars, [](const auto& scalar) { return !scalar->scheme().keeps_range(); }));
}

// ---- a step

template <class Real>
void CollocatedFlow<Real>::step(double dt) {
    const bool is_first = s_.last_step == 0, restarts = std::exchange(restarts_, false);
    if (errors_) errors_->begin(is_first || restarts);
    if (!is_first && !restarts) return advance(dt, dt / s_.last_step);
    if (is_first && s_.starts_with_pressure) return advance(dt, 0);
    // The first step, and the first one after a jump of the data, is made twice. The first pass
    // finds the pressure gradient that the second one starts with.
    motion_.take();
    try {
        advance(dt, 0);
    } catch (...) {
        motion_.drop();
        throw;
    }
    motion_.restore();
    BoundaryVelocity<Real>& boundary = s_.momentum.boundary();
    boundary.forget();
    boundary.restart_from(boundary.flux());
    s_.update(s_.time);
    s_.momentum.update_viscosity(s_.time, s_.u);
    advance(dt, 0);
}

// Every class adds its own state to the snapshots.
template <class Real>
void CollocatedFlow<Real>::keep_in_snapshots() {
    s_.keep_in(motion_, found_);
    scheme_->keep_in(motion_);
    motion_.add(rate_);
    found_.add_value(restarts_);
}

template <class Real>
bool CollocatedFlow<Real>::follow_errors() {
    if (!errors_) errors_ = std::make_unique<TimeErrors<Real>>(s_);
    return true;
}

template <class Real>
void CollocatedFlow<Real>::keep_state() {
    motion_.take();
    found_.take();
}

template <class Real>
void CollocatedFlow<Real>::take_back() {
    motion_.restore();
    found_.restore();
}

template <class Real>
void CollocatedFlow<Real>::let_go() {
    motion_.drop();
    found_.drop();
}

// One step from (u, u_before) to u with w = dt / dt_before; w = 0: there is no earlier state.
template <class Real>
void CollocatedFlow<Real>::advance(double dt, double w) {
    const Bdf2 bdf2{dt, w};
    // rate = (a u_new - (1 + w) u + w^2 / (1 + w) u_before) / dt, the last two terms first
    if (rate_) s_.over_cells()[rate_] = -bdf2.c2() * s_.u_before - bdf2.c1() * s_.u;
    scheme_->step(dt, w);
    if (!s_.frozen) s_.coupling.constrain(s_.flux, s_.u);
    if (rate_) s_.over_cells()[rate_] += bdf2.shift() * s_.u;
    s_.coupling.accept();
    s_.time += dt;
    s_.step_before = w > 0 ? s_.last_step : 0;
    s_.last_step = dt;
    ++s_.steps;
    s_.momentum.boundary().enter(s_.carrier(), s_.momentum.viscosity().host_boundary(), dt,
                                 s_.time);
    s_.check_finite();
}

template <class Real>
typename CollocatedFlow<Real>::State CollocatedFlow<Real>::state() {
    return {s_.u,
            s_.u_before,
            s_.q,
            scheme_->history(),
            s_.flux,
            s_.coupling.lag_before(),
            s_.coupling.rest_before(),
            s_.gradient,
            s_.projection->potential(),
            s_.time,
            s_.last_step,
            s_.step_before};
}

template <class Real>
void CollocatedFlow<Real>::freeze() {
    s_.frozen = s_.domain.template field<Real>(Kind::face);
    s_.frozen.copy(s_.flux);
    s_.momentum.freeze(s_.u);
}

// ---- results

template <class Real>
std::vector<RateOfChange> CollocatedFlow<Real>::changes() {
    std::vector<RateOfChange> found = velocity_change();
    if (!found.empty()) found.push_back(pressure_change());
    for (const auto& scalar : s_.scalars) {
        const auto [change, size] = scalar->change();
        if (size > 0 || change > 0)
            found.push_back({scalar->settings().name, "its range", change / s_.last_step, size});
    }
    return found;
}

// The change of q, the pressure gradient less the force, as a root mean square over the volume. An
// incremental projection may change it while the velocity is steady. Its size is the largest of
//   |q|,   |f - mean f|,   |u|^2 / V^(1/d),   dissipation / (V |u|)
// in root mean squares: a gradient that is small beside these is noise of the solver. q and
// q_before are less the same force, so that q - q_before is the change of grad p.
template <class Real>
RateOfChange CollocatedFlow<Real>::pressure_change() {
    const auto& volume = s_.momentum.stencil().volume;
    const Over cells = s_.over_cells();
    std::array<double, 4> sums{};
    if (s_.domain.cells.owned)
        sums = {cells.dot(volume, square(s_.q - s_.q_before)), cells.dot(volume, square(s_.q)),
                cells.dot(volume, square(s_.u)), cells.sum(volume)};
    s_.domain.comm.sum(sums);
    const double all = sums[3], change = std::sqrt(sums[0] / all),
                 gradient = std::sqrt(sums[1] / all), speed = std::sqrt(sums[2] / all);
    const double inertia = speed * speed / std::pow(all, 1.0 / s_.d),
                 friction = gradient_integrals().dissipation / all / speed;
    return {"the pressure", "its gradient", change / s_.last_step,
            std::max({gradient, uneven_force(all), inertia, friction})};
}

// The root mean square of f - mean f over the volume `all` [m/s^2].
template <class Real>
double CollocatedFlow<Real>::uneven_force(double all) {
    if (!s_.force.is_there()) return 0;
    const Over cells = s_.over_cells();
    const auto& volume = s_.momentum.stencil().volume;
    const Field<Real>& force = s_.force.values();
    std::array<double, 4> sums{};  // of its components, of its square
    if (s_.domain.cells.owned) {
        for (int k = 0; k < s_.d; ++k) sums[k] = cells.dot(volume, column(force, k));
        sums[3] = cells.dot(volume, square(force));
    }
    s_.domain.comm.sum(sums);
    return std::sqrt(std::max(
        0.0,
        sums[3] / all - (sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2]) / (all * all)));
}

template <class Real>
GradientIntegrals CollocatedFlow<Real>::gradient_integrals() {
    return s_.measures.gradient_integrals(s_.u.at_nodes(), s_.momentum.viscosity().in_cells());
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_velocity() {
    auto at_nodes = s_.domain.template vector_field<Real>(Kind::node);
    s_.momentum.to_nodes_for_output(s_.u, at_nodes);
    return s_.measures.downloaded(at_nodes);
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::stream_function() {
    Field<Real>* found = s_.projection->stream_function();
    if (!found && s_.d == 3) return {};
    if (!found) update_stream_function();
    return s_.measures.stream_function(found ? *found : stream_function_->potential(),
                                       s_.boundaries.prescribed());
}

// Fits a stream function to the flux. The flux has the divergence that the pressure solve left.
template <class Real>
void CollocatedFlow<Real>::update_stream_function() {
    if (!stream_function_)
        stream_function_ = std::make_unique<StreamFunction<Real>>(
            s_.domain, s_.boundaries.prescribed(), stream_function_settings_);
    stream_function_->prescribe(s_.momentum.boundary().flux());
    auto curl = s_.domain.template field<Real>(Kind::face);
    s_.check_converged(stream_function_->project(s_.flux, curl, 1), *stream_function_, s_.time);
}

template <class Real>
const SharpEdges& CollocatedFlow<Real>::sharp_edges() {
    if (!sharp_edges_) sharp_edges_.emplace(s_.domain, s_.boundaries);
    return *sharp_edges_;
}

template <class Real>
const Field<Real>& CollocatedFlow<Real>::recovered_pressure() {
    if (!recovery_) {
        std::vector<bool> is_given(s_.domain.mesh.mesh.faces(), false);
        for (Index f = 0; f < s_.domain.mesh.mesh.faces(); ++f)
            if (const FlowBoundary* boundary = s_.boundaries.boundary(f))
                is_given[f] = boundary->condition->holds();
        OpenPressure open_pressure(s_.domain, s_.boundaries, s_.density);
        if (const InletMean* inlets = s_.momentum.boundary().pressure_inflow().inlets())
            open_pressure.follow(*inlets);
        recovery_ = std::make_unique<PressureRecovery<Real>>(s_.domain, open_pressure, is_given,
                                                             pressure_settings_);
        if (sharp_edges().exist)
            recovery_->correct_by(std::make_unique<CellPressure<Real>>(
                s_.domain, s_.boundaries, open_pressure, pressure_settings_));
    }
    auto gradient = s_.domain.template field<Real>(Kind::face);
    gradient.copy(s_.gradient);
    const Field<Real>* in_cells =
        scheme_->bring_to_end(gradient) ? nullptr : s_.projection->pressure();
    const Field<Real>* body = body_at_end();
    return recovery_->solve(gradient, s_.time, body ? &body->values() : nullptr, in_cells);
}

// The rise at the end of the step, extrapolated where the scheme has the pressure at another time.
template <class Real>
std::vector<std::optional<double>> CollocatedFlow<Real>::pressure_rise() const {
    auto rise = s_.projection->pressure_rise();
    scheme_->bring_rise_to_end(rise);
    return rise;
}

// The mean pressure gradient of imposed fluxes at the end of the step.
template <class Real>
const MeanGradient& CollocatedFlow<Real>::mean_gradient() {
    if (!mean_gradient_) mean_gradient_ = std::make_unique<MeanGradient>(s_.domain, s_.boundaries);
    mean_gradient_->update_pressure_rise(pressure_rise());
    return *mean_gradient_;
}

// The force on cells at the end of the step: body forces, buoyancy, and the mean gradient of
// imposed fluxes. Null: there is none.
template <class Real>
const Field<Real>* CollocatedFlow<Real>::body_at_end() {
    if (!s_.force.is_there() && !s_.forcing.imposes()) return nullptr;
    if (!body_) body_ = s_.domain.template vector_field<Real>(Kind::cell);
    if (s_.force.is_there())
        body_.copy(s_.force.at(s_.time));
    else
        s_.domain.held(Kind::cell)[body_] = 0;
    if (s_.forcing.imposes()) mean_gradient().take_from(body_);
    return &body_;
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_pressure() {
    const auto values = recovered_pressure().with_ghosts().download();
    return {values.begin(), values.end()};
}

template <class Real>
std::vector<BoundaryForce> CollocatedFlow<Real>::boundary_forces() {
    if (!forces_)
        forces_ =
            std::make_unique<BoundaryForces<Real>>(s_.domain, s_.boundaries, sharp_edges(),
                                                   s_.momentum.stencil(), s_.momentum.viscosity());
    const Field<Real>& p = recovered_pressure();
    const auto values = p.with_ghosts().download();
    make_weak_forces();
    body_at_end();
    auto at_nodes = s_.domain.template vector_field<Real>(Kind::node);
    s_.momentum.to_nodes_for_output(s_.u, at_nodes);
    const FlowState<Real> state{at_nodes, p, rate_, body_};
    std::vector<BoundaryForce> forces =
        forces_->measure(s_.u.with_boundary(), s_.u.at_nodes(), {values.begin(), values.end()},
                         weak_forces_->react(state));
    weak_forces_->measure(state, forces);
    // with the pressure rise that recovered_pressure() used
    if (s_.forcing.imposes()) mean_gradient_->add_to(forces);
    return forces;
}

// At the first call du/dt is (u - u_before) / dt of the last step; later steps compute their own.
template <class Real>
void CollocatedFlow<Real>::make_weak_forces() {
    if (weak_forces_) return;
    weak_forces_ = std::make_unique<WeakForces<Real>>(s_.domain, s_.boundaries, *recovery_,
                                                      s_.momentum.viscosity());
    if (!body_) body_ = s_.domain.template vector_field<Real>(Kind::cell);
    rate_ = s_.momentum.with_boundary_values();
    const double part = s_.last_step > 0 ? 1 / s_.last_step : 0;
    s_.over_cells()[rate_] = part * s_.u - part * s_.u_before;
}

template <class Real>
EnergyTerms CollocatedFlow<Real>::energy_terms() {
    if (!has_energy_budget_ || s_.steps == 0) return {};
    if (!budget_)
        budget_ = std::make_unique<EnergyBudget<Real>>(s_.domain, s_.boundaries, s_.momentum);
    auto transport = s_.domain.template vector_field<Real>(Kind::cell),
         projected = s_.domain.template vector_field<Real>(Kind::cell);
    const Bdf2 bdf2 = scheme_->explain(transport, projected);
    auto force = s_.domain.template vector_field<Real>(Kind::cell),
         gradient = s_.domain.template vector_field<Real>(Kind::cell);
    if (s_.force.is_there()) s_.over_cells()[force] = s_.force.values();
    if (s_.forcing.imposes()) mean_gradient().take_from(force);
    s_.over_cells()[gradient] = s_.q + force;
    std::vector<double> pressure;
    if (budget_->needs_pressure()) pressure = node_pressure();
    return budget_->measure({bdf2, s_.u, s_.flux, s_.u_before, s_.u_earlier, s_.star, transport,
                             projected, gradient, force, pressure});
}

template <class Real>
std::vector<std::pair<std::string, SolveTotals>> CollocatedFlow<Real>::solves() const {
    SolveTotals projections = s_.projections;
    projections.preconditioner = s_.projection->preconditioner();
    std::vector<std::pair<std::string, SolveTotals>> all{{s_.projection->name(), projections},
                                                         {"momentum", scheme_->solves()}};
    for (const auto& scalar : s_.scalars)
        all.emplace_back(scalar->settings().name, scalar->solves());
    return all;
}

template class CollocatedFlow<float>;
template class CollocatedFlow<double>;

}  // namespace solenoid
