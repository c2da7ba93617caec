// Quantities that all flow solvers report: measured on cell velocities and face fluxes.
#pragma once

#include "flow/diagnostics/boundary_inflow.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class FlowMeasures {
  public:
    // All references must outlive this. Velocities are cell vectors, with or without boundary
    // values. Collective, as all below.
    FlowMeasures(const Domain& domain, const CellStencil<Real>& stencil);

    // The largest Courant number: half the sum of |U| over a cell's faces, times dt / V.
    double courant(const Field<Real>& flux, double dt) const;
    // The largest net outflow of a cell divided by the largest face flux.
    double max_divergence(const Field<Real>& flux);
    double kinetic_energy(const Buffer<Real>& u) const;  // 1/2 integral of u^2

    // Integrals of the gradient of the linear interpolant of node velocities.
    GradientIntegrals gradient_integrals(const Field<Real>& node_u, const Buffer<Real>& viscosity);
    std::vector<double> boundary_inflow(const Field<Real>& flux) { return inflow_.measure(flux); }

    struct Speeds {
        double change, largest;  // of |u - u_before| and |u| over the cells [m/s]
    };
    // Throws ComputationError with the time and the cell where u is not finite.
    Speeds checked_speeds(const Buffer<Real>& u, const Buffer<Real>& u_before, double when) const;

    // The values of a field, ghosts filled, on all entities of its kind held here, column by
    // column.
    std::vector<double> downloaded(const Field<Real>& field) const;
    // The values of the potential of a flux. In 2D its mean over the nodes is set to 0 in each part
    // of the domain without prescribed faces, where its constant is free. prescribed: one flag for
    // each face held.
    std::vector<double> stream_function(const Field<Real>& potential,
                                        const std::vector<bool>& prescribed) const;

  private:
    const Domain& domain_;
    Operators<Real>& operators_;
    const CellStencil<Real>& stencil_;
    const int d_;
    BoundaryInflow<Real> inflow_;
    Field<Real> net_;
};

}  // namespace solenoid
