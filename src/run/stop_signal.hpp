// SIGINT and SIGTERM ask a run to finish its step and close its files.
#pragma once

namespace solenoid {

void catch_stop_signals();
bool stop_requested();  // on this rank; agree over the ranks before acting on it

}  // namespace solenoid
