// A mesh in slices, before it is partitioned: each rank holds a contiguous range of its nodes,
// cells and sides, in the order of the file.
#pragma once

#include "core/row_partition.hpp"
#include "mesh/simplex_mesh.hpp"

namespace solenoid {

// The fields are those of SimplexMesh, with the numbers of the whole mesh.
struct MeshSlice {
    int dimension = 3;
    RowPartition node_ranges, cell_ranges, side_ranges;
    std::vector<Vec3> points;
    std::vector<GlobalIndex> cells;
    std::vector<std::uint16_t> cell_region;
    std::vector<std::string> regions;
    std::vector<GlobalIndex> sides;
    std::vector<std::uint16_t> side_group;
    std::vector<std::string> boundaries;
    std::size_t entity_boundaries = 0;
    PeriodicMap periodic_map;  // corner_shift is that of these cells

    std::size_t cell_count() const { return cell_region.size(); }
    std::size_t side_count() const { return side_group.size(); }
    const GlobalIndex* cell(std::size_t c) const { return cells.data() + c * (dimension + 1); }
    const GlobalIndex* side(std::size_t s) const { return sides.data() + s * dimension; }
};

// The slice of one rank, from a mesh that is held as a whole.
MeshSlice slice_of(const SimplexMesh& mesh, int rank, int ranks);

}  // namespace solenoid
