// Distribution of global numbers over the ranks, one contiguous range per rank in rank order: rows
// of a matrix, entities of a mesh slice.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

// Rank r holds [start[r], start[r + 1]).
struct RowPartition {
    std::vector<GlobalIndex> start{0};

    static RowPartition even(GlobalIndex count, int ranks) {
        RowPartition partition;
        for (int r = 1; r <= ranks; ++r) partition.start.push_back(bound(count, r, ranks));
        return partition;
    }
    // sizes: one for each rank.
    static RowPartition of(const std::vector<GlobalIndex>& sizes) {
        RowPartition partition;
        for (const GlobalIndex size : sizes)
            partition.start.push_back(partition.start.back() + size);
        return partition;
    }
    static GlobalIndex bound(GlobalIndex count, int r, int ranks) {
        return count / ranks * r + count % ranks * r / ranks;
    }

    GlobalIndex count() const { return start.back(); }
    GlobalIndex first(int rank) const { return start[rank]; }
    GlobalIndex size(int rank) const { return start[rank + 1] - start[rank]; }
    int owner(GlobalIndex i) const {
        return static_cast<int>(std::upper_bound(start.begin(), start.end(), i) - start.begin()) -
               1;
    }
};

}  // namespace solenoid
