#include "mesh/mesh_slice.hpp"

namespace solenoid {
namespace {

// A rank's rows of a table.
template <class To, class From>
std::vector<To> rows_of(const std::vector<From>& table, const RowPartition& ranges, int rank,
                        std::size_t width) {
    const auto begin = table.begin() + ranges.first(rank) * width;
    return {begin, begin + ranges.size(rank) * width};
}

}  // namespace

MeshSlice slice_of(const SimplexMesh& mesh, int rank, int ranks) {
    const std::size_t d = mesh.dimension;
    MeshSlice slice;
    slice.dimension = mesh.dimension;
    slice.node_ranges = RowPartition::even(static_cast<GlobalIndex>(mesh.points.size()), ranks);
    slice.cell_ranges = RowPartition::even(static_cast<GlobalIndex>(mesh.cell_count()), ranks);
    slice.side_ranges = RowPartition::even(static_cast<GlobalIndex>(mesh.side_count()), ranks);
    slice.points = rows_of<Vec3>(mesh.points, slice.node_ranges, rank, 1);
    slice.cells = rows_of<GlobalIndex>(mesh.cells, slice.cell_ranges, rank, d + 1);
    slice.cell_region = rows_of<std::uint16_t>(mesh.cell_region, slice.cell_ranges, rank, 1);
    slice.regions = mesh.regions;
    slice.sides = rows_of<GlobalIndex>(mesh.sides, slice.side_ranges, rank, d);
    slice.side_group = rows_of<std::uint16_t>(mesh.side_group, slice.side_ranges, rank, 1);
    slice.boundaries = mesh.boundaries;
    slice.entity_boundaries = mesh.entity_boundaries;
    slice.periodic_map.pairs = mesh.periodic_map.pairs;
    slice.periodic_map.shifts = mesh.periodic_map.shifts;
    if (!mesh.periodic_map.empty())
        slice.periodic_map.corner_shift =
            rows_of<std::uint8_t>(mesh.periodic_map.corner_shift, slice.cell_ranges, rank, d + 1);
    return slice;
}

}  // namespace solenoid
