// Keeps the size of the largest piece of memory that operator new was asked for. Link
// counted_new.cpp.
#pragma once

#include <cstddef>

namespace solenoid::test {

extern std::size_t largest_request;  // [bytes]; set to 0 to begin anew

}  // namespace solenoid::test
