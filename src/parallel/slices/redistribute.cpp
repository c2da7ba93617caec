#include "parallel/slices/redistribute.hpp"

#include <fmt/format.h>

#include <numeric>
#include <unordered_set>

#include "core/error.hpp"
#include "parallel/slices/requests.hpp"
#include "partition/components.hpp"

namespace solenoid {
namespace {

struct NodePart {
    Index node;  // index into a list of requests
    int part;
    auto operator<=>(const NodePart&) const = default;
};

// For each node of a slice's cells, the parts of all cells at the node.
struct PartsAtNodes {
    std::vector<std::size_t> start{0};
    std::vector<int> part;
};

// The parts of a slice's own cells at their nodes, sorted. Most nodes have one part; only the
// others need lists.
std::vector<NodePart> own_parts_at_nodes(std::span<const GlobalIndex> nodes,
                                         const Requests& corners, const std::vector<int>& part) {
    const std::size_t width = nodes.size() / std::max<std::size_t>(part.size(), 1);
    std::vector<int> first(corners.numbers().size(), -1);
    std::vector<NodePart> pairs;
    for (std::size_t k = 0; k < nodes.size(); ++k) {
        const NodePart pair{corners.place(nodes[k]), part[k / width]};
        if (first[pair.node] < 0)
            first[pair.node] = pair.part;
        else if (first[pair.node] != pair.part)
            pairs.push_back(pair);
    }
    for (Index n = 0; n < first.size(); ++n) pairs.push_back({n, first[n]});
    keep_unique(pairs);
    return pairs;
}

// Sends the parts at each node to the rank that has the node in its slice, and receives those of
// all ranks.
PartsAtNodes parts_at_nodes(const Communicator& comm, const RowPartition& ranges,
                            std::span<const GlobalIndex> nodes, const Requests& corners,
                            const std::vector<int>& part) {
    std::map<int, std::vector<NodePart>> told;
    int rank = -1;
    Index first = 0;  // index of the first node requested from this rank
    for (const NodePart& pair : own_parts_at_nodes(nodes, corners, part)) {
        if (const GlobalIndex node = corners.numbers()[pair.node];
            rank < 0 || node >= ranges.first(rank + 1)) {
            rank = ranges.owner(node);
            first = pair.node;
        }
        told[rank].push_back({pair.node - first, pair.part});
    }
    told = exchange_values(comm, std::move(told));
    std::vector<NodePart> here;  // by place in this rank's range
    for (auto& [from, list] : told) {
        for (const NodePart& pair : list)
            here.push_back({corners.asked().at(from)[pair.node], pair.part});
        list = {};
    }
    keep_unique(here);

    std::map<int, std::vector<int>> counts, lists;
    for (const auto& [to, positions] : corners.asked()) {
        std::vector<int>&count_of = counts[to], &list = lists[to];
        auto pair = here.begin();
        for (const Index place : positions) {  // ascending
            while (pair->node < place) ++pair;
            const auto begin = pair;
            for (; pair != here.end() && pair->node == place; ++pair) list.push_back(pair->part);
            count_of.push_back(static_cast<int>(pair - begin));
        }
    }
    here = {};
    PartsAtNodes result;
    for (const auto& [from, some] : exchange_values(comm, std::move(counts)))
        for (const int count : some) result.start.push_back(result.start.back() + count);
    for (const auto& [from, some] : exchange_values(comm, std::move(lists)))
        result.part.insert(result.part.end(), some.begin(), some.end());
    return result;
}

// The ranks that hold each cell, ascending.
struct Holders {
    std::vector<std::size_t> start{0};
    std::vector<int> rank;
};
Holders holders_of_cells(const Communicator& comm, const MeshSlice& slice,
                         const std::vector<int>& part, const CoupledNodes& coupled) {
    std::vector<GlobalIndex> positions;
    if (!coupled.empty())
        for (const GlobalIndex node : slice.cells) positions.push_back(coupled.place(node));
    const std::span<const GlobalIndex> nodes = coupled.empty() ? slice.cells : positions;
    const Requests corners(comm, slice.node_ranges, nodes);
    const PartsAtNodes at = parts_at_nodes(comm, slice.node_ranges, nodes, corners, part);
    Holders holders;
    holders.start.reserve(slice.cell_count() + 1);
    holders.rank.reserve(slice.cell_count() + slice.cell_count() / 8);
    std::vector<int> some;
    for (std::size_t c = 0; c < slice.cell_count(); ++c) {
        some.assign(1, part[c]);
        for (int j = 0; j <= slice.dimension; ++j) {
            const Index place = corners.place(nodes[c * (slice.dimension + 1) + j]);
            for (std::size_t i = at.start[place]; i < at.start[place + 1]; ++i)
                if (at.part[i] != part[c]) some.push_back(at.part[i]);
        }
        if (some.size() > 1) keep_unique(some);
        holders.rank.insert(holders.rank.end(), some.begin(), some.end());
        holders.start.push_back(holders.rank.size());
    }
    return holders;
}

// Sends `width` values of each cell to its holders. The result is in ascending number of the cells.
template <class T>
std::vector<T> to_holders(const Communicator& comm, const Holders& holders, int width,
                          const std::vector<T>& values) {
    std::vector<std::size_t> count(comm.size(), 0);
    for (const int rank : holders.rank) ++count[rank];
    std::map<int, std::vector<T>> out;
    std::vector<T*> next(comm.size());
    for (int rank = 0; rank < comm.size(); ++rank)
        if (count[rank] > 0) next[rank] = (out[rank] = std::vector<T>(count[rank] * width)).data();
    for (std::size_t c = 0; c + 1 < holders.start.size(); ++c)
        for (std::size_t h = holders.start[c]; h < holders.start[c + 1]; ++h) {
            T*& to = next[holders.rank[h]];
            to = std::copy_n(values.begin() + c * width, width, to);
        }
    std::vector<T> in;
    for (auto& [rank, part] : exchange_values(comm, std::move(out))) {
        in.insert(in.end(), part.begin(), part.end());
        part = {};
    }
    return in;
}

// ---- Sides

struct DealtSide {
    GlobalIndex side, group;
    std::array<GlobalIndex, 3> nodes;
};

// Sends each side to the ranks that have its cells in their slices, and from there to the holders
// of the cells.
std::vector<DealtSide> deal_sides(const Communicator& comm, const MeshSlice& slice,
                                  const std::vector<FaceMatch::SideCells>& side_cells,
                                  const Holders& holders) {
    struct AtCell {
        GlobalIndex cell;
        DealtSide side;
    };
    std::map<int, std::vector<AtCell>> at_cells;
    for (std::size_t s = 0; s < slice.side_count(); ++s) {
        DealtSide side{slice.side_ranges.first(comm.rank()) + static_cast<GlobalIndex>(s),
                       slice.side_group[s],
                       {-1, -1, -1}};
        std::copy_n(slice.side(s), slice.dimension, side.nodes.begin());
        for (const GlobalIndex cell : side_cells[s].cells)
            if (cell != no_cell) at_cells[slice.cell_ranges.owner(cell)].push_back({cell, side});
    }
    std::map<int, std::vector<DealtSide>> out;
    for (const auto& [rank, some] : exchange_values(comm, std::move(at_cells)))
        for (const auto& [cell, side] : some) {
            const std::size_t c = cell - slice.cell_ranges.first(comm.rank());
            for (std::size_t h = holders.start[c]; h < holders.start[c + 1]; ++h)
                out[holders.rank[h]].push_back(side);
        }
    std::vector<DealtSide> sides;
    for (const auto& [rank, some] : exchange_values(comm, std::move(out)))
        sides.insert(sides.end(), some.begin(), some.end());
    std::sort(sides.begin(), sides.end(),
              [](const DealtSide& a, const DealtSide& b) { return a.side < b.side; });
    sides.erase(
        std::unique(sides.begin(), sides.end(),
                    [](const DealtSide& a, const DealtSide& b) { return a.side == b.side; }),
        sides.end());
    return sides;
}

// ---- Order of what was received

// Own cells first: cell i was received at place order[i].
std::vector<Index> own_first(const std::vector<int>& owner, int rank) {
    std::vector<Index> order(owner.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::stable_partition(order.begin(), order.end(), [&](Index c) { return owner[c] == rank; });
    return order;
}

template <class T>
std::vector<T> in_order(std::vector<T>&& values, const std::vector<Index>& order,
                        std::size_t width = 1) {
    std::vector<T> result;
    result.reserve(values.size());
    for (const Index i : order)
        result.insert(result.end(), values.begin() + i * width, values.begin() + (i + 1) * width);
    return result;
}

void require_few(std::size_t cells) {
    constexpr std::size_t most = 1'000'000'000;
    if (cells > most)
        throw InputError(fmt::format(
            "{} cells on a rank: at most {} can be numbered; start more ranks", cells, most));
}

}  // namespace

PartPiece redistribute(const Communicator& comm, MeshSlice&& slice,
                       const std::vector<FaceMatch::SideCells>& side_cells,
                       const std::vector<int>& part, const CoupledNodes& coupled) {
    const std::size_t width = slice.dimension + 1;
    PartPiece held;
    MeshPiece& piece = held.piece;
    piece.dimension = slice.dimension;
    piece.regions = std::move(slice.regions);
    piece.boundaries = std::move(slice.boundaries);
    piece.periodic_map.pairs = std::move(slice.periodic_map.pairs);
    piece.periodic_map.shifts = std::move(slice.periodic_map.shifts);

    Holders holders = holders_of_cells(comm, slice, part, coupled);
    const std::vector<DealtSide> sides = deal_sides(comm, slice, side_cells, holders);
    std::vector<int> owner = to_holders(comm, holders, 1, part);
    comm.agree([&] { require_few(owner.size()); });
    const std::vector<Index> order = own_first(owner, comm.rank());
    held.cell_owner = in_order(std::move(owner), order);
    std::vector<GlobalIndex> cell_number(slice.cell_count());
    std::iota(cell_number.begin(), cell_number.end(), slice.cell_ranges.first(comm.rank()));
    piece.cell_number = in_order(to_holders(comm, holders, 1, cell_number), order);
    cell_number = {};
    piece.cell_region = in_order(to_holders(comm, holders, 1, slice.cell_region), order);
    const bool is_folded = comm.any(!slice.periodic_map.empty());
    if (is_folded)
        piece.periodic_map.corner_shift = in_order(
            to_holders(comm, holders, int(width), slice.periodic_map.corner_shift), order, width);
    std::vector<GlobalIndex> cells = to_holders(comm, holders, int(width), slice.cells);
    slice.cells = {};
    holders = {};

    const Requests corners(comm, slice.node_ranges, cells);
    piece.points = corners.answers(slice.points);
    piece.node_number = corners.numbers();
    piece.cells.reserve(cells.size());
    for (const Index c : order)
        for (std::size_t j = 0; j < width; ++j)
            piece.cells.push_back(corners.place(cells[c * width + j]));
    for (const DealtSide& side : sides) {
        piece.side_group.push_back(static_cast<std::uint16_t>(side.group));
        for (std::size_t j = 0; j + 1 < width; ++j)
            piece.sides.push_back(corners.place(side.nodes[j]));
    }
    return held;
}

namespace {

using LabelPair = std::array<GlobalIndex, 2>;

// Pairs of component labels that belong together: labels that several ranks have found for one
// node. It is enough to compare nodes of cells that another rank owns, since each connection
// between cells of two ranks contains such a node on both; and nodes at the places of coupled
// nodes.
std::vector<LabelPair> joined_labels(const Communicator& comm, const RowPartition& nodes,
                                     const PartPiece& held, const CoupledNodes& coupled,
                                     const std::vector<GlobalIndex>& label_of_node) {
    const MeshPiece& piece = held.piece;
    std::vector<std::uint8_t> is_shared(piece.points.size(), 0);
    for (std::size_t k = 0; k < piece.cells.size(); ++k)
        if (held.cell_owner[k / (piece.dimension + 1)] != comm.rank())
            is_shared[piece.cells[k]] = 1;
    const std::unordered_set<GlobalIndex> positions(coupled.original.begin(),
                                                    coupled.original.end());
    for (std::size_t n = 0; n < is_shared.size() && !positions.empty(); ++n)
        is_shared[n] |= positions.contains(coupled.place(piece.node_number[n]));
    std::map<int, std::vector<LabelPair>> out;  // pairs of node and label
    for (std::size_t n = 0; n < is_shared.size(); ++n)
        if (is_shared[n])
            out[nodes.owner(piece.node_number[n])].push_back(
                {piece.node_number[n], label_of_node[n]});
    std::vector<LabelPair> met, links;
    for (const auto& [rank, some] : exchange_values(comm, std::move(out)))
        met.insert(met.end(), some.begin(), some.end());
    keep_unique(met);
    for (std::size_t i = 1; i < met.size(); ++i)
        if (met[i][0] == met[i - 1][0]) links.push_back({met[i - 1][1], met[i][1]});
    keep_unique(links);
    links = gathered(comm, links);
    keep_unique(links);
    return links;
}

// The number of each label's component. Linked labels are one component.
std::vector<Index> numbers_of_labels(const std::vector<GlobalIndex>& labels,
                                     const std::vector<LabelPair>& links) {
    const auto place = [&](GlobalIndex label) {
        return static_cast<Index>(std::lower_bound(labels.begin(), labels.end(), label) -
                                  labels.begin());
    };
    std::vector<Index> pairs;  // labels as nodes, links as cells of two nodes
    for (const LabelPair& link : links) pairs.insert(pairs.end(), {place(link[0]), place(link[1])});
    return connected_components(pairs, 1, labels.size()).of_node;
}

}  // namespace

std::int64_t find_components(const Communicator& comm, const RowPartition& nodes, PartPiece& held,
                             const CoupledNodes& coupled) {
    const MeshPiece& piece = held.piece;
    const Components local =
        connected_components(piece.cells, piece.dimension, piece.points.size());
    std::vector<GlobalIndex> label(local.count);  // the lowest node of each component held
    for (std::size_t n = piece.node_number.size(); n-- > 0;)
        label[local.of_node[n]] = piece.node_number[n];
    std::vector<GlobalIndex> label_of_node;
    for (const Index component : local.of_node) label_of_node.push_back(label[component]);

    std::vector<GlobalIndex> labels = gathered(comm, label);
    keep_unique(labels);
    const std::vector<Index> number =
        numbers_of_labels(labels, joined_labels(comm, nodes, held, coupled, label_of_node));
    held.node_component.clear();
    for (const GlobalIndex l : label_of_node)
        held.node_component.push_back(
            number[std::lower_bound(labels.begin(), labels.end(), l) - labels.begin()]);
    return number.empty() ? 0 : 1 + *std::max_element(number.begin(), number.end());
}

}  // namespace solenoid
