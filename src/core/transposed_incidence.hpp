// Transposed incidence: for each entity, those that refer to it.
#pragma once

#include <algorithm>
#include <atomic>

#include "core/threads.hpp"
#include "core/types.hpp"

namespace solenoid {

// Row v: every k < count with target(k) == v, ascending. Targets >= rows are in no row. Threads
// fill a row in any order, then sort it.
template <class Target>
Rows transposed_incidence(std::size_t count, std::size_t rows, const Target& target) {
    Rows result;
    std::vector<Index>& start = result.start;
    start.assign(rows + 2, 0);
    const auto taken = [](Index& next) {
        return threads() == 1 ? next++
                              : std::atomic_ref(next).fetch_add(1, std::memory_order_relaxed);
    };
    for_each(
        0, count,
        [&](std::size_t k) {
            if (const std::size_t v = target(k); v < rows) taken(start[v + 2]);
        },
        4096);
    for (std::size_t v = 0; v < rows; ++v) start[v + 2] += start[v + 1];
    result.index.resize(start.back());
    for_each(
        0, count,
        [&](std::size_t k) {
            if (const std::size_t v = target(k); v < rows)
                result.index[taken(start[v + 1])] = static_cast<Index>(k);
        },
        4096);
    start.pop_back();
    if (threads() > 1)
        for_each(0, rows, [&](std::size_t v) {
            std::sort(result.index.begin() + start[v], result.index.begin() + start[v + 1]);
        });
    return result;
}

// Row v < rows: every i with keeps(i) whose row of the table contains v, ascending, with the
// orientation of v in that row.
template <class Keeps>
Rows inverse_rows(const Table& table, Index rows, const Keeps& keeps) {
    const auto row_of = [&](std::size_t k) { return static_cast<Index>(k / table.width); };
    Rows result = transposed_incidence(table.data.size(), rows, [&](std::size_t k) {
        return keeps(row_of(k)) ? entity_of(table.data[k]) : rows;
    });
    for_each(0, result.index.size(), [&](std::size_t n) {
        const Index k = result.index[n];
        result.index[n] = row_of(k) | (table.data[k] & reversed);
    });
    return result;
}

}  // namespace solenoid
