// A rank's share of its host's cores.
#pragma once

#include "parallel/communicator.hpp"

namespace solenoid {

inline constexpr int most_threads = 1024;  // of a rank

// The threads that each rank takes: as OMP_NUM_THREADS says where it begins with a number above 0,
// else the cores that the rank may use (its affinity, a container's quota) over the ranks that may
// use the same, 1 at least and most_threads at most. Throws InputError where the variable has more
// than most_threads. Collective.
int thread_share(const Communicator& comm);

}  // namespace solenoid
