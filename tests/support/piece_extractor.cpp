#include "support/piece_extractor.hpp"

#include <algorithm>

#include "partition/cell_graph.hpp"
#include "partition/components.hpp"

namespace solenoid {
namespace {

// Sorts the items 0 .. count - 1 into rows (counting sort). rows_of(item, visit) calls visit(row)
// for each row of an item.
template <class RowsOf>
Rows sort_into_rows(std::size_t rows, std::size_t count, RowsOf rows_of) {
    Rows result;
    result.start.assign(rows + 1, 0);
    for (std::size_t item = 0; item < count; ++item)
        rows_of(item, [&](std::size_t row) { ++result.start[row]; });
    Index end = 0;
    for (Index& start : result.start) start = end += start;
    result.index.resize(end);
    for (std::size_t item = count; item-- > 0;)
        rows_of(item, [&](std::size_t row) {
            result.index[--result.start[row]] = static_cast<Index>(item);
        });
    return result;
}

}  // namespace

Partition partition_cells(const SimplexMesh& mesh, int parts, const PartitionSettings& settings) {
    require_fit(static_cast<GlobalIndex>(mesh.cell_count()), parts);
    Rows graph = cell_graph(face_neighbours(mesh.cells, mesh.dimension, mesh.points.size()));
    return partition_graph(graph, parts, settings);
}

PieceExtractor::PieceExtractor(const SimplexMesh& mesh, const Partition& partition)
    : mesh_(mesh),
      partition_(partition),
      local_node_(mesh.points.size(), none),
      is_held_(mesh.cell_count(), 0) {
    const int parts = 1 + *std::max_element(partition.part.begin(), partition.part.end());
    const int width = mesh.dimension + 1;
    part_cells_ = sort_into_rows(parts, mesh.cell_count(),
                                 [&](std::size_t c, auto visit) { visit(partition.part[c]); });
    node_cells_ =
        sort_into_rows(mesh.points.size(), mesh.cell_count(), [&](std::size_t c, auto visit) {
            for (int j = 0; j < width; ++j) visit(mesh.cell(c)[j]);
        });
    node_sides_ = sort_into_rows(mesh.points.size(), mesh.side_count(),
                                 [&](std::size_t s, auto visit) { visit(mesh.side(s)[0]); });
    Components components = connected_components(mesh.cells, mesh.dimension, mesh.points.size());
    node_component_ = std::move(components.of_node);
    components_ = components.count;
}

PartPiece PieceExtractor::extract(int rank) {
    const int width = mesh_.dimension + 1;
    PartPiece result;
    MeshPiece& piece = result.piece;
    piece.dimension = mesh_.dimension;
    piece.regions = mesh_.regions;
    piece.boundaries = mesh_.boundaries;
    piece.periodic_map.pairs = mesh_.periodic_map.pairs;
    piece.periodic_map.shifts = mesh_.periodic_map.shifts;

    const std::vector<Index> held = held_cells(rank);
    take_nodes(held, result);
    piece.cell_number.assign(held.begin(), held.end());
    piece.cell_region.reserve(held.size());
    result.cell_owner.reserve(held.size());
    piece.cells.reserve(held.size() * width);
    for (Index c : held) {
        piece.cell_region.push_back(mesh_.cell_region[c]);
        result.cell_owner.push_back(partition_.part[c]);
        for (int j = 0; j < width; ++j) piece.cells.push_back(local_node_[mesh_.cell(c)[j]]);
        const auto shifts = mesh_.periodic_map.corner_shift.begin() +
                            (mesh_.periodic_map.empty() ? 0 : std::size_t{c} * width);
        if (!mesh_.periodic_map.empty())
            piece.periodic_map.corner_shift.insert(piece.periodic_map.corner_shift.end(), shifts,
                                                   shifts + width);
    }
    take_sides(result);

    for (Index c : held) is_held_[c] = 0;
    for (GlobalIndex node : piece.node_number) local_node_[node] = none;
    return result;
}

// The cells of the part, then all other cells that share a node with one of them.
std::vector<Index> PieceExtractor::held_cells(int rank) {
    std::vector<Index> held(part_cells_.begin(rank), part_cells_.end(rank));
    const std::size_t own = held.size();
    for (Index c : held) is_held_[c] = 1;
    for (std::size_t i = 0; i < own; ++i) {
        const Index* nodes = mesh_.cell(held[i]);
        for (int j = 0; j <= mesh_.dimension; ++j) {
            if (local_node_[nodes[j]] != none) continue;
            local_node_[nodes[j]] = 0;  // seen; take_nodes numbers it
            for (const Index* c = node_cells_.begin(nodes[j]); c != node_cells_.end(nodes[j]); ++c)
                if (!is_held_[*c]) is_held_[*c] = 1, held.push_back(*c);
        }
    }
    std::sort(held.begin() + own, held.end());
    return held;
}

// The nodes of the held cells, in ascending number.
void PieceExtractor::take_nodes(const std::vector<Index>& held, PartPiece& result) {
    std::vector<Index> nodes;
    for (Index c : held)
        for (int j = 0; j <= mesh_.dimension; ++j) local_node_[mesh_.cell(c)[j]] = none;
    for (Index c : held)
        for (int j = 0; j <= mesh_.dimension; ++j)
            if (Index& local = local_node_[mesh_.cell(c)[j]]; local == none) {
                local = 0;
                nodes.push_back(mesh_.cell(c)[j]);
            }
    std::sort(nodes.begin(), nodes.end());
    for (Index i = 0; i < nodes.size(); ++i) {
        local_node_[nodes[i]] = i;
        result.piece.points.push_back(mesh_.points[nodes[i]]);
        result.node_component.push_back(node_component_[nodes[i]]);
    }
    result.piece.node_number.assign(nodes.begin(), nodes.end());
}

void PieceExtractor::take_sides(PartPiece& result) const {
    std::vector<Index> sides;
    for (GlobalIndex node : result.piece.node_number)
        for (const Index* s = node_sides_.begin(node); s != node_sides_.end(node); ++s)
            if (is_held_face(mesh_.side(*s))) sides.push_back(*s);
    std::sort(sides.begin(), sides.end());
    for (Index s : sides) {
        result.piece.side_group.push_back(mesh_.side_group[s]);
        for (int j = 0; j < mesh_.dimension; ++j)
            result.piece.sides.push_back(local_node_[mesh_.side(s)[j]]);
    }
}

bool PieceExtractor::is_held_face(const Index* side) const {
    return std::any_of(node_cells_.begin(side[0]), node_cells_.end(side[0]), [&](Index c) {
        const Index* nodes = mesh_.cell(c);
        return is_held_[c] && std::all_of(side, side + mesh_.dimension, [&](Index node) {
                   return std::find(nodes, nodes + mesh_.dimension + 1, node) !=
                          nodes + mesh_.dimension + 1;
               });
    });
}

PartPiece extract_piece(const SimplexMesh& mesh, const Partition& partition, int rank) {
    return PieceExtractor(mesh, partition).extract(rank);
}

}  // namespace solenoid
