// Sorting in threads.
#pragma once

#include <algorithm>

#include "core/threads.hpp"
#include "core/uninitialized_vector.hpp"

namespace solenoid {

// Merges the sorted ranges [first, middle) and [middle, last) into `out`. Each thread takes a piece
// of the first range and what stands before its end in the second.
template <class T, class Less>
void merge_in_threads(const T* first, const T* middle, const T* last, T* out, const Less& less) {
    const Parts parts(0, static_cast<std::size_t>(middle - first), 16384);
    const auto place = [&](int k) {
        return k == 0             ? middle
               : k == parts.count ? last
                                  : std::lower_bound(middle, last, first[parts.bound(k)], less);
    };
    in_threads(parts.count, [&](int k) {
        const T *a = first + parts.bound(k), *b = place(k);
        std::merge(a, first + parts.bound(k + 1), b, place(k + 1), out + (a - first) + (b - middle),
                   less);
    });
}

// Sorts values of which no two are equal, so that the order does not depend on the number of
// threads.
template <class T, class Less>
void sort_in_threads(std::vector<T>& values, const Less& less) {
    const Parts parts(0, values.size(), 16384, 1);
    in_threads(parts.count, [&](int k) {
        std::sort(values.begin() + parts.bound(k), values.begin() + parts.bound(k + 1), less);
    });
    if (parts.count == 1) return;
    UninitializedVector<T> other(values.size());
    T *from = values.data(), *to = other.data();
    for (int width = 1; width < parts.count; width *= 2, std::swap(from, to))
        for (int k = 0; k < parts.count; k += 2 * width)
            merge_in_threads(from + parts.bound(k),
                             from + parts.bound(std::min(k + width, parts.count)),
                             from + parts.bound(std::min(k + 2 * width, parts.count)),
                             to + parts.bound(k), less);
    if (from != values.data())
        in_parts(0, values.size(), [&](std::size_t begin, std::size_t end) {
            std::copy(from + begin, from + end, to + begin);
        });
}

}  // namespace solenoid
