// The projection of a step and its boundary data: of a predicted flux U* the flux U and the face
// gradient G of the pressure.
//   U = P U*,   D U = 0,   G = (U* - U) / s
// docs/numerics.md, "Collocated momentum".
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "flow/collocated/collocated_state.hpp"
#include "flow/collocated/curved_walls.hpp"
#include "flow/collocated/unsteady_inflow.hpp"
#include "flow/projection/projection.hpp"
#include "flow/solver/forcing.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

// How much of the pressure gradient a projection finds anew.
enum class ProjectionPart {
    first,   // as `lagged`, while there is no earlier pressure: all where a pressure is given or
             // bears a force
    lagged,  // but the parts that the method takes from the last pressure
    whole    // all
};

// While it lives, the inflow where a pressure is given is that of `reach` steps beyond the last
// one.
template <class Real>
class InflowAhead {
  public:
    InflowAhead(BoundaryVelocity<Real>& boundary, double reach) : boundary_(boundary) {
        boundary_.look_ahead(reach);
    }
    ~InflowAhead() { boundary_.look_ahead(0); }
    InflowAhead(const InflowAhead&) = delete;
    InflowAhead& operator=(const InflowAhead&) = delete;

  private:
    BoundaryVelocity<Real>& boundary_;
};

template <class Real>
class FluxProjection {
  public:
    // All references must outlive this. Collective, as all below.
    FluxProjection(const Domain& domain, const FlowCase& flow, const FlowBoundaries& boundaries,
                   Momentum<Real>& momentum, const Forcing<Real>& forcing);
    ~FluxProjection();

    // Boundary velocities, boundary fluxes and imposed fluxes at a time [s].
    void update_boundary(double when);
    // Given pressures at a time [s], extrapolated by `reach` steps where they follow the inflow.
    void update_boundary_pressure(double when, double reach);
    // The force F of P (U* + s F): see Projection::update_force().
    void update_force(const Field<Real>& force, const Field<Real>& at_nodes) {
        projection_->update_force(force, at_nodes);
    }
    // After a jump of the data: the next pressure is not extrapolated from earlier ones.
    void restart() { projection_->restart(); }

    // At the start of each step, with its flux.
    void begin(const Field<Real>& flux) { inflow_.begin(flux); }
    // The velocity by which curved walls bend the flow of the next projection.
    void update_curved_walls(CellField<Real>& u);
    // Before the projection: U* = U_b on the faces of given flux. flux_star: face scalars [m^3/s,
    // in 2D m^2/s], as `flux` below.
    void impose_boundary_flux(Field<Real>& flux_star);
    // The same in a step of a time scheme, where U* = I (u* + s q) + L. A flux that is given and
    // depends on time has its gradient from then on, G = -dU_b/dt.
    void impose_boundary_flux(Field<Real>& flux_star,
                              const typename UnsteadyInflow<Real>::Step& step);
    // On the faces of such fluxes the gradient of the last step instead, whose length was s [s].
    void impose_boundary_gradient(double s, Field<Real>& gradient) { inflow_.impose(s, gradient); }
    // flux = P flux_star. s [s]: U* - U = s A n . (grad p - F). predicted: the u* that flux_star is
    // interpolated from, for messages. Throws ComputationError where the solve fails; `when` [s] is
    // for its message.
    struct Step {
        double s, when;
        ProjectionPart part = ProjectionPart::lagged;
    };
    void project(Field<Real>& flux_star, Field<Real>& flux, const Step& step,
                 const Field<Real>& predicted);
    // flux = P flux_star for an initial flux: the difference is not a pressure gradient.
    void project_initial(Field<Real>& flux_star, Field<Real>& flux, const Field<Real>& predicted);
    // gradient = (U* - U) / s [m^3/s^2, in 2D m^2/s^2], with the U* before impose_boundary_flux()
    // on faces whose boundary flux follows the flow, and that of CurvedWalls on their faces.
    void take_gradient(const Field<Real>& flux_star, const Field<Real>& flux, double s,
                       Field<Real>& gradient);
    // The gradient of a given initial pressure [Pa] by density. Throws InputError.
    void take_initial_gradient(const Formula& pressure, double density, Field<Real>& gradient);

    // Throws ComputationError where a solve of `by` for this flow's fluxes failed.
    void check_converged(const SolveReport& report, const Projection<Real>& by, double when,
                         const Field<Real>& predicted) const;

    // See Projection.
    const Field<Real>* pressure() { return projection_->pressure(); }
    Field<Real>* stream_function() { return projection_->stream_function(); }
    std::vector<std::optional<double>> pressure_rise() const {
        return projection_->pressure_rise();
    }
    std::pair<std::string, SolveTotals> solves() const;
    // motion, found: as CollocatedState::register_state().
    void register_state(const State<Real>& motion, const State<Real>& found) {
        projection_->register_state(found);
        totals_.register_state(found);
        inflow_.register_state(motion.part("inflow"), found.part("inflow"));
    }

  private:
    const Domain& domain_;
    Momentum<Real>& momentum_;
    const Forcing<Real>& forcing_;
    const std::unique_ptr<Projection<Real>> projection_;
    // Face scalars: 1 at faces whose boundary values follow the flow, else 0; and U* before its
    // boundary fluxes are imposed. Empty where no boundary follows the flow.
    Field<Real> follows_, free_star_;
    UnsteadyInflow<Real> inflow_;
    bool rises_ = false;  // U* of the next project() has the gradient of inflow_
    const bool solves_for_pressure_;
    CurvedWalls<Real> curved_walls_;
    SolveTotals totals_;
};

}  // namespace solenoid
