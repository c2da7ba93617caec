// Length of the next time step from the estimated local error of the last one.
#pragma once

namespace solenoid {

class StepControl {
  public:
    // order of the method: 2. error: over the allowed one, so that <= 1 is accepted.
    // The new step is 0.9 error^(-1/3) of the old, at most 4 times, at least a fifth (Hairer &
    // Wanner, II.4); a fifth after an error that is no number, which is never accepted.
    static double next(double step, double error);
    static bool accepted(double error) { return error <= 1; }
};

// A step that ends exactly at `target` and leaves no sliver before it.
double fitted_step(double time, double step, double target);

}  // namespace solenoid
