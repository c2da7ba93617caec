// What signals ask of a run. SIGINT, SIGTERM, SIGHUP, SIGXCPU and SIGUSR2: to stop. The time loop
// finishes its step and closes its files; a stage of the set-up or a solve that takes longer than
// the present patience is broken off, and so is one during which the signal comes a second time.
// SIGUSR1: to save what there is and go on. SIGPIPE and SIGXFSZ end nothing: what nobody reads is
// lost, and a file that grows too large is an error of its writer.
#pragma once

#include <string>

#include "core/error.hpp"

namespace solenoid {

void catch_signals();
// Asks to stop at the latest when so many seconds have passed, without patience: "--wall-time".
void stop_after(double seconds);

bool stop_requested();                   // on this rank; agree over the ranks before acting on it
int stop_signal();                       // the first one that asked to stop; 0 without
std::string name_of_signal(int number);  // such as "SIGTERM"

// How long a stage or a solve may go on after the signal [s]; 0 at first. Infinite once the request
// was acted on.
void set_stop_patience(double seconds);
bool stop_is_overdue();  // on this rank

// While one lives, what this rank does may be broken off anywhere: all ranks are told behind it
// (Communicator::agree).
class Breakable {
  public:
    Breakable();
    ~Breakable();
    Breakable(const Breakable&) = delete;
};
// In loops over all that a rank has, such as once a row of a grid, by the rank's first thread.
// Throws Stopped where the stop is overdue and a Breakable lives; does nothing else.
void break_off_if_overdue();

// Whether SIGUSR1 came since the last call, on this rank. Those that come within
// `save_signals_are_one` after a request was acted on are part of it: a launcher hands a signal to
// one rank after the other.
bool save_requested();
void save_was_done();                       // on all ranks
constexpr double save_signals_are_one = 2;  // [s]

// Thrown where a stage or a solve is broken off: exit code 3, without a result.
constexpr int stopped_exit_code = 3;
class Stopped : public Error {
  public:
    Stopped()
        : Error("stopped by a signal during a stage or a solve, which has no result",
                stopped_exit_code) {}
};

}  // namespace solenoid
