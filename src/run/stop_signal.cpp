#include "run/stop_signal.hpp"

#include <csignal>

namespace solenoid {
namespace {
volatile std::sig_atomic_t requested = 0;
void request(int) { requested = 1; }
}  // namespace

void catch_stop_signals() {
    std::signal(SIGINT, request);
    std::signal(SIGTERM, request);
}

bool stop_requested() { return requested != 0; }

}  // namespace solenoid
