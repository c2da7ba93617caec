// Results of the parts of a range, computed in threads and joined in their order.
#pragma once

#include <numeric>

#include "core/threads.hpp"
#include "core/types.hpp"

namespace solenoid {

// The results of make(begin, end) for the parts of [0, size). a_thread: parts per thread; 1 where
// each needs much memory.
template <class Make>
auto pieces_of(std::size_t size, const Make& make, std::size_t least = 1024, int a_thread = 4) {
    const Parts parts(0, size, least, a_thread);
    std::vector<decltype(make(Index(0), Index(0)))> pieces(parts.count);
    in_threads(parts.count, [&](int k) {
        pieces[k] =
            make(static_cast<Index>(parts.bound(k)), static_cast<Index>(parts.bound(k + 1)));
    });
    return pieces;
}

template <class T>
std::vector<T> joined(std::vector<std::vector<T>> pieces) {
    if (pieces.size() == 1) return std::move(pieces[0]);
    std::vector<std::size_t> first{0};
    for (const std::vector<T>& piece : pieces) first.push_back(first.back() + piece.size());
    std::vector<T> all(first.back());
    in_threads(static_cast<int>(pieces.size()), [&](int k) {
        std::copy(pieces[k].begin(), pieces[k].end(), all.begin() + first[k]);
    });
    return all;
}

Rows joined(std::vector<Rows> pieces);

extern template std::vector<Index> joined(std::vector<std::vector<Index>>);
extern template std::vector<double> joined(std::vector<std::vector<double>>);

}  // namespace solenoid
