// The threads of a rank, in loops over entities. Each index belongs to one thread and sums have a
// fixed order, so that results have the same bits on any number of threads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

namespace solenoid {

int threads();                // 1 until it is set
void set_threads(int count);  // at least 1

// Runs part(k) for all k < parts in threads. Rethrows the exception of the lowest part that threw.
void in_threads(int parts, const std::function<void(int)>& part);

// Divides [begin, end) into `a_thread` parts per thread, each of at least `least` indices where
// there are so many. Inner bounds are multiples of 16.
struct Parts {
    Parts(std::size_t begin, std::size_t end, std::size_t least, int a_thread = 4)
        : begin(begin),
          end(std::max(begin, end)),
          count(static_cast<int>(std::clamp<std::size_t>(
              (this->end - begin) / least, 1, threads() == 1 ? 1 : a_thread * threads()))) {}
    std::size_t bound(int k) const {
        return k == 0       ? begin
               : k == count ? end
                            : std::clamp((begin + (end - begin) * k / count) / 16 * 16, begin, end);
    }
    const std::size_t begin, end;
    const int count;
};

// Runs body(begin, end) for each part of a range.
template <class Body>
void in_parts(std::size_t begin, std::size_t end, const Body& body, std::size_t least = 1024) {
    const Parts parts(begin, end, least);
    in_threads(parts.count, [&](int k) {
        if (parts.bound(k) < parts.bound(k + 1)) body(parts.bound(k), parts.bound(k + 1));
    });
}

// Runs body(i) for all i in [begin, end).
template <class Body>
void for_each(std::size_t begin, std::size_t end, const Body& body, std::size_t least = 1024) {
    in_parts(
        begin, end,
        [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) body(i);
        },
        least);
}

// The largest value(i) over [begin, end), at least 0.
template <class Value>
double largest_of_each(std::size_t begin, std::size_t end, const Value& value) {
    const Parts parts(begin, end, 4096);
    std::vector<double> largest(parts.count, 0.0);
    in_threads(parts.count, [&](int k) {
        for (std::size_t i = parts.bound(k); i < parts.bound(k + 1); ++i)
            largest[k] = std::max(largest[k], value(i));
    });
    return *std::max_element(largest.begin(), largest.end());
}

// The sum of value(i) over [begin, end), added up in blocks of 4096.
template <class Value>
double sum_of_each(std::size_t begin, std::size_t end, const Value& value) {
    constexpr std::size_t block = 4096;
    if (end <= begin) return 0;
    std::vector<double> sums((end - begin + block - 1) / block);
    for_each(
        0, sums.size(),
        [&](std::size_t b) {
            double sum = 0;
            for (std::size_t i = begin + b * block; i < std::min(end, begin + (b + 1) * block); ++i)
                sum += value(i);
            sums[b] = sum;
        },
        1);
    double total = 0;
    for (double sum : sums) total += sum;
    return total;
}

}  // namespace solenoid
