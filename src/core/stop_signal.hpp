// SIGINT, SIGTERM, SIGHUP and SIGXCPU ask a run to stop. The time loop finishes its step and closes
// its files. A stage of the set-up or a solve that takes longer than the present patience is broken
// off.
#pragma once

#include "core/error.hpp"

namespace solenoid {

void catch_stop_signals();
bool stop_requested();  // on this rank; agree over the ranks before acting on it

// How long a stage or a solve may go on after the signal [s]; 0 at first. Infinite once the request
// was acted on.
void set_stop_patience(double seconds);
bool stop_is_overdue();  // on this rank

// Thrown where a stage or a solve is broken off: exit code 3, without a result.
constexpr int stopped_exit_code = 3;
class Stopped : public Error {
  public:
    Stopped()
        : Error("stopped by a signal during a stage or a solve, which has no result",
                stopped_exit_code) {}
};

}  // namespace solenoid
