#include "partition/partition.hpp"

#include <fmt/format.h>
#include <metis.h>

#include <algorithm>
#include <stdexcept>

#include "core/error.hpp"

namespace solenoid {
namespace {

static_assert(sizeof(idx_t) == sizeof(Index),
              "METIS with 32-bit idx_t: the graph is handed over in place");

bool is_connected(const Rows& graph) {
    std::vector<std::uint8_t> is_reached(graph.rows(), 0);
    std::vector<Index> reached{0};
    is_reached[0] = 1;
    for (std::size_t i = 0; i < reached.size(); ++i)
        for (const Index* next = graph.begin(reached[i]); next != graph.end(reached[i]); ++next)
            if (!is_reached[*next]) is_reached[*next] = 1, reached.push_back(*next);
    return reached.size() == graph.rows();
}

std::vector<int> run_metis(Rows& graph, int parts, const PartitionSettings& settings) {
    idx_t options[METIS_NOPTIONS];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = settings.seed;
    options[METIS_OPTION_NUMBERING] = 0;
    // METIS fails if asked for contiguous parts of a graph that is not connected.
    options[METIS_OPTION_CONTIG] = settings.contiguous && is_connected(graph);
    idx_t vertices = static_cast<idx_t>(graph.rows()), constraints = 1, count = parts, cut = 0;
    std::vector<int> part(graph.rows());
    const int status =
        METIS_PartGraphKway(&vertices, &constraints, reinterpret_cast<idx_t*>(graph.start.data()),
                            reinterpret_cast<idx_t*>(graph.index.data()), nullptr, nullptr, nullptr,
                            &count, nullptr, nullptr, options, &cut, part.data());
    if (status == METIS_ERROR_MEMORY)
        throw ComputationError("METIS ran out of memory while cutting the mesh");
    if (status != METIS_OK)
        throw ComputationError(
            fmt::format("METIS failed while cutting the mesh (status {})", status));
    return part;
}

std::vector<std::size_t> sizes_of(const std::vector<int>& part, int parts) {
    std::vector<std::size_t> sizes(parts, 0);
    for (int p : part) ++sizes[p];
    return sizes;
}

// Gives each empty part the second half, in cell order, of the largest part.
void fill_empty_parts(std::vector<int>& part, int parts) {
    std::vector<std::size_t> sizes = sizes_of(part, parts);
    for (int empty = 0; empty < parts; ++empty) {
        if (sizes[empty]) continue;
        const auto largest =
            static_cast<int>(std::max_element(sizes.begin(), sizes.end()) - sizes.begin());
        const std::size_t taken = sizes[largest] / 2;
        for (std::size_t c = part.size(); sizes[empty] < taken;)
            if (part[--c] == largest) part[c] = empty, ++sizes[empty];
        sizes[largest] -= taken;
    }
}

std::size_t cut_faces(const Rows& graph, const std::vector<int>& part) {
    std::size_t halves = 0;
    for (std::size_t c = 0; c < graph.rows(); ++c)
        for (const Index* other = graph.begin(c); other != graph.end(c); ++other)
            halves += part[c] != part[*other];
    return halves / 2;
}

}  // namespace

void require_fit(GlobalIndex cells, int parts) {
    if (parts > cells)
        throw InputError(
            fmt::format("more ranks than cells: {} ranks, {} cells; start at most {} ranks", parts,
                        cells, cells));
}

Partition partition_graph(Rows& graph, int parts, const PartitionSettings& settings) {
    if (graph.index.size() > most_arcs)
        throw std::length_error("a graph beyond METIS with a 32-bit idx_t");
    Partition result;
    if (parts == 1) {
        result.part.assign(graph.rows(), 0);
        return result;
    }
    result.part = run_metis(graph, parts, settings);
    fill_empty_parts(result.part, parts);
    result.edge_cut = cut_faces(graph, result.part);
    const std::vector<std::size_t> sizes = sizes_of(result.part, parts);
    result.imbalance =
        double(*std::max_element(sizes.begin(), sizes.end())) * parts / double(graph.rows());
    return result;
}

}  // namespace solenoid
