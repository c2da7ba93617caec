#include "parallel/checks/watchdog.hpp"

#include <chrono>
#include <cstdio>
#include <utility>

namespace solenoid {

Watchdog::Watchdog(const Communicator& comm, double seconds, std::string message)
    : seconds_(seconds + (comm.is_root() ? 0 : 2)),
      message_(std::move(message)),
      thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Watchdog::alive() {
    {
        const std::lock_guard lock(mutex_);
        ++signs_;
    }
    changed_.notify_one();
}

void Watchdog::watch() {
    std::unique_lock lock(mutex_);
    while (!is_over_) {
        const std::uint64_t seen = signs_;
        if (changed_.wait_for(lock, std::chrono::duration<double>(seconds_),
                              [&] { return is_over_ || signs_ != seen; }))
            continue;
        std::fprintf(stderr, "error: %s\n", message_.c_str());
        MpiSession::abort(1);
    }
}

}  // namespace solenoid
