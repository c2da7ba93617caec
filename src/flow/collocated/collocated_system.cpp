#include "flow/collocated/collocated_system.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/settings/cg_settings.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {
namespace {

template <class Real>
std::vector<std::unique_ptr<ScalarTransport<Real>>> make_scalars(const Domain& domain,
                                                                 const FlowBoundaries& boundaries,
                                                                 const CellStencil<Real>& stencil,
                                                                 const FlowCase& flow) {
    std::vector<std::unique_ptr<ScalarTransport<Real>>> scalars;
    for (const ScalarSettings& s : flow.scalars)
        scalars.push_back(std::make_unique<ScalarTransport<Real>>(
            domain, boundaries, stencil, s, cg_settings<Real>(flow.solvers.scalar)));
    return scalars;
}

}  // namespace

template <class Real>
CollocatedSystem<Real>::CollocatedSystem(const Domain& domain, const FlowCase& flow,
                                         int force_shares)
    : domain(domain),
      d(domain.dimension),
      boundaries(domain, flow.boundaries),
      density(flow.fluid.density),
      step_tolerance(flow.step_tolerance),
      momentum(domain, boundaries, ViscosityModel(flow.fluid.viscosity, flow.fluid.law),
               {convection_scheme(flow.flow.convection), flow.flow.jump_penalty},
               cg_settings<Real>(flow.solvers.momentum)),
      measures(domain, momentum.stencil()),
      coupling(domain, boundaries, momentum),
      projection(flow_method(flow.flow.method)
                     .projection.of<Real>()(domain, boundaries, momentum.stencil(), flow)),
      forcing(domain, flow),
      scalars(make_scalars(domain, boundaries, momentum.stencil(), flow)),
      force(domain, flow, forcing, scalars, momentum, coupling, *projection, force_shares) {
    for (auto* field : {&u, &star}) *field = momentum.velocity();
    for (auto* field : {&u_before, &u_earlier}) *field = momentum.with_boundary_values();
    for (auto* field : {&q, &q_before}) *field = domain.vector_field<Real>(Kind::cell);
    for (auto* field : {&flux, &flux_star_, &gradient}) *field = domain.field<Real>(Kind::face);
    if (!boundaries.follow()) return;
    std::vector<Real> follows(domain.mesh.mesh.faces());
    for (Index f = 0; f < domain.mesh.mesh.faces(); ++f)
        follows[f] = boundaries.is_open(f) && !boundaries.has_pressure(f);
    for (auto* field : {&follows_, &free_star_}) *field = domain.field<Real>(Kind::face);
    follows_.upload(follows);
}

template <class Real>
void CollocatedSystem<Real>::start_from(const VectorFormula& initial) {
    std::vector<Real> values(std::size_t(star.size()) * d, Real(0));
    domain.comm.agree([&] {
        for (Index c = 0; c < domain.cells.owned; ++c)
            for (int k = 0; k < d; ++k)
                values[std::size_t(k) * star.size() + c] =
                    static_cast<Real>(initial[k].quantity(domain.geometry.cell_centroid[c], 0));
    });
    star.upload(values);
    if (const InletMean* inlets = momentum.boundary().pressure_inflow().inlets())
        projection->follow(*inlets);
    momentum.boundary().follow_from(initial);
    update(0);
    // where the viscosity jumps the velocity has a kink, which its face values depend on
    if (!momentum.viscosity().follows_flow()) momentum.update_viscosity(0, star);
    set_flux_star({.s = 1}, carrier());
    check(projection->start(flux_star_, flux), 0);
    momentum.boundary().enter_from(initial, flux);
    follow_flux(1);
    for (auto* field : {&q, &q_before}) over_cells()[*field] = 0;
    domain.held(Kind::face)[gradient] = 0;
    check_finite();
}

// With a given initial pressure the first step needs one pass.
template <class Real>
void CollocatedSystem<Real>::start_from_pressure(const Formula& initial) {
    if (initial.is_constant() && initial(Vec3(0)) == 0) return;
    std::vector<Real> p = projection->potential().download();
    domain.comm.agree([&] {
        for (Index c = 0; c < domain.cells.owned; ++c)
            p[c] = static_cast<Real>(initial.finite_value(domain.geometry.cell_centroid[c], 0) /
                                     density);
    });
    projection->potential().upload(p);
    projection->update_boundary_pressure(0);
    projection->take_gradient(gradient);
    coupling.to_cells(gradient, q);
    q_before.copy(q);
    starts_with_pressure = true;
}

template <class Real>
void CollocatedSystem<Real>::update(double when) {
    if (forcing.imposes()) projection->impose(forcing.imposed(when));
    if (momentum.update(when)) projection->prescribe(momentum.boundary().flux());
}

template <class Real>
void CollocatedSystem<Real>::advance_scalars(double dt, double w) {
    for (const auto& scalar : scalars) scalar->advance(flux, time, dt, w);
}

template <class Real>
void CollocatedSystem<Real>::correct(const Step& step, const Field<Real>& carrier, double when) {
    set_flux_star(step, carrier);
    follow(projection->project(flux_star_, flux, step.s), step, when);
}

template <class Real>
void CollocatedSystem<Real>::correct_again(const Step& step, double when) {
    momentum.to_faces(star, flux_star_);
    coupling.add_lag_again(gradient, q, step, flux_star_);
    constrain_flux_star();
    follow(projection->project_whole(flux_star_, flux, step.s), step, when);
}

template <class Real>
void CollocatedSystem<Real>::follow(const SolveReport& report, const Step& step, double when) {
    check(report, when);
    follow_flux(step.s);
}

template <class Real>
void CollocatedSystem<Real>::set_flux_star(const Step& step, const Field<Real>& carrier) {
    momentum.to_faces(star, flux_star_);
    coupling.add_lag(carrier, gradient, q, step, flux_star_);
    constrain_flux_star();
}

template <class Real>
void CollocatedSystem<Real>::constrain_flux_star() {
    if (follows_) free_star_.copy(flux_star_);
    momentum.boundary().constrain_flux(flux_star_);
}

template <class Real>
void CollocatedSystem<Real>::follow_flux(double s) {
    const Over faces = domain.shared(Kind::face);
    faces[gradient] = 1 / s * (flux_star_ - flux);
    if (follows_) faces[gradient] += 1 / s * (follows_ * (free_star_ - flux_star_));
    std::swap(q, q_before);
    coupling.to_cells(gradient, carrier(), q);
    over_cells()[u] = star - s * q + s * q_before;
}

template <class Real>
void CollocatedSystem<Real>::check(const SolveReport& report, double when) {
    projections.add(report);
    check_converged(report, *projection, when);
}

template <class Real>
void CollocatedSystem<Real>::check_converged(const SolveReport& report, const Projection<Real>& by,
                                             double when) const {
    if (report.outcome == SolveOutcome::broken_down)
        solenoid::check_finite(domain, star, "the velocity", when);
    domain.comm.agree([&] {
        if (report.converged()) return;
        std::string name = by.name();
        for (char& c : name) c = c == '_' ? ' ' : c;
        throw ComputationError(fmt::format("{} at t = {:.6g} s: {}{}", name, when,
                                           report.explanation(by.name()), or_shorter_step(when)));
    });
}

template <class Real>
void CollocatedSystem<Real>::check_finite() {
    const auto speeds = measures.checked_speeds(u, u_before, time);
    largest_change = speeds.change;
    speed = speeds.largest;
    courant_rate = measures.courant(flux, 1);
}

template <class Real>
void CollocatedSystem<Real>::keep_in(Snapshot<Real>& motion, Snapshot<Real>& found) {
    motion.add(static_cast<Field<Real>&>(u));
    for (auto* field : {&u_before, &flux}) motion.add(*field);
    for (double* value : {&time, &last_step, &step_before, &largest_change, &speed, &courant_rate})
        motion.add_value(*value);
    motion.add_value(steps);
    momentum.keep_in(motion, found);
    coupling.keep_in(motion);
    for (const auto& scalar : scalars) scalar->keep_in(motion, found);
    for (auto* field : {&q, &q_before, &gradient}) found.add(*field);
    force.keep_in(found);
    projection->keep_in(found);
}

template class CollocatedSystem<float>;
template class CollocatedSystem<double>;

}  // namespace solenoid
