// A table turned round.
#pragma once

#include "core/types.hpp"

namespace solenoid {

// Row v < rows holds every i that has v in its row, with v's orientation there; of the rows i for which keeps(i) alone.
template <class Keeps>
Rows inverse_rows(const Table& table, Index rows, const Keeps& keeps) {
    Rows result;
    result.start.assign(std::size_t{rows} + 1, 0);
    const auto each = [&](const auto& take) {
        for (std::size_t i = 0; i < table.rows(); ++i)
            for (int j = 0; j < table.width && keeps(i); ++j)
                if (entity_of(table(i, j)) < rows) take(static_cast<Index>(i), table(i, j));
    };
    each([&](Index, Index value) { ++result.start[entity_of(value) + 1]; });
    for (Index v = 0; v < rows; ++v) result.start[v + 1] += result.start[v];
    result.index.resize(result.start.back());
    std::vector<Index> next(result.start.begin(), result.start.end() - 1);
    each([&](Index i, Index value) { result.index[next[entity_of(value)]++] = i | (value & reversed); });
    return result;
}

}  // namespace solenoid
