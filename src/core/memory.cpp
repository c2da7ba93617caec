#include "core/memory.hpp"

#include <cstdlib>
#include <limits>
#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace solenoid {

void release_memory() {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}

void keep_memory() {
#ifdef __GLIBC__
    mallopt(M_MMAP_MAX, 0);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    mallopt(M_TOP_PAD, 64 << 20);
#endif
}

}  // namespace solenoid
