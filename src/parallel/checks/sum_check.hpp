// Sums over the ranks whose outcome is known: those that stay on the devices (DeviceAllreduce), and
// those of the communicator.
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

// What a rank adds is drawn from the seed, its number and the round: multiples of 2^-10 below 2^30,
// whose sum is the same in any order, to the bit.
class SumCheck {
  public:
    // Collective, like all of it. ranks: of those that add, to be expected.
    SumCheck(const Communicator& comm, Device& device, std::uint64_t seed);

    bool has_device_sums() const { return sums_ != nullptr; }
    // So many more sums of four numbers that stay on the device: what the host puts there, or what
    // kernels reduce; eight, one behind the other, are looked at together. "", or words on the
    // first that was not right, of the lowest rank that saw one. The same on all ranks.
    std::string run_on_device(std::int64_t count);
    // The same by the communicator: one to eight numbers, doubles and integers.
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
    Draws draws_;  // of all ranks alike
    Delays delays_;
    std::unique_ptr<DeviceAllreduce> sums_;
    std::vector<std::unique_ptr<DeviceSums>> kept_;
    Buffer<float> ones_;
    std::int64_t on_device_ = 0, by_communicator_ = 0;  // so far
};

}  // namespace solenoid
