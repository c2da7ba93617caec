// Which way messages between the ranks of a host take: what the user names, or the fastest that is
// there and right.
#pragma once

#include <string>

#include "device/device.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

// From now on. "auto" takes "gpu" where each rank of a host has a GPU of its own that the others
// write into, and sums and exchanges by it are right (check_transport: told in the log); else
// "host", with a warning where they are wrong. A transport that is asked for by name and cannot be
// had throws InputError on all ranks. Collective.
void choose_transport(const Communicator& comm, Device& device, const std::string& choice);

}  // namespace solenoid
