// Pauses of one rank at random times: the others come too early, or too late.
#pragma once

#include "device/device.hpp"
#include "parallel/checks/draws.hpp"

namespace solenoid {

class Delays {
  public:
    // The seed is the rank's own.
    Delays(Device& device, std::uint64_t seed);
    // Once in `one_in` calls the host sleeps up to half a millisecond, or the device has some
    // kernels more to do.
    void maybe(Index one_in);

  private:
    Device& device_;
    Draws draws_;
    Buffer<float> work_, more_;
};

}  // namespace solenoid
