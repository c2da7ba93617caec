// A mesh in slices: each rank has ranges of its nodes, cells and sides, in the order of the file, until it is cut.
#pragma once

#include <algorithm>

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

// The entities of a kind in ranges, one a rank.
struct SliceRanges {
    std::vector<GlobalIndex> start{0};  // the first of each rank, and behind the last: the count

    static SliceRanges even(GlobalIndex count, int ranks) {
        SliceRanges ranges;
        for (int r = 1; r <= ranks; ++r) ranges.start.push_back(bound(count, r, ranks));
        return ranges;
    }
    static SliceRanges of(const std::vector<GlobalIndex>& sizes) {
        SliceRanges ranges;
        for (const GlobalIndex size : sizes) ranges.start.push_back(ranges.start.back() + size);
        return ranges;
    }
    static GlobalIndex bound(GlobalIndex count, int r, int ranks) { return count / ranks * r + count % ranks * r / ranks; }

    GlobalIndex count() const { return start.back(); }
    GlobalIndex first(int rank) const { return start[rank]; }
    GlobalIndex size(int rank) const { return start[rank + 1] - start[rank]; }
    int owner(GlobalIndex i) const { return static_cast<int>(std::upper_bound(start.begin(), start.end(), i) - start.begin()) - 1; }
};

// Numbers in it are those of the whole mesh; what the fields hold is told in SimplexMesh.
struct MeshSlice {
    int dimension = 3;
    SliceRanges node_ranges, cell_ranges, side_ranges;
    std::vector<Vec3> points;
    std::vector<GlobalIndex> cells;
    std::vector<std::uint16_t> cell_region;
    std::vector<std::string> regions;
    std::vector<GlobalIndex> sides;
    std::vector<std::uint16_t> side_group;
    std::vector<std::string> boundaries;
    std::size_t entity_boundaries = 0;
    Folding folding;  // its corner_shift: of these cells

    std::size_t cell_count() const { return cell_region.size(); }
    std::size_t side_count() const { return side_group.size(); }
    const GlobalIndex* cell(std::size_t c) const { return cells.data() + c * (dimension + 1); }
    const GlobalIndex* side(std::size_t s) const { return sides.data() + s * dimension; }
};

// The slice of one rank, of a mesh that is held as a whole.
MeshSlice slice_of(const SimplexMesh& mesh, int rank, int ranks);

}  // namespace solenoid
