// A range of global numbers on each rank, in the order of the ranks: rows of a matrix, entities of
// a mesh in slices.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

// Rank r holds the numbers of [start[r], start[r + 1]).
struct RowPartition {
    std::vector<GlobalIndex> start{0};

    static RowPartition even(GlobalIndex count, int ranks) {
        RowPartition partition;
        for (int r = 1; r <= ranks; ++r) partition.start.push_back(bound(count, r, ranks));
        return partition;
    }
    // sizes: one a rank.
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
