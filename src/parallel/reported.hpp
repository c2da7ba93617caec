// The last place where errors arrive.
#pragma once

#include <functional>

#include "parallel/communicator.hpp"

namespace solenoid {

// What the action of a program returns, or the exit code of what it throws, after one line about it
// on the error output: of an agreed error on rank 0 alone. An error of one rank that the others do
// not know of stops them all.
int reported(const Communicator& comm, const char* program, const std::function<int()>& action);

}  // namespace solenoid
