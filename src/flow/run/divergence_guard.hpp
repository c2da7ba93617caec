// Divergence guard: ends a run that goes wrong. It checks for steps beyond the scheme's limit or
// shrinking without reason, energy without a source, and scalars beyond their data.
// docs/numerics.md, "What a run is held to".
#pragma once

#include "core/state_values.hpp"
#include "flow/run/flow_data.hpp"
#include "flow/solver/flow_solver.hpp"
#include "run/run.hpp"

namespace solenoid {

// Throws InputError where time.courant is beyond the scheme's limit. Collective.
void check_courant(const Run& run, FlowSolver& solver);
// The same of other settings of the run; place: names them. On this rank.
void check_courant(const CaseSettings& settings, const FlowSolver& solver,
                   const std::string& place);

class DivergenceGuard {
  public:
    // All references must outlive this. Collective, as all below.
    DivergenceGuard(const Run& run, FlowSolver& solver, FlowData& data);

    // before_step() and after_step() throw a FinalError with the time, the cell, the scheme and a
    // remedy: repeated in shorter steps a flow that grows would go on at the bound, and be wrong.
    // asked: the length of the step before it was fitted to the times of output [s]. courant_rate:
    // the Courant number of a step of one second.
    void before_step(double asked, double length, double courant_rate);
    void after_step(double length, double courant_rate, double kinetic_energy);
    // From now on the solver's steps use integrals of forces, sources and fluxes over these parts
    // of time; so does the account.
    void integrate_over(TimeParts parts) { parts_ = std::move(parts); }
    void register_state(const StateValues& state);  // all of it: steps may be taken back

  private:
    struct Range {
        double low, high;
    };
    void account_for(double time, double length);
    void measure_amplification(double moved, double inflow, bool is_later);
    void account_for_scalar(int i, double time, const std::vector<TimePoint>& points);
    double accounted_energy() const;
    void check_length(double length, double from, double rate) const;
    void check_collapse(double asked, double coming_speed) const;
    void check_scalar(int i) const;
    void check_energy(double kinetic_energy) const;
    [[noreturn]] void fail(const std::string& message) const;
    // Adds the scheme and a remedy to the message.
    [[noreturn]] void fail_unbounded(const std::string& message) const;

    const Run& run_;
    const FlowCase& flow_;
    FlowSolver& solver_;
    FlowData& data_;
    // Accounted so far: speeds [m/s], the range of each scalar.
    double initial_speed_, boundary_speed_ = 0, amplification_ = 0, pressure_speed_ = 0,
                           impulse_ = 0;
    // the largest speed and inflow [1/s] at which amplification_ was measured
    double measured_speed_ = 0, measured_inflow_ = 0;
    std::vector<Range> scalars_;
    TimeParts parts_;
    double reach_ = 0;  // longest way of the accounted speed in a step [m]
};

}  // namespace solenoid
