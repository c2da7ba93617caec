// The operators and the state of a step of collocated velocities.
//   U = P U*,   G = (U* - U) / s,   q = reconstruction of G,   u = u* - s (q - q_before)
// docs/numerics.md, "Collocated momentum".
#pragma once

#include "flow/collocated/body_force.hpp"
#include "flow/diagnostics/flow_measures.hpp"

namespace solenoid {

template <class Real>
class CollocatedSystem {
  public:
    // force_shares: `shares` of BodyForce. Collective, as all below.
    CollocatedSystem(const Domain& domain, const FlowCase& flow, int force_shares);

    // Sets u and the flux to an initial velocity [m/s], projected; q = G = 0. Throws InputError
    // where a value of the formula is not finite, ComputationError where the projection fails.
    void start_from(const VectorFormula& velocity);
    // Sets p, G and q from an initial pressure [Pa]; nothing where it is the constant 0.
    void start_from_pressure(const Formula& pressure);

    void update(double when);  // boundary values and imposed fluxes at a time [s]
    void update_lag() { coupling.update_lag(u, flux); }  // lag of the present u and flux
    void advance_scalars(double dt, double w);
    // Computes u* by solve() with the viscosity at a time [s]. Where the viscosity follows the flow
    // solve() is called twice: with the viscosity of the last step, then, after renew(), with that
    // of the u* found. This is of second order and stable for any step; with a viscosity of
    // extrapolated velocities a shear-thickening fluid oscillates.
    template <class Solve, class Renew>
    void solve_by_viscosity(double when, const Solve& solve, const Renew& renew);

    // Projects u*: computes the flux U, then G, q and u. carrier: the flux in the rate r at which
    // the lag fades. Throws ComputationError where the solve fails; `when` [s] is for its message.
    using Step = typename FluxCoupling<Real>::Step;
    void correct(const Step& step, const Field<Real>& carrier, double when);
    // correct() for a repeated step, with the present G and q in the lag's equation.
    void correct_again(const Step& step, double when);
    void check_converged(const SolveReport& report, const Projection<Real>& by, double when) const;
    void check_finite();
    void keep_before() {  // shifts the last two velocities before a new one is computed
        std::swap(u_before, u_earlier);
        u_before.copy(u);
    }
    // Adds the state to two snapshots. found: the pressure gradient, the force and the
    // preconditioners, which the second pass of a first step starts from; motion: all else.
    void keep_in(Snapshot<Real>& motion, Snapshot<Real>& found);

    // The convecting flux at the start of a step.
    const Field<Real>& carrier() const { return frozen ? frozen : flux; }
    Over over_cells() const { return domain.own(Kind::cell); }

    const Domain& domain;
    const int d;
    const FlowBoundaries boundaries;
    const double density;
    const double step_tolerance;  // see FlowCase::step_tolerance
    Momentum<Real> momentum;
    FlowMeasures<Real> measures;
    FluxCoupling<Real> coupling;
    const std::unique_ptr<Projection<Real>> projection;
    Forcing<Real> forcing;
    const std::vector<std::unique_ptr<ScalarTransport<Real>>> scalars;
    BodyForce<Real> force;

    CellField<Real> u, star;
    // Cell vectors with boundary values [m/s]: the last two velocities. u_earlier is used by the
    // energy budget alone.
    Field<Real> u_before, u_earlier;
    Field<Real> q, q_before;  // cell vectors: grad p / rho - f [m/s^2]
    // Face scalars: U [m^3/s, in 2D m^2/s]; G = (U* - U) / s, A dp/dn by density less the flux of
    // the force [m^3/s^2, in 2D m^2/s^2].
    Field<Real> flux, gradient;
    // The convecting flux where it is frozen (CollocatedFlow::freeze), else empty.
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
    // Face scalars: 1 at faces whose boundary values follow the flow, else 0; and U* before its
    // boundary fluxes are imposed. Empty where no boundary follows the flow.
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
