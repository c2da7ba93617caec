// What a step of collocated velocities works on: the parts of the discretization, and the state.
// docs/numerics.md, "Collocated momentum".
#pragma once

#include "flow/collocated/body_force.hpp"
#include "flow/diagnostics/flow_measures.hpp"

namespace solenoid {

template <class Real>
class CollocatedSystem {
  public:
    // force_shares: of BodyForce. Collective, as all below.
    CollocatedSystem(const Domain& domain, const FlowCase& flow, int force_shares);

    // Projected; what that takes away is no pressure.
    void start_from(const VectorFormula& velocity);
    void start_from_pressure(const Formula& pressure);  // [Pa]

    void update(double when);  // boundary values and imposed fluxes at a time
    void update_lag() { coupling.update_lag(u, flux); }  // of the state that a step starts from
    void advance_scalars(double dt, double w);
    // star by solve(), with the viscosity at a time. One that follows the flow is first the last
    // step's, then that of the star so found: of second order, and stable in any step, where by
    // extrapolated velocities a fluid that thickens oscillates. renew() is called between the two.
    template <class Solve, class Renew>
    void solve_by_viscosity(double when, const Solve& solve, const Renew& renew);

    // From star to u: first the flux, which the face gradient, the cell gradient and u follow.
    // carrier: by which flux and velocity forget their difference.
    using Step = typename FluxCoupling<Real>::Step;
    void correct(const Step& step, const Field<Real>& carrier, double when);
    // The same for a step made again with the face gradient and q as they are.
    void correct_again(const Step& step, double when);
    void check_converged(const SolveReport& report, const Projection<Real>& by, double when) const;
    void check_finite();
    void keep_before() {  // as a step's velocity comes: the last two states
        std::swap(u_before, u_earlier);
        u_before.copy(u);
    }
    // What a step changes. found: what a first step is made twice for, the pressure and the force
    // that it bears, and preconditioners.
    void keep_in(Snapshot<Real>& motion, Snapshot<Real>& found);

    // what carries the state that a step starts from
    const Field<Real>& carrier() const { return frozen ? frozen : flux; }
    Over over_cells() const { return domain.own(Kind::cell); }

    const Domain& domain;
    const int d;
    const FlowBoundaries boundaries;
    const double density;
    const double step_tolerance;  // FlowCase::step_tolerance
    Momentum<Real> momentum;
    FlowMeasures<Real> measures;
    FluxCoupling<Real> coupling;
    const std::unique_ptr<Projection<Real>> projection;
    Forcing<Real> forcing;
    const std::vector<std::unique_ptr<ScalarTransport<Real>>> scalars;
    BodyForce<Real> force;

    CellField<Real> u, star;
    // cell vectors, with boundary values: of the last two states; the second is for the budget of
    // energy alone
    Field<Real> u_before, u_earlier;
    Field<Real> q, q_before;  // cell vectors: the pressure's gradient less the force
    // of faces: U; A dp/dn of the projection, less the force's flux
    Field<Real> flux, gradient;
    // a flux that carries for ever; empty: the flux itself does
    Field<Real> frozen;
    double time = 0, last_step = 0, step_before = 0;  // [s]; no step: 0
    int steps = 0;
    double largest_change = 0, speed = 0, courant_rate = 0;
    bool starts_with_pressure = false;
    SolveTotals projections;

  private:
    void set_flux_star(const Step& step, const Field<Real>& carrier);
    void constrain_flux_star();
    void follow(const SolveReport& report, const Step& step, double when);
    void follow_flux(double s);
    void check(const SolveReport& report, double when);

    Field<Real> flux_star_;
    // faces: 1 where boundaries follow, else 0, and U* before it is held; empty: none does
    Field<Real> follows_, free_star_;
};

template <class Real>
template <class Solve, class Renew>
void CollocatedSystem<Real>::solve_by_viscosity(double when, const Solve& solve,
                                                const Renew& renew) {
    const bool follows = momentum.viscosity().follows_flow();
    if (!follows && !frozen) momentum.update_viscosity(when, star);
    solve();
    if (!follows || frozen) return;
    momentum.update_viscosity(when, star);
    renew();
    solve();
}

}  // namespace solenoid
