// The part N of momentum in a flow whose state is the stream function alone: convection and
// diffusion of cell velocities, du/dt = -N(w, u) without pressure and body force. N is linear in u;
// w is the field that convects.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/settings/flow_case.hpp"
#include "flow/staggered/diffusion_kinds.hpp"
#include "operators/state.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

// Cell vectors are velocities [m/s], fluxes are of faces [m^3/s, in 2D m^2/s]. Collective.
template <class Real>
class StaggeredMomentum {
  public:
    virtual ~StaggeredMomentum() = default;

    // Before a step of length dt from `time` [s]: w* in its middle, extrapolated from the last two
    // states, ratio = dt / dt_before (0: w* is that of the last state). Boundary values are those
    // of the step.
    virtual void begin_step(const Field<Real>& u, const Field<Real>& u_before, double ratio,
                            double time, double dt) = 0;
    // star = u - dt N(w*, (u + end) / 2), affine in `end`. Throws ComputationError where a solve
    // fails.
    virtual void apply(double dt, const Field<Real>& u, const Field<Real>& end,
                       Field<Real>& star) = 0;
    // After a step, and at the start of the run: u and its flux at `time` [s].
    virtual void accept(const Field<Real>& u, const Field<Real>& flux, double time) = 0;

    virtual bool supports_symmetry() const { return false; }
    // Largest eigenvalue of the viscous part, per viscosity [1/m^2].
    virtual double diffusion_rate() = 0;
    virtual SolveTotals solves() const { return {}; }
    virtual void register_state(const State<Real>& state) = 0;
};

// What a staggered momentum is made of; all references must outlive it.
template <class Real>
struct StaggeredParts {
    const Domain& domain;
    const FlowBoundaries& boundaries;
    const CellStencil<Real>& stencil;
    const FlowCase& flow;                                               // while it is made
    double viscosity() const { return flow.fluid.viscosity(Vec3(0)); }  // nu [m^2/s]
    bool is_implicit() const { return diffusion_kind(flow.flow.diffusion).is_implicit; }
};

}  // namespace solenoid
