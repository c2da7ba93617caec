// What errors of velocity and scalars are relative to, and how fast buoyancy swings.
// docs/numerics.md, "The length of a flow's steps".
#pragma once

#include "flow/run/flow_data.hpp"
#include "flow/solver/flow_solver.hpp"
#include "run/time_data.hpp"

namespace solenoid {

class FlowScales {
  public:
    // end: of the run [s]; rounding: of the precision, relative. References must outlive this.
    // Collective, as all below.
    FlowScales(const FlowCase& flow, FlowData& data, const TimeData& time_data, FlowSolver& solver,
               double end, double rounding);

    // The solver's state is one that stays.
    void sample();
    // The largest error of the solver's last step, each over its scale: of the velocity its root
    // mean square or the speeds given on boundaries, of a scalar the range of its values and of
    // those given, as they are at the step's end, and no less than a twentieth of the largest in
    // the run.
    double relative(const StepErrors& errors) const;
    // Whether the solver's state is no rest: what solves leave of one where forces are borne is far
    // less than what they could make. Collective.
    bool moves() const;
    // as FlowData::buoyancy_rate() of the state seen last [1/s]
    double buoyancy_rate() const { return buoyancy_rate_; }

  private:
    struct Scalar {
        double low, high, least;  // least: of its scale
    };
    double least_velocity(double end, const std::vector<double>& instants) const;
    double mean_speed() const;

    const FlowCase& flow_;
    FlowData& data_;
    FlowSolver& solver_;
    const double rounding_;
    double velocity_ = 0, least_velocity_ = 0, buoyancy_rate_ = 0;
    std::vector<Scalar> scalars_;
};

}  // namespace solenoid
