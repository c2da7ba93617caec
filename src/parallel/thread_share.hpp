// A rank's share of its host's cores.
#pragma once

#include "parallel/communicator.hpp"

namespace solenoid {

// The threads that each rank takes: as OMP_NUM_THREADS says where it is set to a number, else the cores that the rank may use (its
// affinity, a container's quota) over the ranks that may use the same, 1 at least. Collective.
int thread_share(const Communicator& comm);

}  // namespace solenoid
