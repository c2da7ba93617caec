// Choice of the transport between the ranks of a host: by name, or the fastest that works.
#pragma once

#include <string>

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// Sets the communicator's transport. "auto" takes "gpu" where each rank of a host has its own GPU
// that the others can write to and where check_transport() passes (reported in the log), else
// "host", with a warning where the check fails. Throws InputError on all ranks where a transport
// chosen by name is not available. Collective.
void choose_transport(const Communicator& comm, Device& device, const std::string& choice);

}  // namespace solenoid
