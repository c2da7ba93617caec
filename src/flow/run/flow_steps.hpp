// The length of a flow's next time step: fixed, or by the Courant number and the errors of earlier
// steps. docs/numerics.md, "The length of a flow's steps".
#pragma once

#include <cmath>

#include "core/state_values.hpp"
#include "flow/run/flow_data.hpp"

namespace solenoid {

class FlowSteps {
  public:
    // courant: may change while steps are made. controls: steps are also chosen by errors, given to
    // accepts(). All references must outlive this.
    FlowSteps(const Communicator& comm, FlowData& data, const TimeSettings& time,
              const double& courant, bool controls);

    // The length of the step from `time` [s]. It ends at `target` at the latest, and leaves no very
    // short step before it. With controls, the first step, also after a jump of the data, leaves
    // room for a second one of its length. courant_rate: the Courant number of a step of one
    // second. limit: upper bound of steps chosen by the run, beside the way to the target. Throws
    // ComputationError where the step vanishes. Collective.
    double next(double time, double target, double courant_rate, double limit);
    // Whether the last step was a first one, also after a jump of the data.
    bool starts() const { return !time_.step && starts_; }
    // Judges the last step of `length` [s]. error: its error relative to the tolerance; order: of
    // the method. Returns false where the step must be undone; the next one is shorter.
    bool accepts(double length, double error, int order);
    // The last step of `length` [s], chosen by the run, failed and is undone: the next one is half
    // as long.
    void shortens(double length);
    // The last step stays.
    void stays() { taken_back_ = vain_ = 0; }
    // After a jump of the data: the next step chosen by the run counts as a first one, but is not
    // much longer than the last one, `length`.
    void restart(double length);
    // The last length [s] before it was fitted to the target, by the flow alone without regard to
    // errors.
    double asked() const { return time_.step ? step_ : by_flow_; }
    // Of the control between two steps.
    void register_state(const StateValues& state);

  private:
    double first(double time, double courant_rate) const;
    bool jumps(double time) const;
    double growth(double courant_rate) const;
    double grown(double courant_rate) const;

    const Communicator& comm_;
    FlowData& data_;
    const TimeSettings& time_;
    const double& courant_;  // target of steps
    const bool controls_;
    double step_ = 0, by_flow_ = 0;  // [s]; 0: none yet
    double longest_first_ = HUGE_VAL;
    double by_error_ = HUGE_VAL;  // next length allowed by the last error [s]
    bool starts_ = true;
    int since_start_ = 0;  // steps since the start
    // Of the present step: number of times it was undone, of these the last ones without gain;
    // length and error of the last trial, and length of the last trial with a gain.
    int taken_back_ = 0, vain_ = 0;
    double trial_ = 0, trial_error_ = 0, plateau_ = 0;
    int left_alone_ = 0;  // number of further steps whose error is ignored
};

}  // namespace solenoid
