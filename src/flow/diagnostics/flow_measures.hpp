// What every flow solver tells of its state: cell velocities, face fluxes and what is measured on
// them.
#pragma once

#include "flow/diagnostics/boundary_inflow.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/solver/flow_solver.hpp"
#include "operators/operators.hpp"

namespace solenoid {

template <class Real>
class FlowMeasures {
  public:
    // All references must outlive this. Velocities are cell vectors, which may be with boundary
    // values. Collective, as all below.
    FlowMeasures(const Domain& domain, const CellStencil<Real>& stencil);

    // largest |U| dt / V of a cell: half the sum of its faces' fluxes
    double courant(const Field<Real>& flux, double dt) const;
    // largest net outflow of a cell over the largest face flux
    double max_divergence(const Field<Real>& flux);
    double kinetic_energy(const Buffer<Real>& u) const;  // 1/2 integral of u^2

    // of the interpolant of node velocities
    GradientIntegrals gradient_integrals(const Field<Real>& node_u, const Buffer<Real>& viscosity);
    std::vector<double> boundary_inflow(const Field<Real>& flux) { return inflow_.measure(flux); }

    struct Speeds {
        double change, largest;  // of |u - u_before| and |u| over the cells [m/s]
    };
    // Throws ComputationError with the time and the cell where u is not finite.
    Speeds checked_speeds(const Buffer<Real>& u, const Buffer<Real>& u_before, double when) const;

    // A field on the `all` entities of its kind held here, ghosts filled, column by column.
    std::vector<double> downloaded(const Field<Real>& field) const;
    // The potential of a flux likewise; in two dimensions, in each part of the domain without a
    // prescribed face (one flag a face held), where nothing fixes its constant, with the mean 0
    // over the nodes.
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
