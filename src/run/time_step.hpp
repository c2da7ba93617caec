// The length of the next time step from the estimated local error of the last one.
#pragma once

namespace solenoid {

class StepControl {
  public:
    // For a method of second order. error: relative to the tolerance; at most 1 is accepted. The
    // new step is 0.9 error^(-1/3) of the old one, at most 4 times and at least a fifth of it
    // (Hairer & Wanner, II.4); a fifth if the error is NaN, which is never accepted.
    static double next(double step, double error);
    static bool accepted(double error) { return error <= 1; }
};

// The length of a step that ends exactly at `target` or leaves no very short step before it.
double fitted_step(double time, double step, double target);

}  // namespace solenoid
