// SIGINT, SIGTERM, SIGHUP and SIGXCPU ask a run to end. In the time loop it finishes its step and
// closes its files; where a stage of the set-up or a solve takes longer than the patience of the
// moment, it ends there.
#pragma once

#include "core/error.hpp"

namespace solenoid {

void catch_stop_signals();
bool stop_requested();  // on this rank; agree over the ranks before acting on it

// How long a stage or a solve may still go on after the signal [s]: 0 at first. No end once the
// request was acted on.
void set_stop_patience(double seconds);
bool stop_is_overdue();  // on this rank

// Exit code 3: no result of what was under way.
constexpr int stopped_exit_code = 3;
class Stopped : public Error {
  public:
    Stopped()
        : Error(
              "stopped by a signal in the middle of a stage or a solve: what was under way has no "
              "result",
              stopped_exit_code) {}
};

}  // namespace solenoid
