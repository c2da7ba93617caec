// A vector whose values are not initialized, for loops that set all of them in threads: memory is
// touched once.
#pragma once

#include <memory>
#include <vector>

namespace solenoid {

template <class T>
struct UnsetAllocator : std::allocator<T> {
    UnsetAllocator() = default;
    template <class U>
    UnsetAllocator(const UnsetAllocator<U>&) {}

    template <class U>
    void construct(U* place) {
        ::new (static_cast<void*>(place)) U;
    }
    template <class U, class... Values>
    void construct(U* place, Values&&... values) {
        std::construct_at(place, std::forward<Values>(values)...);
    }
};

template <class T>
using UninitializedVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace solenoid
