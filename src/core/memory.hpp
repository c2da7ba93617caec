#pragma once

namespace solenoid {

// Hands the memory of freed arrays back: the C library keeps it otherwise, beside what is allocated
// next.
void release_memory();

// From now on the program keeps what it frees for what it allocates next, large arrays too: the
// system clears every page that it is asked for.
void keep_memory();

}  // namespace solenoid
