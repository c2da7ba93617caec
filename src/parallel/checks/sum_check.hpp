// Check of sums over the ranks: on devices (DeviceAllreduce) and by the communicator.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "device/device.hpp"
#include "parallel/checks/delays.hpp"
#include "parallel/communicator.hpp"
#include "parallel/device_allreduce.hpp"

namespace solenoid {

// The terms are drawn from the seed, the rank and the round: multiples of 2^-10 below 2^30, whose
// sum is exact in any order.
class SumCheck {
  public:
    // Collective, as all below.
    SumCheck(const Communicator& comm, Device& device, std::uint64_t seed);

    bool has_device_sums() const { return sums_ != nullptr; }
    // Runs `count` more sums of four numbers on the device, set by the host or reduced by kernels,
    // eight before their results are read. Returns "" or, on all ranks, a text about the first
    // wrong sum of the lowest rank that has one.
    std::string run_on_device(std::int64_t count);
    // Runs `count` sums of one to eight doubles or integers by the communicator. Returns as
    // run_on_device().
    std::string run_by_communicator(std::int64_t count);

  private:
    using Four = std::array<double, DeviceSums::most>;
    static constexpr int at_once = 8;

    std::string some_on_device(int count);
    std::string one_by_communicator();
    Four set_one(DeviceSums& kept, std::int64_t round);
    std::string words(const char* kind, std::int64_t round, std::size_t n, double expected,
                      double found) const;
    double part(int rank, std::int64_t round, int n) const;

    Communicator comm_;
    Device& device_;
    std::uint64_t seed_;
    Draws draws_;  // equal on all ranks
    Delays delays_;
    std::unique_ptr<DeviceAllreduce> sums_;
    std::vector<std::unique_ptr<DeviceSums>> kept_;
    Buffer<float> ones_;
    std::int64_t on_device_ = 0, by_communicator_ = 0;  // so far
};

}  // namespace solenoid
