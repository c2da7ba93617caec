// solenoid keys: what a case file may say.
#pragma once

#include <string>

namespace solenoid {

// Prints the tables whose titles hold `part`, all where it is empty, and the types of boundaries.
// The exit code; throws InputError where there is none.
int print_keys(const std::string& part);

}  // namespace solenoid
