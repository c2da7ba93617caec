// The length of a flow's next time step: fixed, or from the Courant number.
#pragma once

#include <cmath>

#include "flow/run/flow_data.hpp"

namespace solenoid {

class FlowSteps {
  public:
    // All references must outlive this.
    FlowSteps(const Communicator& comm, FlowData& data, const TimeSettings& time, double courant);

    // The step from `time`, that ends at `target` at the latest and leaves no sliver before it. courant_rate:
    // the Courant number of a step of one second; limit: no step of its own choice is longer. Throws
    // ComputationError where the step vanishes. Collective.
    double next(double time, double target, double courant_rate, double limit);
    // The next step of its own choice is as the first, but not much longer than the last one, `length`: what drives the flow has jumped.
    void restart(double length);
    double asked() const { return step_; }  // the last one before it was fitted to the target [s]

  private:
    double first(double time, double courant_rate) const;
    bool jumps(double time) const;

    const Communicator& comm_;
    FlowData& data_;
    const TimeSettings& time_;
    const double courant_;  // that steps aim at
    double step_ = 0;  // 0: none yet
    double longest_first_ = HUGE_VAL;
};

}  // namespace solenoid
