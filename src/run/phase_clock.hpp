// Where the wall-clock time of a run goes: at each moment to one phase of the summary, so that the
// phases add up to the whole.
#pragma once

#include "core/timer.hpp"
#include "io/files/summary.hpp"

namespace solenoid {

class PhaseClock {
  public:
    using Phase = double PhaseSeconds::*;

    // Counts from now on, first for `start`. The seconds must outlive this.
    explicit PhaseClock(PhaseSeconds& seconds) : seconds_(seconds) {}

    // Time within a scope goes to its phase, and within an inner scope to that one's.
    class In {
      public:
        In(PhaseClock& clock, Phase phase) : clock_(clock), outer_(clock.turn_to(phase)) {}
        ~In() { clock_.turn_to(outer_); }
        In(const In&) = delete;

      private:
        PhaseClock& clock_;
        const Phase outer_;
    };
    // What no scope is round goes to this phase from now on.
    Phase turn_to(Phase phase) {
        seconds_.*phase_ += watch_.restart();
        const Phase before = phase_;
        phase_ = phase;
        return before;
    }
    void update() { turn_to(phase_); }  // the seconds until now

  private:
    PhaseSeconds& seconds_;
    Phase phase_ = &PhaseSeconds::start;
    Stopwatch watch_;
};

}  // namespace solenoid
