#include "mesh/mesh_slice.hpp"

namespace solenoid {
namespace {

// Rows [first, first + count) of a table.
template <class To, class From>
std::vector<To> rows_of(const std::vector<From>& table, const SliceRanges& ranges, int rank, std::size_t width) {
    const auto begin = table.begin() + ranges.first(rank) * width;
    return {begin, begin + ranges.size(rank) * width};
}

}  // namespace

MeshSlice slice_of(const SimplexMesh& mesh, int rank, int ranks) {
    const std::size_t d = mesh.dimension;
    MeshSlice slice;
    slice.dimension = mesh.dimension;
    slice.node_ranges = SliceRanges::even(static_cast<GlobalIndex>(mesh.points.size()), ranks);
    slice.cell_ranges = SliceRanges::even(static_cast<GlobalIndex>(mesh.cell_count()), ranks);
    slice.side_ranges = SliceRanges::even(static_cast<GlobalIndex>(mesh.side_count()), ranks);
    slice.points = rows_of<Vec3>(mesh.points, slice.node_ranges, rank, 1);
    slice.cells = rows_of<GlobalIndex>(mesh.cells, slice.cell_ranges, rank, d + 1);
    slice.cell_region = rows_of<std::uint16_t>(mesh.cell_region, slice.cell_ranges, rank, 1);
    slice.regions = mesh.regions;
    slice.sides = rows_of<GlobalIndex>(mesh.sides, slice.side_ranges, rank, d);
    slice.side_group = rows_of<std::uint16_t>(mesh.side_group, slice.side_ranges, rank, 1);
    slice.boundaries = mesh.boundaries;
    slice.entity_boundaries = mesh.entity_boundaries;
    slice.folding.pairs = mesh.folding.pairs;
    slice.folding.shifts = mesh.folding.shifts;
    if (!mesh.folding.empty()) slice.folding.corner_shift = rows_of<std::uint8_t>(mesh.folding.corner_shift, slice.cell_ranges, rank, d + 1);
    return slice;
}

}  // namespace solenoid
