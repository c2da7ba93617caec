// Calls recorded by a device (Device::repeat) that contain ghost exchanges from GPU to GPU.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class RecordedExchanges {
  public:
    // Runs the calls, or replays them where they equal the last ones. Counts the traffic of each
    // run.
    void repeat(const Communicator& comm, Device& device, const RecordedCalls& calls);

  private:
    std::unique_ptr<Recording> recording_;
    Traffic once_;
};

}  // namespace solenoid
