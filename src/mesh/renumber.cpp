#include <stdexcept>

#include "mesh/mesh.hpp"

namespace solenoid {
namespace {

using Order = std::vector<Index>;

Order inverse(const Order& order, Index count) {
    Order position(count, none);
    if (order.size() != count) throw std::logic_error("renumber: one number for each entity");
    for (Index i = 0; i < count; ++i) {
        if (order[i] >= count || position[order[i]] != none)
            throw std::logic_error("renumber: not a permutation");
        position[order[i]] = i;
    }
    return position;
}

template <class T>
void permute(std::vector<T>& values, const Order& order) {
    if (values.empty()) return;
    std::vector<T> moved(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) moved[i] = values[order[i]];
    values = std::move(moved);
}

void permute(Table& table, const Order& order) {
    if (table.data.empty()) return;
    Table moved(order.size(), table.width);
    for (std::size_t i = 0; i < order.size(); ++i)
        for (int j = 0; j < table.width; ++j) moved(i, j) = table(order[i], j);
    table = std::move(moved);
}

void permute_corners(PeriodicMap& periodic_map, const Order& order, std::size_t width) {
    const std::vector<std::uint8_t> old = periodic_map.corner_shift;
    for (std::size_t k = 0; k < old.size(); ++k)
        periodic_map.corner_shift[k] = old[order[k / width] * width + k % width];
}

void relabel(Index& value, const Order& position) {
    if (value != none) value = position[entity_of(value)] | (value & reversed);
}

void relabel(Table& table, const Order& position) {
    for (Index& value : table.data) relabel(value, position);
}

void renumber_nodes(Mesh& mesh, const Order& order, const Order& position) {
    permute(mesh.points, order);
    permute(mesh.node_number, order);
    relabel(mesh.cell_nodes, position);
    relabel(mesh.face_nodes, position);
    relabel(mesh.edge_nodes, position);
}

void renumber_edges(Mesh& mesh, const Order& order, const Order& position) {
    permute(mesh.edge_nodes, order);
    relabel(mesh.cell_edges, position);
    relabel(mesh.face_edges, position);
}

void renumber_faces(Mesh& mesh, const Order& order, const Order& position) {
    permute(mesh.face_nodes, order);
    permute(mesh.face_cells, order);
    permute(mesh.face_edges, order);
    relabel(mesh.cell_faces, position);
    for (Side& side : mesh.sides) relabel(side.face, position);
}

void renumber_cells(Mesh& mesh, const Order& order, const Order& position) {
    permute(mesh.cell_nodes, order);
    permute_corners(mesh.periodic_map, order, mesh.cell_nodes.width);
    permute(mesh.cell_faces, order);
    permute(mesh.cell_edges, order);
    permute(mesh.cell_number, order);
    permute(mesh.cell_region, order);
    relabel(mesh.face_cells, position);
}

}  // namespace

void renumber(Mesh& mesh, Kind kind, const std::vector<Index>& order) {
    const Order position = inverse(order, mesh.count(kind));
    if (kind == Kind::edge && mesh.dimension == 2) kind = Kind::face;
    switch (kind) {
        case Kind::node:
            return renumber_nodes(mesh, order, position);
        case Kind::edge:
            return renumber_edges(mesh, order, position);
        case Kind::face:
            return renumber_faces(mesh, order, position);
        case Kind::cell:
            return renumber_cells(mesh, order, position);
    }
}

}  // namespace solenoid
