// The short form of the checks of sums and exchanges, made before a run.
#pragma once

#include <string>

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

struct TransportCheck {
    std::int64_t sums = 0, exchanges = 0;  // number made
    double seconds = 0;
    std::string wrong;  // text about the first wrong one; "": none
};

// Checks the communicator's transport on this device in some tenths of a second. Ends all ranks
// with exit code 1 where a message does not arrive. Collective, with equal results on all ranks.
TransportCheck check_transport(const Communicator& comm, Device& device);

}  // namespace solenoid
