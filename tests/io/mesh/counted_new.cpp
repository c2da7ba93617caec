#include "counted_new.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

namespace solenoid::test {
std::size_t largest_request = 0;
}

void* operator new(std::size_t size) {
    solenoid::test::largest_request = std::max(solenoid::test::largest_request, size);
    if (void* memory = std::malloc(size ? size : 1)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
