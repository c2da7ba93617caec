// Heat conduction on nodes, steady or in time:
//   rho c dT/dt = div(k grad T) + q
// In time by TR-BDF2 (Bank et al. 1985; Hosea & Shampine 1996): second order, L-stable, one step,
// with an embedded error estimate. Its two implicit stages share the matrix M / (d dt) + K + H,
// d = 1 - 1/sqrt(2).
#pragma once

#include <array>
#include <vector>

#include "heat/heat_system.hpp"

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

    // Fixes the mean of parts without a fixed or exchanged temperature. Throws InputError where a
    // steady problem has no solution, as solve_steady() does. Collective.
    void anchor() { system_.anchor_components(t_); }
    // Throws ComputationError where the solve fails. Collective.
    void solve_steady();
    // From now on steps take the integral over these parts of time of sources, fluxes and, where h
    // is constant in time, h T_inf.
    void integrate_over(TimeParts parts) { parts_ = std::move(parts); }
    // One step [s]. Returns the estimated local error, its root mean square over the range of
    // temperature, if asked for. undo() restores the state before the step.
    double step(double dt, bool estimate_error);
    void undo();

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
    const SolveTotals& solves() { return system_.solves(); }
    const HeatBoundaries& boundaries() const { return system_.boundaries(); }

  private:
    using Watch = typename HeatSystem<Real>::Watch;
    void stage(double when, double s, double c0, double c1, Buffer<Real>& f);
    double estimated_error(double when);
    void set_lack(double dt);
    void add_up(const Watch& middle, double dt);
    std::vector<bool> contacts() const;  // of the parts
    double heating_by_jump(std::vector<double>& heating, double dt) const;

    HeatSystem<Real> system_;
    Field<Real> t_, t_old_;  // temperature, now and at the step's start
    Buffer<Real> change_, rhs_, guess_rate_;
    std::array<Buffer<Real>, 3> rate_;  // F at the step's three stages, of owned nodes
    double time_ = 0, old_time_ = 0;
    bool has_rate_ = false;
    TimeParts parts_;
    Watch first_watch_, last_watch_;
    std::vector<double> jump_;     // of the fixed temperatures before the step [K]; empty: none
    bool jump_is_booked_ = false;  // in the balance of a step, which may be undone
    HeatBalance balance_;
};

}  // namespace solenoid
