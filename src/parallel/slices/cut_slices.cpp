#include "parallel/slices/cut_slices.hpp"

#include <fmt/format.h>

#include <glm/common.hpp>

#include "core/memory.hpp"
#include "mesh/geometry.hpp"
#include "mesh/ordering.hpp"
#include "parallel/slices/face_match.hpp"
#include "parallel/slices/requests.hpp"

namespace solenoid {
namespace {

constexpr int graph_tag = 2;

// ---- METIS on the root

// The rows of a slice in the graph, with 32-bit numbers.
struct GraphRows {
    std::vector<std::uint8_t> length;
    std::vector<Index> index;
};

GraphRows rows_of_slice(std::vector<GlobalIndex>&& neighbours, int width) {
    GraphRows rows;
    rows.length.assign(neighbours.size() / width, 0);
    rows.index.reserve(neighbours.size());
    for (std::size_t k = 0; k < neighbours.size(); ++k) {
        if (neighbours[k] == no_cell) continue;
        rows.index.push_back(static_cast<Index>(neighbours[k]));
        ++rows.length[k / width];
    }
    neighbours = {};
    return rows;
}

void append(Rows& graph, const std::vector<std::uint8_t>& length, const std::vector<Index>& index) {
    for (const std::uint8_t n : length) graph.start.push_back(graph.start.back() + n);
    graph.index.insert(graph.index.end(), index.begin(), index.end());
}

// Gathers the whole graph on the root.
Rows gather_graph(const Communicator& comm, const RowPartition& cells, std::int64_t arcs,
                  GraphRows&& mine) {
    Rows graph;
    if (!comm.is_root()) {
        comm.send(bytes_of(mine.length), 0, graph_tag);
        comm.send(bytes_of(mine.index), 0, graph_tag);
        return graph;
    }
    graph.start.reserve(cells.count() + 1);
    graph.index.reserve(arcs);
    append(graph, mine.length, mine.index);
    mine = {};
    for (int rank = 1; rank < comm.size(); ++rank) {
        const auto length = values_in<std::uint8_t>(comm.receive(rank, graph_tag));
        append(graph, length, values_in<Index>(comm.receive(rank, graph_tag)));
    }
    return graph;
}

// Sends the parts of each rank's cells from the root.
std::vector<int> scatter(const Communicator& comm, const RowPartition& cells,
                         const std::vector<int>& part) {
    if (!comm.is_root()) return values_in<int>(comm.receive(0, graph_tag));
    for (int rank = 1; rank < comm.size(); ++rank)
        comm.send(std::as_bytes(std::span(part).subspan(cells.first(rank), cells.size(rank))), rank,
                  graph_tag);
    return {part.begin(), part.begin() + cells.size(0)};
}

SliceParts cut_by_metis(const Communicator& comm, const RowPartition& cells, std::int64_t arcs,
                        GraphRows&& rows) {
    Rows graph = gather_graph(comm, cells, arcs, std::move(rows));
    release_memory();  // the memory of METIS comes on top: the peak of the root
    Partition partition;
    comm.agree([&] {
        if (comm.is_root()) partition = partition_graph(graph, comm.size());
        graph = {};
    });
    SliceParts result{scatter(comm, cells, partition.part)};
    result.edge_cut = comm.sum(static_cast<std::int64_t>(partition.edge_cut));  // 0 elsewhere
    result.imbalance = comm.is_root() ? partition.imbalance : 0;
    result.imbalance = comm.max(result.imbalance);
    return result;
}

// ---- Hilbert curve on all ranks

// The position of each cell's centroid along the curve through a cube round the mesh.
std::vector<std::uint64_t> curve_keys(const Communicator& comm, const MeshSlice& slice) {
    const int width = slice.dimension + 1;
    Bounds box;
    for (const Vec3& point : slice.points) box.add(point);
    comm.min(std::span(&box.low.x, 3));
    comm.max(std::span(&box.high.x, 3));
    const Vec3 extent = box.high - box.low;
    box.high = box.low + Vec3(std::max({extent.x, extent.y, extent.z}));

    const Requests corners(comm, slice.node_ranges, slice.cells);
    const std::vector<Vec3> points = corners.answers(slice.points);
    std::vector<std::uint64_t> keys(slice.cell_count());
    for (std::size_t c = 0; c < keys.size(); ++c) {
        Vec3 sum(0);
        for (int j = 0; j < width; ++j)
            sum += slice.periodic_map.moved(points[corners.place(slice.cell(c)[j])], c * width + j);
        keys[c] = hilbert_index(sum / double(width), box.low, box.high, slice.dimension);
    }
    return keys;
}

// For each p the largest key that at most `before[p]` cells precede, found bit by bit for all p at
// once.
std::vector<std::uint64_t> splitters(const Communicator& comm,
                                     const std::vector<std::uint64_t>& sorted,
                                     const std::vector<std::int64_t>& before) {
    std::vector<std::uint64_t> keys(before.size(), 0);
    for (int bit = 62; bit >= 0; --bit) {
        std::vector<std::int64_t> below;
        for (const std::uint64_t key : keys)
            below.push_back(
                std::lower_bound(sorted.begin(), sorted.end(), key | std::uint64_t(1) << bit) -
                sorted.begin());
        comm.sum(std::span(below));
        for (std::size_t p = 0; p < keys.size(); ++p)
            if (below[p] <= before[p]) keys[p] |= std::uint64_t(1) << bit;
    }
    return keys;
}

// The part of each cell. Cells are sorted by key, then by number; part p begins with the cell that
// `before[p]` cells precede.
std::vector<int> parts_along(const Communicator& comm, const std::vector<std::uint64_t>& keys,
                             GlobalIndex cells) {
    const int parts = comm.size();
    std::vector<std::int64_t> before;
    for (int p = 1; p < parts; ++p) before.push_back(RowPartition::bound(cells, p, parts));
    std::vector<std::uint64_t> sorted = keys;
    std::sort(sorted.begin(), sorted.end());
    const std::vector<std::uint64_t> split = splitters(comm, sorted, before);

    // Of the cells with the key of a splitter, those of lower ranks have lower numbers.
    std::vector<std::int64_t> level, below;
    for (const std::uint64_t key : split) {
        const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), key);
        below.push_back(first - sorted.begin());
        level.push_back(last - first);
    }
    comm.sum(std::span(below));
    const std::vector<std::int64_t> all_level = gathered(comm, level);
    // the number of cells before the next one here that has the splitter's key
    std::vector<std::int64_t> in_front(split.size());
    for (std::size_t p = 0; p < split.size(); ++p) {
        in_front[p] = below[p];
        for (int rank = 0; rank < comm.rank(); ++rank)
            in_front[p] += all_level[rank * split.size() + p];
    }
    std::vector<int> part(keys.size());
    for (std::size_t c = 0; c < keys.size(); ++c) {
        int behind =
            static_cast<int>(std::lower_bound(split.begin(), split.end(), keys[c]) - split.begin());
        part[c] = behind;
        for (; behind < std::ssize(split) && split[behind] == keys[c]; ++behind)
            if (in_front[behind]++ >= before[behind]) part[c] = behind + 1;
    }
    return part;
}

// Counts what parts cut.
SliceParts measured(const Communicator& comm, const MeshSlice& slice,
                    std::vector<GlobalIndex>&& neighbours, std::vector<int>&& part) {
    SliceParts result{std::move(part)};
    std::vector<std::int64_t> sizes(comm.size(), 0);
    for (const int p : result.part) ++sizes[p];
    comm.sum(std::span(sizes));
    result.imbalance = double(*std::max_element(sizes.begin(), sizes.end())) * comm.size() /
                       double(slice.cell_ranges.count());

    std::vector<GlobalIndex> others;
    others.reserve(neighbours.size());
    std::copy_if(neighbours.begin(), neighbours.end(), std::back_inserter(others),
                 [](GlobalIndex cell) { return cell != no_cell; });
    const Requests cells(comm, slice.cell_ranges, others);
    others = {};
    const std::vector<int> parts = cells.answers(result.part);
    std::int64_t halves = 0;
    for (std::size_t k = 0; k < neighbours.size(); ++k)
        halves += neighbours[k] != no_cell &&
                  parts[cells.place(neighbours[k])] != result.part[k / (slice.dimension + 1)];
    result.edge_cut = comm.sum(halves) / 2;
    return result;
}

SliceParts cut_by_curve(const Communicator& comm, const MeshSlice& slice,
                        std::vector<GlobalIndex>&& neighbours) {
    return measured(comm, slice, std::move(neighbours),
                    parts_along(comm, curve_keys(comm, slice), slice.cell_ranges.count()));
}

}  // namespace

SliceParts cut_slices(const Communicator& comm, const MeshSlice& slice,
                      std::vector<GlobalIndex>&& neighbours, std::size_t most) {
    comm.agree([&] { require_fit(slice.cell_ranges.count(), comm.size()); });
    const std::int64_t arcs = comm.sum(static_cast<std::int64_t>(
        neighbours.size() - std::count(neighbours.begin(), neighbours.end(), no_cell)));
    if (static_cast<std::size_t>(arcs) > most ||
        slice.cell_ranges.count() > static_cast<GlobalIndex>(most))
        return cut_by_curve(comm, slice, std::move(neighbours));
    return cut_by_metis(comm, slice.cell_ranges, arcs,
                        rows_of_slice(std::move(neighbours), slice.dimension + 1));
}

SliceParts cut_as_given(const Communicator& comm, const MeshSlice& slice,
                        std::vector<GlobalIndex>&& neighbours, const GivenParts& given) {
    std::vector<int> part = given(slice);
    std::vector<std::int64_t> sizes(comm.size(), 0);
    comm.agree([&] {
        if (part.size() != slice.cell_count())
            throw std::logic_error("cut_as_given: not one part for each cell");
        for (const int p : part) {
            if (p < 0 || p >= comm.size())
                throw InputError(fmt::format("a cell is given to rank {} of {}", p, comm.size()));
            ++sizes[p];
        }
    });
    comm.sum(std::span(sizes));
    comm.agree([&] {
        if (std::find(sizes.begin(), sizes.end(), 0) != sizes.end())
            throw InputError("a rank is given no cell");
    });
    return measured(comm, slice, std::move(neighbours), std::move(part));
}

}  // namespace solenoid
