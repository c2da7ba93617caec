// Heat conduction on nodes, steady or in time:
//   rho c dT/dt = div(k grad T) + q
// In time by TR-BDF2 (Bank et al. 1985; Hosea & Shampine 1996): second order, L-stable, one step,
// with an embedded error estimate. Its two implicit stages share the matrix M / (d dt) + K + H,
// d = 1 - 1/sqrt(2). docs/numerics.md, "Heat".
#pragma once

#include <array>
#include <vector>

#include "heat/heat_system.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/krylov/solve_totals.hpp"

namespace solenoid {

// Balance of heat [W], steady or the mean over a step; positive into the body:
//   sum of boundary + source = storage + imbalance()
struct HeatBalance {
    std::vector<double> boundary;  // through each part; of a contact, from one side to the other
    std::vector<bool> is_contact;  // of each part; contacts do not enter the balance
    double source = 0;
    double storage = 0;
    double imbalance() const;  // by the tolerance of the solver
};

template <class Real>
class HeatSolver {
  public:
    // regions: the material of each of the mesh's regions. The domain must outlive the solver.
    // Collective.
    HeatSolver(const Domain& domain, const std::vector<MaterialSettings>& regions,
               const std::vector<HeatBoundary>& boundaries, const Formula& initial,
               const SolverSettings& settings, const CoupledNodes& coupled = {});
    ~HeatSolver();

    // Fixes the mean of parts without a fixed or exchanged temperature. Throws InputError where a
    // steady problem has no solution, as solve_steady() does. Collective.
    void anchor() { system_.find_floating_parts(t_); }
    // Throws ComputationError where the solve fails. Collective.
    void solve_steady();
    // From now on steps take the integral over these parts of time of sources, fluxes and, where h
    // is constant in time, h T_inf.
    void integrate_over(TimeParts parts) { parts_ = std::move(parts); }
    // One step of length dt [s]. Returns the estimated local error, its root mean square over the
    // range of temperature, if asked for. Throws ComputationError where a solve fails. Collective.
    double step(double dt, bool estimate_error);

    // All that a step leaves to the next. Who drives the steps adds what it keeps itself.
    StateRegistry& state() { return state_registry_; }
    void keep_state() { state_registry_.take(); }    // pushes the present state on a stack
    void take_back() { state_registry_.restore(); }  // pops the last kept state and restores it
    void let_go() { state_registry_.drop(); }        // pops the last kept state

    double time() const { return time_; }
    void set_clock(double time) { time_ = time; }  // of the present state [s]
    // After a jump of the data: evaluates them and imposes the fixed temperatures. The heat that
    // this stores enters the next step's balance. Collective.
    void restart();
    std::vector<double> temperature() const;  // on the nodes held here, ghosts filled
    // Least and greatest temperature, of all ranks.
    std::array<double, 2> extrema() const { return system_.extrema(t_); }
    // Of the last step or the steady state, of all ranks.
    const HeatBalance& balance() const { return balance_; }
    const SolveTotals& solves() const { return solves_; }
    const HeatBoundaries& boundaries() const { return system_.boundaries(); }

  private:
    using Watch = typename HeatSystem<Real>::Watch;
    void register_state();
    void begin_step();
    void begin_load_correction(double dt);
    void solve_stage(double when, double s, double c0, double c1, Buffer<Real>& f);
    double estimated_error();
    void prepare(double s);
    void solve_for_change(const CgSettings& how, double when);
    void update_balance(const Watch& middle, double dt);
    std::vector<bool> contacts() const;  // of the parts
    double heating_by_jump(std::vector<double>& heating, double dt) const;

    HeatSystem<Real> system_;
    const CgSettings cg_settings_;
    ConjugateGradients<Real> cg_;
    Preconditioner<Real>* preconditioner_ = nullptr;  // of the matrix that is prepared
    SolveTotals solves_;

    // What a step leaves to the next one: T [K], F [W] of it and the heat through the boundary, at
    // `time_` [s]. f_: F at the three times of a step, of owned nodes; f_[0] is that at its start.
    double time_ = 0;
    Field<Real> t_;
    std::array<Buffer<Real>, 3> f_;
    Watch last_watch_;
    bool has_flow_ = false;  // f_[0] and last_watch_ are those of t_

    // T and the heat through the boundary at the start of the present step.
    Field<Real> t_old_;
    Watch first_watch_;

    Buffer<Real> change_, rhs_, guess_flow_;  // of nodes: of a solve
    TimeParts parts_;
    std::vector<double> jump_;     // of the fixed temperatures before the step [K]; empty: none
    bool jump_is_booked_ = false;  // in the balance of the last step
    HeatBalance balance_;
    StateRegistry state_registry_;
};

}  // namespace solenoid
