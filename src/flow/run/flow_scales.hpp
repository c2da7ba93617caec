// Scales for the errors of velocity and scalars, and the rate of buoyant oscillations.
// docs/numerics.md, "The length of a flow's steps".
#pragma once

#include "core/state_values.hpp"
#include "flow/run/flow_data.hpp"
#include "flow/solver/flow_solver.hpp"
#include "run/time_data.hpp"

namespace solenoid {

class FlowScales {
  public:
    // end: of the run [s]. rounding: relative rounding of the precision. All references must
    // outlive this. Collective, as all below.
    FlowScales(const FlowCase& flow, FlowData& data, const TimeData& time_data, FlowSolver& solver,
               double end, double rounding);

    // Takes the scales of the solver's state, which stays.
    void sample();
    // The largest of the relative errors of the solver's last step. The scale of the velocity is
    // the larger of its root mean square and the speeds given on boundaries; that of a scalar is
    // the range of its values and of its given values, at the step's end. No scale is below a
    // twentieth of its largest value in the run.
    double relative(const StepErrors& errors) const;
    // Whether the fluid moves. Velocities that solves leave in a fluid at rest where forces balance
    // are far smaller than those that the forces, or the rounding of scalars by their buoyancy,
    // could cause. Collective.
    bool moves() const;
    // Whether it has moved at any sampled state, by the same measure.
    bool has_moved() const;
    // FlowData::buoyancy_rate() of the last sampled state [1/s].
    double buoyancy_rate() const { return buoyancy_rate_; }
    void register_state(const StateValues& state);

  private:
    struct Scalar {
        double low, high, least;  // least: lower bound of its scale
    };
    double speed_by(double acceleration, double end) const;
    void set_least_velocities(double end, const std::vector<double>& instants);
    double mean_speed() const;

    const FlowCase& flow_;
    FlowData& data_;
    FlowSolver& solver_;
    const double rounding_;
    double velocity_ = 0, least_velocity_ = 0, buoyancy_rate_ = 0;
    double rounded_velocity_ = 0;  // that the rounding of scalars can cause [m/s]
    std::vector<Scalar> scalars_;
};

}  // namespace solenoid
