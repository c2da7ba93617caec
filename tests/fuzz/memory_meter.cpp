#include "fuzz/memory_meter.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0}, most_in_use{0};

void* taken(void* memory) {
    if (!memory) throw std::bad_alloc();
    const std::size_t now = in_use += malloc_usable_size(memory);
    std::size_t most = most_in_use;
    while (now > most && !most_in_use.compare_exchange_weak(most, now)) {
    }
    return memory;
}

void give_back(void* memory) {
    if (memory) in_use -= malloc_usable_size(memory);
    std::free(memory);
}

std::size_t rounded(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return (size + step - 1) / step * step + (size == 0) * step;
}

}  // namespace

void* operator new(std::size_t size) { return taken(std::malloc(size ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
    return taken(std::aligned_alloc(static_cast<std::size_t>(alignment), rounded(size, alignment)));
}
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { give_back(memory); }

namespace solenoid::fuzz {

MemoryMeter::MemoryMeter() : before_(in_use) { most_in_use = before_; }

std::size_t MemoryMeter::most() const { return most_in_use - before_; }

}  // namespace solenoid::fuzz
