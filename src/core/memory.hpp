#pragma once

namespace solenoid {

// Hands the memory of freed arrays back: the C library keeps it otherwise, beside what is allocated
// next.
void release_memory();

}  // namespace solenoid
