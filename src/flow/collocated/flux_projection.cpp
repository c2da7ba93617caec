#include "flow/collocated/flux_projection.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/projection/flow_method.hpp"
#include "flow/solver/finite.hpp"

namespace solenoid {

template <class Real>
FluxProjection<Real>::FluxProjection(const Domain& domain, const FlowCase& flow,
                                     const FlowBoundaries& boundaries, Momentum<Real>& momentum,
                                     const Forcing<Real>& forcing)
    : domain_(domain),
      momentum_(momentum),
      forcing_(forcing),
      projection_(flow_method(flow.flow.method)
                      .projection.of<Real>()(domain, boundaries, momentum.stencil(), flow)),
      inflow_(domain, boundaries, momentum),
      solves_for_pressure_(flow_method(flow.flow.method).solves_for_pressure),
      curved_walls_(domain, boundaries, momentum.viscosity(),
                    solves_for_pressure_ ? CurvedWalls<Real>::Moving::second
                                         : CurvedWalls<Real>::Moving::gradient) {
    if (const InletMean* inlets = momentum.boundary().pressure_inflow().inlets())
        projection_->follow(*inlets);
    if (!boundaries.follow()) return;
    std::vector<Real> follows(domain.mesh.mesh.faces());
    for (Index f = 0; f < domain.mesh.mesh.faces(); ++f)
        follows[f] = boundaries.is_open(f) && !boundaries.has_pressure(f);
    for (auto* field : {&follows_, &free_star_}) *field = domain.field<Real>(Kind::face);
    follows_.upload(follows);
}

template <class Real>
void FluxProjection<Real>::update_boundary(double when) {
    if (forcing_.imposes()) projection_->impose(forcing_.imposed(when));
    if (momentum_.update(when)) projection_->prescribe(momentum_.boundary().flux());
}

template <class Real>
void FluxProjection<Real>::update_boundary_pressure(double when, double reach) {
    const InflowAhead<Real> ahead(momentum_.boundary(), reach);
    projection_->update_boundary_pressure(when);
}

template <class Real>
void FluxProjection<Real>::update_curved_walls(CellField<Real>& u) {
    if (!curved_walls_.exist()) return;
    curved_walls_.update(u);
    if (solves_for_pressure_)
        projection_->update_wall_gradient(curved_walls_.gradient(), curved_walls_.second());
}

template <class Real>
void FluxProjection<Real>::impose_boundary_flux(Field<Real>& flux_star) {
    if (follows_) free_star_.copy(flux_star);
    momentum_.boundary().constrain_flux(flux_star);
    rises_ = false;
}

template <class Real>
void FluxProjection<Real>::impose_boundary_flux(Field<Real>& flux_star,
                                                const typename UnsteadyInflow<Real>::Step& step) {
    inflow_.bring(step, flux_star);
    impose_boundary_flux(flux_star);
    rises_ = inflow_.exists();
    if (rises_) projection_->accelerate(inflow_.acceleration());
}

template <class Real>
void FluxProjection<Real>::project(Field<Real>& flux_star, Field<Real>& flux, const Step& step,
                                   const Field<Real>& predicted) {
    // Without a pressure G is orthogonal to curls where U* - U is s G on walls, too: with 0 there
    // it would be wrong by as much on the other faces of their cells.
    if (curved_walls_.exist() && !solves_for_pressure_)
        domain_.shared(Kind::face)[flux_star] +=
            static_cast<Real>(step.s) * curved_walls_.gradient();
    const auto shift = [&] {
        if (rises_) domain_.shared(Kind::face)[flux_star] -= inflow_.rise();
    };
    const auto solve = [&] {
        switch (step.part) {
            case ProjectionPart::first:
                return projection_->project_first(flux_star, flux, step.s);
            case ProjectionPart::whole:
                return projection_->project_whole(flux_star, flux, step.s);
            default:
                return projection_->project(flux_star, flux, step.s);
        }
    };
    const bool sees = projection_->sees_boundary_gradient();
    if (sees) shift();
    const SolveReport report = solve();
    if (!sees) shift();
    totals_.add(report);
    check_converged(report, *projection_, step.when, predicted);
}

template <class Real>
void FluxProjection<Real>::project_initial(Field<Real>& flux_star, Field<Real>& flux,
                                           const Field<Real>& predicted) {
    const SolveReport report = projection_->start(flux_star, flux);
    totals_.add(report);
    check_converged(report, *projection_, 0, predicted);
}

template <class Real>
void FluxProjection<Real>::take_gradient(const Field<Real>& flux_star, const Field<Real>& flux,
                                         double s, Field<Real>& gradient) {
    const Over faces = domain_.shared(Kind::face);
    faces[gradient] = 1 / s * (flux_star - flux);
    if (follows_) faces[gradient] += 1 / s * (follows_ * (free_star_ - flux_star));
    if (curved_walls_.exist() && solves_for_pressure_) faces[gradient] += curved_walls_.gradient();
}

template <class Real>
void FluxProjection<Real>::take_initial_gradient(const Formula& pressure, double density,
                                                 Field<Real>& gradient) {
    std::vector<Real> p = projection_->potential().download();
    domain_.comm.agree([&] {
        for (Index c = 0; c < domain_.cells.owned; ++c)
            p[c] = static_cast<Real>(pressure.finite_value(domain_.geometry.cell_centroid[c], 0) /
                                     density);
    });
    projection_->potential().upload(p);
    projection_->update_boundary_pressure(0);
    projection_->take_gradient(gradient);
    if (curved_walls_.exist()) domain_.shared(Kind::face)[gradient] += curved_walls_.gradient();
}

template <class Real>
void FluxProjection<Real>::check_converged(const SolveReport& report, const Projection<Real>& by,
                                           double when, const Field<Real>& predicted) const {
    if (report.outcome == SolveOutcome::broken_down)
        check_finite(domain_, predicted, "the velocity", when);
    domain_.comm.agree([&] {
        if (report.converged()) return;
        std::string name = by.name();
        for (char& c : name) c = c == '_' ? ' ' : c;
        throw ComputationError(fmt::format("{} at t = {:.6g} s: {}{}", name, when,
                                           report.explanation(by.name()), or_shorter_step(when)));
    });
}

template <class Real>
std::pair<std::string, SolveTotals> FluxProjection<Real>::solves() const {
    SolveTotals totals = totals_;
    totals.preconditioner = projection_->preconditioner();
    return {projection_->name(), totals};
}

template <class Real>
FluxProjection<Real>::~FluxProjection() = default;

template class FluxProjection<float>;
template class FluxProjection<double>;

}  // namespace solenoid
