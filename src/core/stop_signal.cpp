#include "core/stop_signal.hpp"

#include <sys/time.h>

#include <array>
#include <cmath>
#include <csignal>
#include <ctime>
#include <utility>

namespace solenoid {
namespace {

constexpr std::array<std::pair<int, const char*>, 6> that_stop{{{SIGINT, "SIGINT"},
                                                                {SIGTERM, "SIGTERM"},
                                                                {SIGHUP, "SIGHUP"},
                                                                {SIGXCPU, "SIGXCPU"},
                                                                {SIGUSR2, "SIGUSR2"},
                                                                {SIGALRM, "--wall-time"}}};
// Signals that a launcher sends twice come within this time [s]; a later one is a user's second.
constexpr double sent_twice = 1;

volatile std::sig_atomic_t requested = 0;  // the signal's number
volatile std::sig_atomic_t insisted = 0;   // it came again
volatile double requested_at = 0;          // written before `requested`
double patience = 0;
int breakable = 0;  // how many live

volatile std::sig_atomic_t to_save = 0;
volatile double to_save_at = 0;  // written before `to_save`
double saved_at = -HUGE_VAL;

double now() {
    timespec time{};
    clock_gettime(CLOCK_MONOTONIC, &time);  // safe in a signal handler
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

void ask_to_stop(int signal) {
    if (requested) {
        if (now() - requested_at > sent_twice) insisted = 1;
        return;
    }
    requested_at = now();
    requested = signal;
}

void ask_to_save(int) {
    to_save_at = now();
    to_save = 1;
}

}  // namespace

// A signal that the process was started to ignore stays so: SIGHUP under nohup, SIGINT of a
// shell's background process.
void catch_signals() {
    for (const auto& [signal, name] : that_stop)
        if (std::signal(signal, ask_to_stop) == SIG_IGN && (signal == SIGHUP || signal == SIGINT))
            std::signal(signal, SIG_IGN);
    std::signal(SIGUSR1, ask_to_save);
    for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
}

void stop_after(double seconds) {
    itimerval timer{};
    timer.it_value.tv_sec = static_cast<time_t>(seconds);
    timer.it_value.tv_usec = static_cast<suseconds_t>(1e6 * (seconds - std::floor(seconds)));
    setitimer(ITIMER_REAL, &timer, nullptr);
}

bool stop_requested() { return requested != 0; }
int stop_signal() { return requested; }

std::string name_of_signal(int number) {
    for (const auto& [signal, name] : that_stop)
        if (signal == number) return name;
    return "a signal";
}

void set_stop_patience(double seconds) { patience = seconds; }

bool stop_is_overdue() {
    return requested && std::isfinite(patience) &&
           (insisted || requested == SIGALRM || now() - requested_at >= patience);
}

Breakable::Breakable() { ++breakable; }
Breakable::~Breakable() { --breakable; }

void break_off_if_overdue() {
    if (breakable > 0 && stop_is_overdue()) throw Stopped();
}

bool save_requested() {
    if (!to_save) return false;
    to_save = 0;
    return to_save_at - saved_at > save_signals_are_one;
}

void save_was_done() {
    to_save = 0;
    saved_at = now();
}

}  // namespace solenoid
