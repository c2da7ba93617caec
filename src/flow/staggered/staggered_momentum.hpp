// What drives a flow whose state is the stream function alone: the acceleration -N of cell
// velocities, without pressure.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"
#include "flow/discretization/cell_stencil.hpp"
#include "flow/settings/flow_case.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

template <class Real>
class StaggeredMomentum {
  public:
    virtual ~StaggeredMomentum() = default;

    // Fixes what N is linear with in the step of length dt from `time`: the convecting field in its
    // middle, extrapolated from the last two states, ratio = dt / dt_before (0: from the last
    // alone). Boundary values are those of this step.
    virtual void begin_step(const Field<Real>& u, const Field<Real>& u_before, double ratio,
                            double time, double dt) = 0;
    // star = u - dt N((u + end) / 2), affine in `end`. Cell vectors.
    virtual void apply(double dt, const Field<Real>& u, const Field<Real>& end,
                       Field<Real>& star) = 0;
    // The state at `time`, at the start of the run and after each step.
    virtual void accept(const Field<Real>& u, const Field<Real>& flux, double time) = 0;

    virtual bool supports_symmetry() const { return false; }
    virtual double diffusion_rate() = 0;  // largest rate of the viscous part, per viscosity [1/m^2]
    virtual SolveTotals solves() const { return {}; }
};

// What a staggered momentum is made of; all references must outlive it.
template <class Real>
struct StaggeredParts {
    const Domain& domain;
    const FlowBoundaries& boundaries;
    const CellStencil<Real>& stencil;
    const FlowCase& flow;  // while it is made
    double viscosity() const { return flow.fluid.viscosity(Vec3(0)); }
    bool is_implicit() const { return flow.flow.diffusion == "implicit"; }
};

}  // namespace solenoid
