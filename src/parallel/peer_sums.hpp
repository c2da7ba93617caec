// Sums over the ranks of what stays on their devices.
#pragma once

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

class PeerWindow;

class PeerSums {
  public:
    // Null on all ranks where a device keeps no sums, or GPUs do not reach each other or are of several hosts. Collective.
    static std::unique_ptr<PeerSums> make(const Communicator& comm, Device& device);
    ~PeerSums();
    PeerSums(const PeerSums&) = delete;
    PeerSums& operator=(const PeerSums&) = delete;

    // Elementwise, on every rank: launched, waited for by nobody. Collective.
    void add(KeptSums& sums);

  private:
    struct Rooms;
    explicit PeerSums(const Communicator& comm);
    Communicator comm_;
    std::unique_ptr<Rooms> rooms_;
    std::unique_ptr<PeerSum> sum_;  // null: of one rank, nothing to do
};

}  // namespace solenoid
