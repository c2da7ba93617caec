// The length of a flow's next time step: fixed, or from the Courant number and the error of the
// steps before. docs/numerics.md, "The length of a flow's steps".
#pragma once

#include <cmath>

#include "flow/run/flow_data.hpp"

namespace solenoid {

class FlowSteps {
  public:
    // controls: errors are told by accepts(). All references must outlive this.
    FlowSteps(const Communicator& comm, FlowData& data, const TimeSettings& time, double courant,
              bool controls);

    // The step from `time`, that ends at `target` at the latest and leaves no sliver before it;
    // where errors are told the first, also behind a jump, leaves room for another one like it.
    // courant_rate: the Courant number of a step of one second; limit: no step of its own choice is
    // longer. Throws ComputationError where the step vanishes. Collective.
    double next(double time, double target, double courant_rate, double limit);
    // that was the first, also behind a jump
    bool starts() const { return !time_.step && starts_; }
    // Of the last step, `length` [s] long, by a method of an order: its error over the tolerance.
    // False: it is to be taken back, and is shorter next time.
    bool accepts(double length, double error, int order);
    // The last step, `length` [s] long, has failed. False: so have shorter ones; else it is to be
    // taken back, and is shorter next time.
    bool shortens(double length);
    // The next step of its own choice is as the first, but not much longer than the last one,
    // `length`: what drives the flow has jumped.
    void restart(double length);
    // The last one before it was fitted to the target, as long as it would be by the flow alone,
    // without regard to errors [s].
    double asked() const { return time_.step ? step_ : by_flow_; }

  private:
    double first(double time, double courant_rate) const;
    bool jumps(double time) const;
    double growth(double courant_rate) const;

    const Communicator& comm_;
    FlowData& data_;
    const TimeSettings& time_;
    const double courant_;  // that steps aim at
    const bool controls_;
    double step_ = 0, by_flow_ = 0;  // 0: none yet
    double longest_first_ = HUGE_VAL;
    double by_error_ = HUGE_VAL;  // the next, as the last one's error allows [s]
    bool starts_ = true;
    int since_start_ = 0;  // steps
    // Of the step under way: how often it has been taken back, of these the last ones in vain, and
    // all that failed; the length of the last trial, its error, and the length of the last that was
    // not in vain.
    int taken_back_ = 0, vain_ = 0, failed_ = 0;
    double trial_ = 0, trial_error_ = 0, plateau_ = 0;
    int left_alone_ = 0;  // steps yet whose error does not count
};

}  // namespace solenoid
