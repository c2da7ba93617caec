// Ends all ranks where a message does not arrive. It is a thread of its own, since the waiting
// thread may be inside the driver or MPI.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "parallel/communicator.hpp"

namespace solenoid {

class Watchdog {
  public:
    // Where alive() is not called for `seconds`, prints "error: " and the message to standard error
    // and calls MPI_Abort with exit code 1. Ranks above 0 wait two seconds more, so that only one
    // prints.
    Watchdog(const Communicator& comm, double seconds, std::string message);
    ~Watchdog();
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;
    void alive();

  private:
    void watch();

    const double seconds_;
    const std::string message_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    std::uint64_t signs_ = 0;  // calls of alive()
    std::thread thread_;
};

}  // namespace solenoid
