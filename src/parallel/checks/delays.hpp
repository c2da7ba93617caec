// Pauses of one rank at random times, so that the others come too early or too late.
#pragma once

#include "device/device.hpp"
#include "parallel/checks/draws.hpp"

namespace solenoid {

class Delays {
  public:
    // seed: different on each rank.
    Delays(Device& device, std::uint64_t seed);
    // In one of `one_in` calls the host sleeps up to half a millisecond, or the device gets extra
    // kernels.
    void maybe(Index one_in);

  private:
    Device& device_;
    Draws draws_;
    Buffer<float> work_, more_;
};

}  // namespace solenoid
