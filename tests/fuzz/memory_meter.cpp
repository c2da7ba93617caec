#include "fuzz/memory_meter.hpp"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<std::size_t> in_use{0}, most_in_use{0};

void* counted(void* memory) {
    if (!memory) return nullptr;
    const std::size_t now = in_use += malloc_usable_size(memory);
    std::size_t most = most_in_use;
    while (now > most && !most_in_use.compare_exchange_weak(most, now)) {
    }
    return memory;
}

void* take(std::size_t size) { return counted(std::malloc(size ? size : 1)); }
void* take(std::size_t size, std::align_val_t alignment) {
    const auto step = static_cast<std::size_t>(alignment);
    return counted(std::aligned_alloc(step, (size + step - (size > 0)) / step * step));
}

void* existing(void* memory) {
    if (!memory) throw std::bad_alloc();
    return memory;
}

void give_back(void* memory) {
    if (memory) in_use -= malloc_usable_size(memory);
    std::free(memory);
}

using Nothrow = std::nothrow_t;
using Align = std::align_val_t;

}  // namespace

// All forms, since sanitizers replace those that a program leaves.
void* operator new(std::size_t n) { return existing(take(n)); }
void* operator new[](std::size_t n) { return existing(take(n)); }
void* operator new(std::size_t n, const Nothrow&) noexcept { return take(n); }
void* operator new[](std::size_t n, const Nothrow&) noexcept { return take(n); }
void* operator new(std::size_t n, Align a) { return existing(take(n, a)); }
void* operator new[](std::size_t n, Align a) { return existing(take(n, a)); }
void* operator new(std::size_t n, Align a, const Nothrow&) noexcept { return take(n, a); }
void* operator new[](std::size_t n, Align a, const Nothrow&) noexcept { return take(n, a); }
void operator delete(void* memory) noexcept { give_back(memory); }
void operator delete[](void* memory) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t) noexcept { give_back(memory); }
void operator delete(void* memory, const Nothrow&) noexcept { give_back(memory); }
void operator delete[](void* memory, const Nothrow&) noexcept { give_back(memory); }
void operator delete(void* memory, Align) noexcept { give_back(memory); }
void operator delete[](void* memory, Align) noexcept { give_back(memory); }
void operator delete(void* memory, std::size_t, Align) noexcept { give_back(memory); }
void operator delete[](void* memory, std::size_t, Align) noexcept { give_back(memory); }
void operator delete(void* memory, Align, const Nothrow&) noexcept { give_back(memory); }
void operator delete[](void* memory, Align, const Nothrow&) noexcept { give_back(memory); }

namespace solenoid::fuzz {

MemoryMeter::MemoryMeter() : before_(in_use) { most_in_use = before_; }

std::size_t MemoryMeter::most() const { return most_in_use - before_; }

}  // namespace solenoid::fuzz
