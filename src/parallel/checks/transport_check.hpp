// The short form of the checks of sums and exchanges, before a run.
#pragma once

#include <string>

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

struct TransportCheck {
    std::int64_t sums = 0, exchanges = 0;  // that were made
    double seconds = 0;
    std::string wrong;  // words on the first that was not right; "": none
};

// By the communicator's transport on this device, some tenths of a second; where a message never
// comes, all ranks end with code 1. Collective, with the same outcome on all ranks.
TransportCheck check_transport(const Communicator& comm, Device& device);

}  // namespace solenoid
