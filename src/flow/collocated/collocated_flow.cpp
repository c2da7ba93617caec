#include "flow/collocated/collocated_flow.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "device/expression.hpp"
#include "flow/boundary/sharp_edges.hpp"
#include "flow/convection/convection_scheme.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/projection/stream_function.hpp"
#include "flow/settings/cg_settings.hpp"

namespace solenoid {
namespace {

// The two groups of the state: `found` has the pressure gradient, the force and the
// preconditioners, which the second pass of a first step starts from, `motion` the rest.
const std::string motion = "motion", found = "found";

}  // namespace

template <class Real>
CollocatedFlow<Real>::CollocatedFlow(const Domain& domain, const FlowCase& flow)
    : domain_(domain),
      d_(domain.dimension),
      time_scheme_(kind_of(time_scheme_kinds(), flow.flow.time_scheme)),
      boundaries_(domain, flow.boundaries),
      density_(flow.fluid.density),
      stream_function_settings_(cg_settings<Real>(flow.solvers.stream_function)),
      pressure_settings_(cg_settings<Real>(flow.solvers.pressure)),
      momentum_(domain, boundaries_, ViscosityModel(flow.fluid.viscosity, flow.fluid.law),
                {convection_scheme(flow.flow.convection), flow.flow.jump_penalty},
                cg_settings<Real>(flow.solvers.momentum)),
      measures_(domain, momentum_.stencil()),
      coupling_(domain, boundaries_, momentum_),
      forcing_(domain, flow),
      projection_(domain, flow, boundaries_, momentum_, forcing_),
      sources_(domain, flow, boundaries_, forcing_, momentum_, coupling_, projection_,
               time_scheme_.buoyancy),
      s_(domain, momentum_),
      step_(time_scheme_.make.template of<Real>()(
          {domain, boundaries_, s_, momentum_, coupling_, projection_, sources_,
           cg_settings<Real>(flow.solvers.momentum).stop, flow.step_tolerance})) {
    start_from(flow.initial_velocity);
    momentum_.update_viscosity(0, s_.u);
    sources_.start(0);
    if (flow_method(flow.flow.method).solves_for_pressure)
        start_from_pressure(flow.initial_pressure);
    register_state();
}

// ---- the start

// Sets u and the flux to an initial velocity [m/s], projected; q = G = 0. Throws InputError where a
// value of the formula is not finite, ComputationError where the projection fails.
template <class Real>
void CollocatedFlow<Real>::start_from(const VectorFormula& initial) {
    std::vector<Real> values(std::size_t(s_.star.size()) * d_, Real(0));
    domain_.comm.agree([&] {
        for (Index c = 0; c < domain_.cells.owned; ++c)
            for (int k = 0; k < d_; ++k)
                values[std::size_t(k) * s_.star.size() + c] =
                    static_cast<Real>(initial[k].quantity(domain_.geometry.cell_centroid[c], 0));
    });
    s_.star.upload(values);
    momentum_.boundary().follow_from(initial);
    projection_.update_boundary(0);
    // where the viscosity jumps the velocity has a kink, which its face values depend on
    momentum_.update_properties(0, s_.star);
    auto flux_star = domain_.field<Real>(Kind::face);
    momentum_.to_faces(s_.star, flux_star);
    coupling_.add_lag(s_.flux, s_.gradient, s_.q, {.s = 1}, flux_star);
    projection_.impose_boundary_flux(flux_star);
    projection_.project_initial(flux_star, s_.flux, s_.star);
    momentum_.boundary().enter_from(initial, s_.flux);
    // u = u* - (q - q_before),   q = R (U* - U),   q_before = 0
    projection_.take_gradient(flux_star, s_.flux, 1, s_.gradient);
    coupling_.to_cells(s_.gradient, s_.flux, s_.q);
    over_cells()[s_.u] = s_.star - s_.q + s_.q_before;
    for (auto* field : {&s_.q, &s_.q_before}) over_cells()[*field] = 0;
    domain_.held(Kind::face)[s_.gradient] = 0;
    check_finite();
}

// Sets p, G and q from an initial pressure [Pa]; nothing where it is the constant 0. The first step
// then needs one pass.
template <class Real>
void CollocatedFlow<Real>::start_from_pressure(const Formula& initial) {
    if (initial.is_constant() && initial(Vec3(0)) == 0) return;
    projection_.update_curved_walls(s_.u);
    projection_.take_initial_gradient(initial, density_, s_.gradient);
    coupling_.to_cells(s_.gradient, s_.q);
    s_.q_before.copy(s_.q);
    starts_with_pressure_ = true;
}

// ---- a step

template <class Real>
std::string CollocatedFlow<Real>::chosen_form() const {
    const std::string form = step_->chosen_form();
    const double bound = momentum_.stencil().explicit_diffusion_bound;
    if (!form.empty() || sources_.scalars().empty() ||
        bound <= most_of_explicit_diffusion_of_scalars)
        return form;
    return fmt::format(
        "all of the scalars' diffusion is implicit: eigenvalues of an explicit part may be {:.2g} "
        "of the implicit one's, above {:.2g}",
        bound, most_of_explicit_diffusion_of_scalars);
}

// With scalars that a step carries explicitly the limit is that of their BDF2. Bounded scalars
// divide a long step into parts and do not limit it.
template <class Real>
double CollocatedFlow<Real>::courant_limit() const {
    const bool has_explicit_scalars = std::ranges::any_of(
        sources_.scalars(), [](const auto& scalar) { return !scalar->scheme().keeps_range(); });
    return has_explicit_scalars ? std::min(1.0, time_scheme_.courant_limit)
                                : time_scheme_.courant_limit;
}

template <class Real>
void CollocatedFlow<Real>::step(double dt) {
    const bool is_first = s_.last_step == 0, restarts = std::exchange(restarts_, false);
    if (errors_) errors_->begin(is_first || restarts);
    if (!is_first && !restarts) return advance(dt, dt / s_.last_step);
    if (restarts) passes_ = 0;  // no pressure before the jump helps to find the one after it
    if (is_first && starts_with_pressure_) return advance(dt, 0);
    // The first step, and the first one after a jump of the data, is made twice. The first pass
    // finds the pressure gradient that the second one starts with.
    state().take(motion);
    try {
        advance(dt, 0);
    } catch (...) {
        state().drop(motion);
        throw;
    }
    state().restore(motion);
    BoundaryVelocity<Real>& boundary = momentum_.boundary();
    boundary.forget();
    boundary.restart_from(boundary.flux());
    projection_.update_boundary(s_.time);
    momentum_.update_viscosity(s_.time, s_.u);
    advance(dt, 0);
}

// One step from (u, u_before) to u with w = dt / dt_before; w = 0: there is no earlier state.
template <class Real>
void CollocatedFlow<Real>::advance(double dt, double w) {
    const Bdf2 bdf2{dt, w};
    // rate = (a u_new - (1 + w) u + w^2 / (1 + w) u_before) / dt, the last two terms first
    if (rate_) over_cells()[rate_] = -bdf2.c2() * s_.u_before - bdf2.c1() * s_.u;
    step_->advance({dt, w, passes_ < 2});
    passes_ = std::min(passes_ + 1, 2);
    has_stepped_ = true;
    // |u - v| <= 2 max |U|/A, v interpolated from the flux
    if (!s_.frozen) coupling_.constrain(s_.flux, s_.u);
    if (rate_) over_cells()[rate_] += bdf2.shift() * s_.u;
    coupling_.accept();
    s_.advance_clock(dt, w);
    // what enters where a pressure is given
    momentum_.boundary().enter(s_.carrier(), momentum_.viscosity().host_boundary(), dt, s_.time);
    check_finite();
}

template <class Real>
void CollocatedFlow<Real>::check_finite() {
    const auto speeds = measures_.checked_speeds(s_.u, s_.u_before, s_.time);
    largest_change_ = speeds.change;
    speed_ = speeds.largest;
    courant_rate_ = measures_.courant(s_.flux, 1);
}

// ---- the state

// Every class registers what it keeps.
template <class Real>
void CollocatedFlow<Real>::register_state() {
    const State<Real> all = State<Real>(domain_, this->state()).part("flow"),
                      in_motion = all.group(motion), in_found = all.group(found);
    s_.register_state(in_motion, in_found);
    in_motion.add("change", largest_change_, not_negative);
    in_motion.add("speed", speed_, not_negative);
    in_motion.add("courant_rate", courant_rate_, not_negative);
    in_found.stack(restarts_);  // a flow that is saved has made the step after a jump
    in_found.add("passes", passes_, {0, 2});
    momentum_.register_state(in_motion.part("momentum"), in_found.part("momentum"));
    coupling_.register_state(in_motion.part("coupling"));
    projection_.register_state(in_motion.part("projection"), in_found.part("projection"));
    sources_.register_state(in_motion, in_found);
    step_->register_state(in_motion.part("scheme"));
    in_motion.off_stack().remade([this] { has_stepped_ = false; });
    // what results need, from when they were first asked for
    in_motion.add("rate", rate_, [this] { return momentum_.with_boundary_values(); });
    const auto recovered = [this] { return recovery_ ? &recovery_->guess() : nullptr; };
    in_motion.off_stack().add("recovered_pressure", recovered, [this] { recovery(); });
    const auto in_cells = [this] { return recovery_ ? recovery_->cell_guess() : nullptr; };
    in_motion.off_stack().add("recovered_cell_pressure", in_cells, [this] { recovery(); });
    in_motion.off_stack().add("recovered_in", recovered_in_, of_any_count);
    in_motion.off_stack().add("stream_function_in", stream_function_in_, of_any_count);
    in_motion.off_stack().template add<bool>(
        "has_stream_function", [this] { return stream_function_ != nullptr; },
        [this](const bool& is_there) {
            if (is_there && !stream_function_) make_stream_function();
        });
}

template <class Real>
bool CollocatedFlow<Real>::follow_errors() {
    if (!errors_) {
        errors_ =
            std::make_unique<TimeErrors<Real>>(domain_, s_, sources_, momentum_.stencil().volume);
        errors_->register_state(State<Real>(domain_, this->state()).part("flow/errors"));
    }
    return true;
}

template <class Real>
void CollocatedFlow<Real>::freeze() {
    s_.frozen = domain_.field<Real>(Kind::face);
    s_.frozen.copy(s_.flux);
    momentum_.freeze(s_.u);
}

// ---- results

template <class Real>
std::vector<RateOfChange> CollocatedFlow<Real>::changes() {
    std::vector<RateOfChange> found = velocity_change();
    if (!found.empty()) found.push_back(pressure_change());
    for (const auto& scalar : sources_.scalars()) {
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
    const auto& volume = momentum_.stencil().volume;
    const Over cells = over_cells();
    std::array<double, 4> sums{cells.dot(domain_.comm, volume, square(s_.q - s_.q_before)),
                               cells.dot(domain_.comm, volume, square(s_.q)),
                               cells.dot(domain_.comm, volume, square(s_.u)),
                               cells.sum(domain_.comm, volume)};
    domain_.comm.sum(sums);
    const double all = sums[3], change = std::sqrt(sums[0] / all),
                 gradient = std::sqrt(sums[1] / all), speed = std::sqrt(sums[2] / all);
    const double inertia = speed * speed / std::pow(all, 1.0 / d_),
                 friction = gradient_integrals().dissipation / all / speed;
    return {"the pressure", "its gradient", change / s_.last_step,
            std::max({gradient, uneven_force(all), inertia, friction})};
}

// The root mean square of f - mean f over the volume `all` [m/s^2].
template <class Real>
double CollocatedFlow<Real>::uneven_force(double all) {
    if (!sources_.has_force()) return 0;
    const Over cells = over_cells();
    const auto& volume = momentum_.stencil().volume;
    const Field<Real>& force = sources_.force();
    std::array<double, 4> sums{};  // of its components, of its square
    for (int k = 0; k < d_; ++k) sums[k] = cells.dot(domain_.comm, volume, column(force, k));
    sums[3] = cells.dot(domain_.comm, volume, square(force));
    domain_.comm.sum(sums);
    return std::sqrt(std::max(
        0.0,
        sums[3] / all - (sums[0] * sums[0] + sums[1] * sums[1] + sums[2] * sums[2]) / (all * all)));
}

template <class Real>
GradientIntegrals CollocatedFlow<Real>::gradient_integrals() {
    return measures_.gradient_integrals(s_.u.at_nodes(), momentum_.viscosity().in_cells());
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_velocity() {
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    momentum_.to_nodes_for_output(s_.u, at_nodes);
    return measures_.downloaded(at_nodes);
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::stream_function() {
    Field<Real>* found = projection_.stream_function();
    if (!found && d_ == 3) return {};
    if (!found && stream_function_in_ != this_state()) update_stream_function();
    return measures_.stream_function(found ? *found : stream_function_->potential(),
                                     boundaries_.prescribed());
}

template <class Real>
void CollocatedFlow<Real>::make_stream_function() {
    stream_function_ = std::make_unique<StreamFunction<Real>>(domain_, boundaries_.prescribed(),
                                                              stream_function_settings_);
    const State<Real> all(domain_, this->state());
    stream_function_->register_state(all.part("flow/stream_function").group(motion).off_stack());
}

// Fits a stream function to the flux. The flux has the divergence that the pressure solve left.
template <class Real>
void CollocatedFlow<Real>::update_stream_function() {
    if (!stream_function_) make_stream_function();
    stream_function_->prescribe(momentum_.boundary().flux());
    auto curl = domain_.field<Real>(Kind::face);
    projection_.check_converged(stream_function_->project(s_.flux, curl, 1), *stream_function_,
                                s_.time, s_.star);
    stream_function_in_ = this_state();
}

// Tells states apart, also a step from one that was taken back.
template <class Real>
std::vector<double> CollocatedFlow<Real>::this_state() const {
    return {static_cast<double>(s_.steps), s_.time, s_.last_step};
}

template <class Real>
const SharpEdges& CollocatedFlow<Real>::sharp_edges() {
    if (!sharp_edges_) sharp_edges_.emplace(domain_, boundaries_);
    return *sharp_edges_;
}

template <class Real>
PressureRecovery<Real>& CollocatedFlow<Real>::recovery() {
    if (!recovery_) {
        std::vector<bool> is_given(domain_.mesh.mesh.faces(), false);
        for (Index f = 0; f < domain_.mesh.mesh.faces(); ++f)
            if (const FlowBoundary* boundary = boundaries_.boundary(f))
                is_given[f] = boundary->condition->holds();
        OpenPressure open_pressure(domain_, boundaries_, density_);
        if (const InletMean* inlets = momentum_.boundary().pressure_inflow().inlets())
            open_pressure.follow(*inlets);
        recovery_ = std::make_unique<PressureRecovery<Real>>(domain_, open_pressure, is_given,
                                                             pressure_settings_);
        if (sharp_edges().exist)
            recovery_->correct_by(std::make_unique<CellPressure<Real>>(
                domain_, boundaries_, open_pressure, pressure_settings_));
    }
    return *recovery_;
}

template <class Real>
PressureSources<Real> CollocatedFlow<Real>::pressure_sources(Field<Real>& gradient) {
    gradient = domain_.field<Real>(Kind::face);
    gradient.copy(s_.gradient);
    const Field<Real>* in_cells = step_->bring_to_end(gradient) ? nullptr : projection_.pressure();
    const Field<Real>* body = body_at_end();
    return {&gradient, body ? &body->values() : nullptr, in_cells};
}

template <class Real>
const Field<Real>& CollocatedFlow<Real>::recovered_pressure() {
    Field<Real> gradient;
    const PressureSources<Real> from = pressure_sources(gradient);
    const std::vector<double> now = this_state();
    if (recovered_in_ == now) return recovery().again(s_.time, from.in_cells);
    const Field<Real>& found = recovery().solve(gradient, s_.time, from.force, from.in_cells);
    recovered_in_ = now;
    return found;
}

// The rise at the end of the step, extrapolated where the scheme has the pressure at another time.
template <class Real>
std::vector<std::optional<double>> CollocatedFlow<Real>::pressure_rise() const {
    auto rise = projection_.pressure_rise();
    step_->bring_rise_to_end(rise);
    return rise;
}

// The mean pressure gradient of imposed fluxes at the end of the step.
template <class Real>
const MeanGradient& CollocatedFlow<Real>::mean_gradient() {
    if (!mean_gradient_) mean_gradient_ = std::make_unique<MeanGradient>(domain_, boundaries_);
    mean_gradient_->update_pressure_rise(pressure_rise());
    return *mean_gradient_;
}

// The force on cells at the end of the step: body forces, buoyancy, and the mean gradient of
// imposed fluxes. Null: there is none.
template <class Real>
const Field<Real>* CollocatedFlow<Real>::body_at_end() {
    if (!sources_.has_force() && !forcing_.imposes()) return nullptr;
    if (!body_) body_ = domain_.vector_field<Real>(Kind::cell);
    if (sources_.has_force())
        body_.copy(sources_.force_at(s_.time));
    else
        domain_.held(Kind::cell)[body_] = 0;
    if (forcing_.imposes()) mean_gradient().take_from(body_);
    return &body_;
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::node_pressure() {
    const auto values = recovered_pressure().with_ghosts().download();
    return {values.begin(), values.end()};
}

template <class Real>
void CollocatedFlow<Real>::make_forces() {
    if (!forces_)
        forces_ = std::make_unique<BoundaryForces<Real>>(
            domain_, boundaries_, sharp_edges(), momentum_.stencil(), momentum_.viscosity());
    if (!weak_forces_)
        weak_forces_ = std::make_unique<WeakForces<Real>>(
            domain_, boundaries_, recovery(), momentum_.viscosity(), forces_->patch_nodes());
    if (!rate_) make_rate();
    if (!body_) body_ = domain_.vector_field<Real>(Kind::cell);
}

template <class Real>
std::vector<BoundaryForce> CollocatedFlow<Real>::boundary_forces() {
    const Field<Real>& p = recovered_pressure();
    const auto values = p.with_ghosts().download();
    make_forces();
    body_at_end();
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    CellField<Real>& u = s_.at_walls();
    momentum_.to_nodes_for_output(u, at_nodes);
    const FlowState<Real> state{at_nodes, p, rate_, body_};
    std::vector<BoundaryForce> forces =
        forces_->measure(u.with_boundary(), u.at_nodes(), {values.begin(), values.end()},
                         weak_forces_->react(state));
    std::vector<std::size_t> all(forces.size());
    std::iota(all.begin(), all.end(), std::size_t(0));
    weak_forces_->measure(state, all, forces);
    // with the pressure rise that recovered_pressure() used
    if (forcing_.imposes()) mean_gradient_->add_to(forces);
    return forces;
}

// With the pressure 0, and with what the pressure adds.
template <class Real>
std::vector<BoundaryForce> CollocatedFlow<Real>::watched_forces(
    const std::vector<std::size_t>& boundaries) {
    Field<Real> gradient;
    const PressureSources<Real> from = pressure_sources(gradient);
    make_forces();
    if (!watched_forces_) {
        watched_forces_ = std::make_unique<WatchedForces<Real>>(domain_, *forces_, *weak_forces_,
                                                                recovery(), from);
        no_pressure_ = domain_.field<Real>(Kind::node);
    }
    watched_forces_->watch(boundaries);
    const std::vector<PressureLoads> loads = watched_forces_->loads(from, s_.time);
    auto at_nodes = domain_.vector_field<Real>(Kind::node);
    CellField<Real>& u = s_.at_walls();
    momentum_.to_nodes_for_output(u, at_nodes);
    const FlowState<Real> state{at_nodes, no_pressure_, rate_, body_};
    std::vector<BoundaryForce> forces = forces_->measure(
        u.with_boundary(), u.at_nodes(), weak_forces_->react(state), loads, boundaries);
    weak_forces_->measure(state, boundaries, forces);
    for (const std::size_t b : boundaries) {
        forces[b].weak += loads[b].weak;
        forces[b].weak_moment += loads[b].weak_moment;
    }
    if (forcing_.imposes()) mean_gradient_->add_to(forces);
    for (std::size_t b = 0; b < forces.size(); ++b)
        if (std::ranges::find(boundaries, b) == boundaries.end()) forces[b] = {};
    return forces;
}

template <class Real>
int CollocatedFlow<Real>::watch_velocity(const std::vector<EntityShare>& shares, int sums) {
    const bool corrects = momentum_.corrects_output();
    if (corrects && !node_weights_)
        node_weights_ = node_weights(domain_.mesh, domain_.geometry, boundaries_.symmetry_nodes());
    WatchedVelocity<Real> watched(domain_, boundaries_, corrects ? &*node_weights_ : nullptr,
                                  shares, sums);
    if (!watched.is_whole()) return -1;
    watched_velocities_.push_back(std::move(watched));
    return static_cast<int>(watched_velocities_.size()) - 1;
}

template <class Real>
std::vector<double> CollocatedFlow<Real>::watched_velocity(int which) {
    if (domain_.comm.any(!velocity_parts().empty())) return {};
    return watched_velocities_[which].sums(s_.u);
}

template <class Real>
int CollocatedFlow<Real>::watch_pressure(const std::vector<EntityShare>& shares) {
    std::vector<double> weight(domain_.nodes.owned, 0.0);
    for (const EntityShare& share : shares_of_owned(domain_.comm, domain_.mesh, Kind::node, shares))
        weight[share.entity] += share.value;
    Field<Real> gradient;
    const PressureSources<Real> from = pressure_sources(gradient);
    watched_pressures_.emplace_back();
    watched_pressures_.back().push_back(recovery().prepare(std::move(weight), from));
    return static_cast<int>(watched_pressures_.size()) - 1;
}

template <class Real>
double CollocatedFlow<Real>::watched_pressure(int which) {
    Field<Real> gradient;
    const PressureSources<Real> from = pressure_sources(gradient);
    return recovery().sums(watched_pressures_[which], from, s_.time)[0];
}

// du/dt as (u - u_before) / dt of the last step; later steps compute their own.
template <class Real>
void CollocatedFlow<Real>::make_rate() {
    rate_ = momentum_.with_boundary_values();
    const double part = s_.last_step > 0 ? 1 / s_.last_step : 0;
    over_cells()[rate_] = part * s_.u - part * s_.u_before;
}

template <class Real>
EnergyTerms CollocatedFlow<Real>::energy_terms() {
    if (!time_scheme_.has_energy_budget || s_.steps == 0 || !has_stepped_) return {};
    if (!budget_) budget_ = std::make_unique<EnergyBudget<Real>>(domain_, boundaries_, momentum_);
    auto transport = domain_.vector_field<Real>(Kind::cell),
         projected = domain_.vector_field<Real>(Kind::cell);
    const Bdf2 bdf2 = step_->explain(transport, projected);
    auto force = domain_.vector_field<Real>(Kind::cell),
         gradient = domain_.vector_field<Real>(Kind::cell);
    if (sources_.has_force()) over_cells()[force] = sources_.force();
    if (forcing_.imposes()) mean_gradient().take_from(force);
    over_cells()[gradient] = s_.q + force;
    std::vector<double> pressure;
    if (budget_->needs_pressure()) pressure = node_pressure();
    return budget_->measure({bdf2, s_.u, s_.star, s_.flux, s_.u_before, s_.u_earlier, transport,
                             projected, gradient, force, pressure});
}

template <class Real>
std::vector<std::pair<std::string, SolveTotals>> CollocatedFlow<Real>::solves() const {
    std::vector<std::pair<std::string, SolveTotals>> all{projection_.solves(),
                                                         {"momentum", step_->solves()}};
    for (const auto& scalar : sources_.scalars())
        all.emplace_back(scalar->settings().name, scalar->solves());
    return all;
}

template class CollocatedFlow<float>;
template class CollocatedFlow<double>;

}  // namespace solenoid
