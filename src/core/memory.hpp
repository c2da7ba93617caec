#pragma once

namespace solenoid {

// Returns freed memory to the system. The C library otherwise keeps it.
void release_memory();

// From now on the C library keeps freed memory for later allocations, large arrays included: the
// system clears every page that it newly hands out.
void keep_memory();

}  // namespace solenoid
