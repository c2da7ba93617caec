// Command `solenoid keys`: the keys of case files.
#pragma once

#include <string>

namespace solenoid {

// Prints the tables whose titles contain `part` (all if empty), and the types of boundaries.
// Returns the exit code. Throws InputError where no title matches.
int print_keys(const std::string& part);

}  // namespace solenoid
