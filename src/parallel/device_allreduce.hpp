// Sums over the ranks of values that stay on the devices.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class PeerWindow;

class DeviceAllreduce {
  public:
    // Null on all ranks where a device has no DeviceSums, or where GPUs cannot write to each other
    // or are on several hosts. Collective.
    static std::unique_ptr<DeviceAllreduce> make(const Communicator& comm, Device& device);
    ~DeviceAllreduce();
    DeviceAllreduce(const DeviceAllreduce&) = delete;
    DeviceAllreduce& operator=(const DeviceAllreduce&) = delete;

    // Adds up elementwise on every rank, by a launch that the host does not wait for. Collective.
    void add(DeviceSums& sums);

  private:
    struct Allocations;
    explicit DeviceAllreduce(const Communicator& comm);
    Communicator comm_;
    std::unique_ptr<Allocations> allocations_;
    std::unique_ptr<PeerSum> sum_;  // null on one rank
};

}  // namespace solenoid
