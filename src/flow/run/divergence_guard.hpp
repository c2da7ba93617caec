// Ends a flow's run early where it goes wrong: steps beyond the scheme's limit or falling without a
// reason, energy that nothing accounts for, scalars beyond their data. docs/numerics.md, "What a
// run is held to".
#pragma once

#include "flow/run/flow_data.hpp"
#include "flow/solver/flow_solver.hpp"
#include "run/run.hpp"

namespace solenoid {

// Throws InputError where time.courant is beyond the scheme's limit. Collective.
void check_courant(const Run& run, FlowSolver& solver);

class DivergenceGuard {
  public:
    // All references must outlive this. Collective, as all below.
    DivergenceGuard(const Run& run, FlowSolver& solver, FlowData& data);

    // All throw ComputationError with the time, the cell, the scheme and what to change.
    // Before a step. asked: its length before it was fitted to the times of output [s];
    // courant_rate: the Courant number of a step of one second.
    void before_step(double asked, double length, double courant_rate);
    void take_back() { reach_ = reach_before_; }  // the step is not made
    void after_step(double length, double courant_rate, double kinetic_energy);
    // The solver's steps bring the integrals of forces, sources and fluxes, so that these are what
    // is accounted for.
    void integrate_over(TimeParts parts) { parts_ = std::move(parts); }

  private:
    struct Range {
        double low, high;
    };
    void account_for(double time, double length);
    void account_for_scalar(int i, double time, const std::vector<TimePoint>& points);
    double accounted_energy() const;
    void check_length(double length, double from, double rate) const;
    void check_collapse(double asked, double coming_speed) const;
    void check_scalar(int i) const;
    void check_energy(double kinetic_energy) const;
    [[noreturn]] void fail(const std::string& message) const;
    // with the scheme, and what helps
    [[noreturn]] void fail_unbounded(const std::string& message) const;

    const Run& run_;
    const FlowCase& flow_;
    FlowSolver& solver_;
    FlowData& data_;
    // What the run so far has been given: speeds [m/s], and the values of each scalar.
    double initial_speed_, boundary_speed_ = 0, amplification_ = 0, pressure_speed_ = 0,
                           impulse_ = 0;
    std::vector<Range> scalars_;
    TimeParts parts_;
    double reach_before_ = 0, reach_ = 0;  // the longest way of the accounted speed in a step [m]
};

}  // namespace solenoid
