// What carries messages between the ranks on a device, and how fast (chosen in
// checks/choose_transport.hpp).
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "parallel/communicator.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// "auto", "gpu", "host", "mpi", and what they stand for.
std::vector<std::string> transport_choices();
Transport transport_of(const std::string& choice);

// Ranks in a ring: each sends n entities, its first ones, to the one before and the one after it,
// and receives as many of either behind them.
HaloPlan ring_plan(const Communicator& comm, Index n);

// "GPU memory" or "shared memory" within hosts, "MPI", joined by commas; "none" of a lone rank.
// Collective.
std::string transport_name(const Communicator& comm, Device& device);

struct TransportSpeed {
    // s: an exchange of one number with each neighbour in a ring, from the call until the device
    // has it; 0: not measured
    double latency = 0;
    double bandwidth = 0;  // bytes/s that a rank sends, in messages of a mebibyte
};
// Some milliseconds. Collective.
TransportSpeed transport_speed(const Communicator& comm, Device& device);

}  // namespace solenoid
