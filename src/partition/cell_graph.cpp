#include "partition/cell_graph.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace solenoid {
namespace {

// A face seen from one of its cells: number cell * width + j.
struct HalfFaces {
    const std::vector<Index>& cells;
    int width;

    Index lowest(std::size_t half) const {
        Index low = none;
        for_nodes(half, [&](Index node) { low = std::min(low, node); });
        return low;
    }

    // The nodes of the face without its lowest one: equal for both half-faces of a face.
    std::uint64_t key(std::size_t half) const {
        const Index low = lowest(half);
        std::uint64_t first = 0, second = 0;
        for_nodes(half, [&](Index node) {
            if (node == low) return;
            second = first;
            first = node;
        });
        return std::max(first, second) << 32 | std::min(first, second);
    }

  private:
    template <class Visit>
    void for_nodes(std::size_t half, Visit visit) const {
        const std::size_t base = half - half % width;
        for (int k = 0; k < width; ++k)
            if (base + k != half) visit(cells[base + k]);
    }
};

// Half-faces sorted by lowest node (counting sort).
Rows buckets(const HalfFaces& faces, std::size_t nodes) {
    const std::size_t count = faces.cells.size();
    Rows rows;
    rows.start.assign(nodes + 1, 0);
    for (std::size_t half = 0; half < count; ++half) ++rows.start[faces.lowest(half)];
    Index end = 0;
    for (Index& start : rows.start) start = end += start;
    rows.index.resize(count);
    for (std::size_t half = count; half-- > 0;)
        rows.index[--rows.start[faces.lowest(half)]] = static_cast<Index>(half);
    return rows;
}

}  // namespace

Table face_neighbours(const std::vector<Index>& cells, int dimension, std::size_t nodes) {
    const int width = dimension + 1;
    if (cells.size() >= none)
        throw InputError("the mesh has more than 2^32 cell corners on one rank");
    const HalfFaces faces{cells, width};
    Table neighbours(cells.size() / width, width);
    const Rows bucket = buckets(faces, nodes);
    std::vector<std::pair<std::uint64_t, Index>> sorted;
    for (std::size_t node = 0; node < nodes; ++node) {
        sorted.clear();
        for (const Index* half = bucket.begin(node); half != bucket.end(node); ++half)
            sorted.emplace_back(faces.key(*half), *half);
        std::sort(sorted.begin(), sorted.end());
        for (std::size_t i = 1; i < sorted.size(); ++i) {
            if (sorted[i].first != sorted[i - 1].first) continue;
            const Index a = sorted[i - 1].second, b = sorted[i].second;
            neighbours.data[a] = b / width;
            neighbours.data[b] = a / width;
            ++i;
        }
    }
    return neighbours;
}

Rows cell_graph(Table&& neighbours) {
    Rows rows;
    rows.start.assign(neighbours.rows() + 1, 0);
    std::size_t end = 0;
    for (std::size_t c = 0; c < neighbours.rows(); ++c) {
        for (int j = 0; j < neighbours.width; ++j)
            if (const Index other = neighbours(c, j); other != none) neighbours.data[end++] = other;
        rows.start[c + 1] = static_cast<Index>(end);
    }
    neighbours.data.resize(end);
    rows.index = std::move(neighbours.data);
    return rows;
}

}  // namespace solenoid
