// Who refers to an entity, from what each refers to.
#pragma once

#include <algorithm>
#include <atomic>

#include "core/threads.hpp"
#include "core/types.hpp"

namespace solenoid {

// Row v has every k < count with target(k) == v, ascending; targets beyond the rows are in none.
// Several threads fill a row in an order of chance, and then sort it.
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

// Row v < rows has every i that has v in its row of the table, ascending, with v's orientation
// there; of the rows i for which keeps(i) alone.
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
