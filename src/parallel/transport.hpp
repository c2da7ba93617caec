// Names and speed of the transport between ranks (choice: checks/choose_transport.hpp).
#pragma once

#include <string>
#include <vector>

#include "device/device.hpp"
#include "parallel/communicator.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// The names "auto", "gpu", "host", "mpi", and the transport of a name.
std::vector<std::string> transport_choices();
Transport transport_of(const std::string& choice);

// The plan of ranks in a ring: each sends its first n entities to the previous and to the next
// rank, and receives n ghosts from each.
HaloPlan ring_plan(const Communicator& comm, Index n);

// "GPU memory" or "shared memory" within hosts and "MPI", joined by commas; "none" on one rank.
// Collective.
std::string transport_name(const Communicator& comm, Device& device);

struct TransportSpeed {
    // [s]: an exchange of one number with each neighbour in a ring, from the call until the device
    // has it; 0: not measured
    double latency = 0;
    double bandwidth = 0;  // [bytes/s] that a rank sends, in messages of 1 MiB
};
// Measures the speed in some milliseconds. Collective.
TransportSpeed transport_speed(const Communicator& comm, Device& device);

}  // namespace solenoid
