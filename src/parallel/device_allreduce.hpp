// Sums over the ranks of what stays on their devices.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class PeerWindow;

class DeviceAllreduce {
  public:
    // Null on all ranks where a device keeps no sums, or GPUs do not reach each other or are of
    // several hosts. Collective.
    static std::unique_ptr<DeviceAllreduce> make(const Communicator& comm, Device& device);
    ~DeviceAllreduce();
    DeviceAllreduce(const DeviceAllreduce&) = delete;
    DeviceAllreduce& operator=(const DeviceAllreduce&) = delete;

    // Elementwise, on every rank: launched, waited for by nobody. Collective.
    void add(DeviceSums& sums);

  private:
    struct Allocations;
    explicit DeviceAllreduce(const Communicator& comm);
    Communicator comm_;
    std::unique_ptr<Allocations> allocations_;
    std::unique_ptr<PeerSum> sum_;  // null: of one rank, nothing to do
};

}  // namespace solenoid
