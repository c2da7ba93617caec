// The handler of errors at the end of a program.
#pragma once

#include <functional>

#include "parallel/communicator.hpp"

namespace solenoid {

// Runs the action of a program. Returns its result, or the exit code of its exception, which is
// printed in one line on standard error (by rank 0 where all ranks agreed on it). An error that the
// other ranks do not know of ends all ranks.
int reported(const Communicator& comm, const char* program, const std::function<int()>& action);

}  // namespace solenoid
