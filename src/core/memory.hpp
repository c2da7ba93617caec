#pragma once

namespace solenoid {

// Returns freed memory to the system. The C library otherwise keeps it.
void release_memory();

}  // namespace solenoid
