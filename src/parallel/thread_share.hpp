// The number of threads of a rank.
#pragma once

#include "parallel/communicator.hpp"

namespace solenoid {

inline constexpr int most_threads = 1024;  // per rank

// The number in OMP_NUM_THREADS if it is above 0. Otherwise the number of cores that the rank may
// use (affinity, quota of the container) divided by the number of ranks that may use the same
// cores, from 1 to most_threads. Throws InputError where the variable exceeds most_threads.
// Collective.
int thread_share(const Communicator& comm);

}  // namespace solenoid
