#include "core/stop_signal.hpp"

#include <csignal>
#include <ctime>

namespace solenoid {
namespace {

volatile std::sig_atomic_t requested = 0;
volatile double requested_at = 0;  // written before `requested`
double patience = 0;

double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // safe in a signal handler
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void request(int) {
    if (requested) return;
    requested_at = now();
    requested = 1;
}

}  // namespace

void catch_stop_signals() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGXCPU}) std::signal(signal, request);
}

bool stop_requested() { return requested != 0; }

void set_stop_patience(double seconds) { patience = seconds; }

bool stop_is_overdue() { return requested && now() - requested_at >= patience; }

}  // namespace solenoid
