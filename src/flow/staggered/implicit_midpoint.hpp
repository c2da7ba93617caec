// The implicit midpoint of a flow whose state is the stream function alone (docs/numerics.md,
// "Rotational momentum"), second order:
//   u' = P (u - dt N(w*, (u + u') / 2) + dt f)
// P is the projection on curls, N is momentum, linear in its second argument, w* the convecting
// field extrapolated to the middle of the step, f the body force.
#pragma once

#include "flow/boundary/boundary_velocity.hpp"
#include "flow/discretization/cell_field.hpp"
#include "flow/projection/stream_function.hpp"
#include "flow/solver/forcing.hpp"
#include "flow/staggered/staggered_momentum.hpp"
#include "solvers/krylov/gcr.hpp"

namespace solenoid {

// What a step leaves to the next one, beside the boundary values.
template <class Real>
struct StaggeredState {
    double time = 0;             // [s]
    CellField<Real> u;           // velocity of cells [m/s]
    Field<Real> u_before, flux;  // that of the step before; U of faces, a curl [m^3/s, in 2D m^2/s]
};

template <class Real>
class ImplicitMidpoint {
  public:
    // What the step is made of; all references must outlive it. volume: of cells.
    struct Parts {
        const Domain& domain;
        const Buffer<Real>& volume;
        BoundaryVelocity<Real>& boundary;
        StreamFunction<Real>& projection;
        Forcing<Real>& forcing;
        StaggeredMomentum<Real>& momentum;
    };
    // tolerance: of u' over its change in the step. max_iterations: of the fixed point.
    // Collective, as all below.
    ImplicitMidpoint(const Parts& parts, double tolerance, int max_iterations);

    // The state at time 0 with u = P(velocity) [m/s]; `velocity` has a vector a cell. Throws
    // ComputationError where the projection fails.
    void start(const std::vector<Real>& velocity, StaggeredState<Real>& state);
    // From state.time to state.time + dt [s]; ratio = dt / dt_before (0: w* is that of the last
    // state). guess: of u', a cell vector, which is overwritten. Throws ComputationError where a
    // solve or the fixed point fails.
    void step(StaggeredState<Real>& state, Buffer<Real>& guess, double dt, double ratio);

    const SolveTotals& projections() const { return projections_; }
    void register_state(const State<Real>& state) { projections_.register_state(state); }

  private:
    void update_boundary(double when);
    void map(StaggeredState<Real>& state, const Buffer<Real>& v, double dt);
    void solve_fixed_point(StaggeredState<Real>& state, Buffer<Real>& guess, double dt);
    void project(Field<Real>& flux, double when);

    const Parts parts_;
    const double tolerance_;
    const int max_iterations_;
    FixedPointOperator<Real> of_step_;  // 1 - L of the map G of the step
    Gcr<Real> gcr_;
    Buffer<Real> residual_;         // G(v) - v, a cell vector
    Field<Real> v_, star_, image_;  // cell vectors: v, what P projects, G(v)
    double size_ = 0;               // of the step's change, as the projection measures it
    SolveTotals projections_;
};

}  // namespace solenoid
