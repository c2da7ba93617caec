#include "core/memory.hpp"

#include <cstdlib>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace solenoid {

void release_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

}  // namespace solenoid
