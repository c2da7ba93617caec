#include <algorithm>
#include <limits>
#include <unordered_map>
#include <utility>

#include "core/sorted.hpp"
#include "mesh/ordering.hpp"
#include "partition/cell_graph.hpp"
#include "partition/order_coupled.hpp"

namespace solenoid {
namespace {

enum Place : std::uint8_t { interior, border, shared, ghost };

template <class T>
void permute(std::vector<T>& values, const std::vector<Index>& order, std::size_t width = 1) {
    const std::vector<T> old = std::exchange(values, std::vector<T>(values.size()));
    for_each(0, order.size(), [&](std::size_t i) {
        std::copy_n(old.begin() + order[i] * width, width, values.begin() + i * width);
    });
}

// ---- Cells

// Marks all coupled nodes of a place as touching a ghost if one of them does.
void spread_over_classes(const MeshPiece& piece, const CoupledNodes& coupled,
                         std::vector<std::uint8_t>& touches_ghost) {
    if (coupled.empty()) return;
    std::unordered_map<GlobalIndex, std::uint8_t> at;
    for (const GlobalIndex original : coupled.original) at.emplace(original, 0);
    const auto each = [&](const auto& visit) {
        for (std::size_t n = 0; n < touches_ghost.size(); ++n)
            if (const auto place = at.find(coupled.place(piece.node_number[n])); place != at.end())
                visit(touches_ghost[n], place->second);
    };
    each([](std::uint8_t node, std::uint8_t& place) { place |= node; });
    each([](std::uint8_t& node, std::uint8_t place) { node = place; });
}

std::vector<Place> places_of_cells(const PartPiece& held, const CoupledNodes& coupled, int rank) {
    const std::size_t width = held.piece.dimension + 1;
    const std::vector<Index>& nodes = held.piece.cells;
    std::vector<std::uint8_t> touches_ghost(held.piece.points.size(), 0);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (held.cell_owner[i / width] != rank) touches_ghost[nodes[i]] = 1;
    spread_over_classes(held.piece, coupled, touches_ghost);
    std::vector<Place> classes(held.cell_owner.size(), interior);
    for (std::size_t i = 0; i < nodes.size(); ++i)
        if (touches_ghost[nodes[i]])
            classes[i / width] = held.cell_owner[i / width] == rank ? border : ghost;
    return classes;
}

std::vector<std::uint64_t> hilbert_keys(const MeshPiece& piece, const Vec3& low, const Vec3& high) {
    const std::size_t width = piece.dimension + 1;
    std::vector<std::uint64_t> keys(piece.cell_number.size());
    for_each(0, keys.size(), [&](std::size_t c) {
        Vec3 sum(0);
        for (std::size_t j = 0; j < width; ++j) sum += piece.corner(c * width + j);
        keys[c] = hilbert_index(sum / double(width), low, high, piece.dimension);
    });
    return keys;
}

std::vector<std::uint64_t> sort_keys(const MeshPiece& piece, CellOrdering ordering, const Vec3& low,
                                     const Vec3& high) {
    if (ordering == CellOrdering::hilbert) return hilbert_keys(piece, low, high);
    if (ordering == CellOrdering::file) return {piece.cell_number.begin(), piece.cell_number.end()};
    const std::vector<Index> order = reverse_cuthill_mckee(
        cell_graph(face_neighbours(piece.cells, piece.dimension, piece.points.size())));
    std::vector<std::uint64_t> keys(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) keys[order[i]] = i;
    return keys;
}

// Appends the cells of one place to `order`: sorted by key, ghosts by owner first. Equal keys are
// sorted by the number in the file.
void append_sorted(const PartPiece& held, const std::vector<Place>& classes, Place place,
                   const std::vector<std::uint64_t>& keys, std::vector<Index>& order) {
    struct Keyed {
        std::uint64_t key;
        Index cell;
    };
    std::vector<Keyed> sorted;
    for (Index c = 0; c < classes.size(); ++c)
        if (classes[c] == place) sorted.push_back({keys[c], c});
    sort_in_threads(sorted, [&](const Keyed& a, const Keyed& b) {
        if (place == ghost && held.cell_owner[a.cell] != held.cell_owner[b.cell])
            return held.cell_owner[a.cell] < held.cell_owner[b.cell];
        if (a.key != b.key) return a.key < b.key;
        return held.piece.cell_number[a.cell] < held.piece.cell_number[b.cell];
    });
    for (const Keyed& keyed : sorted) order.push_back(keyed.cell);
}

// ---- Nodes, edges and faces

// The place of each entity, from the cells that contain it, and the lowest owner of those cells.
struct Standing {
    std::vector<Place> place;
    std::vector<int> owner;
};
Standing standing(std::span<const Index> entities, int width, Index count,
                  const EntityRanges& cells, const std::vector<int>& cell_owner, int rank) {
    std::vector<int> owner(count, std::numeric_limits<int>::max());
    std::vector<std::uint8_t> is_own(count, 0), is_inside(count, 1);
    for (std::size_t i = 0; i < entities.size(); ++i) {
        const Index entity = entity_of(entities[i]);
        const std::size_t cell = i / width;
        owner[entity] = std::min(owner[entity], cell_owner[cell]);
        is_own[entity] |= cell < cells.owned;
        is_inside[entity] &= cell < cells.interior;
    }
    std::vector<Place> place(count);
    for (Index e = 0; e < count; ++e)
        place[e] = is_inside[e] ? interior : owner[e] == rank ? border : is_own[e] ? shared : ghost;
    return {std::move(place), std::move(owner)};
}

EntityRanges ranges_of(const std::vector<Place>& classes) {
    std::array<Index, 4> count{};
    for (Place place : classes) ++count[place];
    const Index owned = count[interior] + count[border];
    return {count[interior], owned, owned + count[shared], static_cast<Index>(classes.size())};
}

// The entities sorted by place, within a place in the order of their visit. visit(take) calls
// take(entity) for each entity.
template <class Visit>
std::vector<Index> order_by_place(const std::vector<Place>& classes, const EntityRanges& ranges,
                                  Visit visit) {
    std::array<Index, 4> next{0, ranges.interior, ranges.owned, ranges.shared};
    std::vector<Index> order(classes.size());
    visit([&](Index entity) { order[next[classes[entity]]++] = entity; });
    return order;
}

Numbering numbering(const Standing& standing, const EntityRanges& ranges,
                    const std::vector<Index>& order) {
    Numbering result{ranges, {}};
    for (Index i = ranges.owned; i < ranges.all; ++i)
        result.foreign_owner.push_back(standing.owner[order[i]]);
    return result;
}

void reorder_nodes(PartPiece& held, const std::vector<Index>& order) {
    permute(held.piece.points, order);
    permute(held.piece.node_number, order);
    permute(held.node_component, order);
    std::vector<Index> number(order.size());
    for_each(0, order.size(), [&](Index i) { number[order[i]] = i; });
    for_each(0, held.piece.cells.size(),
             [&](std::size_t k) { held.piece.cells[k] = number[held.piece.cells[k]]; });
    for (Index& node : held.piece.sides) node = number[node];
}

}  // namespace

EntityRanges order_cells(PartPiece& held, int rank, CellOrdering ordering, const Vec3& low,
                         const Vec3& high) {
    return order_cells(held, {}, rank, ordering, low, high);
}

EntityRanges order_cells(PartPiece& held, const CoupledNodes& coupled, int rank,
                         CellOrdering ordering, const Vec3& low, const Vec3& high) {
    MeshPiece& piece = held.piece;
    const std::vector<Place> classes = places_of_cells(held, coupled, rank);
    std::vector<Index> order;
    order.reserve(classes.size());
    {
        const std::vector<std::uint64_t> keys = sort_keys(piece, ordering, low, high);
        for (Place place : {interior, border, ghost})
            append_sorted(held, classes, place, keys, order);
    }
    permute(piece.cells, order, piece.dimension + 1);
    if (!piece.periodic_map.empty())
        permute(piece.periodic_map.corner_shift, order, piece.dimension + 1);
    permute(piece.cell_number, order);
    permute(piece.cell_region, order);
    permute(held.cell_owner, order);
    EntityRanges ranges = ranges_of(classes);
    ranges.shared = ranges.owned;
    return ranges;
}

Numbering order_nodes(PartPiece& held, const EntityRanges& cells, int rank) {
    const std::vector<Index>& nodes = held.piece.cells;
    const auto count = static_cast<Index>(held.piece.points.size());
    const Standing stand =
        standing(nodes, held.piece.dimension + 1, count, cells, held.cell_owner, rank);
    const EntityRanges ranges = ranges_of(stand.place);
    const std::vector<Index> order = order_by_place(stand.place, ranges, [&](auto take) {
        std::vector<std::uint8_t> is_taken(count, 0);
        for (Index node : nodes)
            if (!is_taken[node]) is_taken[node] = 1, take(node);
    });
    reorder_nodes(held, order);
    return numbering(stand, ranges, order);
}

Numbering order_entities(Mesh& mesh, Kind kind, const EntityRanges& cells,
                         const std::vector<int>& cell_owner, int rank) {
    const Table& entities = cell_entities(mesh, kind);
    const Standing stand =
        standing(entities.data, entities.width, mesh.count(kind), cells, cell_owner, rank);
    const EntityRanges ranges = ranges_of(stand.place);
    const std::vector<Index> order = order_by_place(stand.place, ranges, [&](auto take) {
        for (Index e = 0; e < ranges.all; ++e) take(e);
    });
    renumber(mesh, kind, order);
    return numbering(stand, ranges, order);
}

const Table& cell_entities(const Mesh& mesh, Kind kind) {
    if (kind == Kind::node) return mesh.cell_nodes;
    if (kind == Kind::edge && mesh.dimension == 3) return mesh.cell_edges;
    return mesh.cell_faces;
}

}  // namespace solenoid
