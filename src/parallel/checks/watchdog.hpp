// Ends all ranks where a message never comes: a thread beside the work, which may wait inside of
// the driver or of MPI.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "parallel/communicator.hpp"

namespace solenoid {

class Watchdog {
  public:
    // While it lives and alive() is not called for so many seconds: "error: " and the message on
    // standard error, MPI_Abort with code 1. The ranks behind the first have two seconds more, so
    // that one speaks.
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
    std::uint64_t signs_ = 0;  // of life
    std::thread thread_;
};

}  // namespace solenoid
