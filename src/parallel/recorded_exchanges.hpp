// Calls that a device records (Device::repeat), with exchanges of ghosts among them that go from
// GPU to GPU.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class RecordedExchanges {
  public:
    // Makes the calls, or does at once what they were the time before; counts what they send each
    // time.
    void repeat(const Communicator& comm, Device& device, const RecordedCalls& calls);

  private:
    std::unique_ptr<Recording> recording_;
    Traffic once_;
};

}  // namespace solenoid
