#pragma once

#include <string>

#include "parallel/communicator.hpp"

namespace solenoid {

// Throws InputError on all ranks where all ranks of a host need more memory than it has free.
// bytes: that this rank needs at least; alike on all. what: what takes it, such as "9 x 9 nodes".
// Collective.
void check_memory(const Communicator& comm, double bytes, const std::string& place,
                  const std::string& what, const std::string& remedy);

}  // namespace solenoid
