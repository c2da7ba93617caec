#include <algorithm>
#include <stdexcept>

#include "core/transposed_incidence.hpp"
#include "mesh/mesh.hpp"

namespace solenoid {
namespace {

Rows transpose(const Table& table, Index rows) {
    return inverse_rows(table, rows, [](Index) { return true; });
}

template <class Less>
void sort_rows(Rows& rows, Less less) {
    for_each(0, rows.rows(), [&](std::size_t i) {
        const auto begin = rows.index.begin() + rows.start[i],
                   end = rows.index.begin() + rows.start[i + 1];
        if (!std::is_sorted(begin, end, less)) std::sort(begin, end, less);
    });
}

// Compares oriented entities by the global numbers of their nodes.
auto by_nodes(const Mesh& mesh, const Table& nodes) {
    return [&mesh, &nodes](Index left, Index right) {
        const Index* a = nodes.row(entity_of(left));
        const Index* b = nodes.row(entity_of(right));
        return std::lexicographical_compare(
            a, a + nodes.width, b, b + nodes.width,
            [&mesh](Index m, Index n) { return mesh.node_number[m] < mesh.node_number[n]; });
    };
}

// For each node the entities that have it as an end, oriented: reversed where the node stands in
// column `reversed_end` of the entity's row in `ends`.
Rows node_rows(const Mesh& mesh, const Table& ends, int reversed_end) {
    Table oriented = ends;
    for_each(0, oriented.rows(), [&](std::size_t i) { oriented(i, reversed_end) |= reversed; });
    Rows rows = transpose(oriented, mesh.nodes());
    sort_rows(rows, by_nodes(mesh, ends));
    return rows;
}

}  // namespace

Rows cells_of(const Mesh& mesh, Kind from) {
    if (from == Kind::cell) throw std::logic_error("cells_of: nodes, edges and faces only");
    if (from == Kind::edge && mesh.dimension == 2) from = Kind::face;
    Rows rows = from == Kind::node   ? transpose(mesh.cell_nodes, mesh.nodes())
                : from == Kind::edge ? transpose(mesh.cell_edges, mesh.edges())
                                     : transpose(mesh.cell_faces, mesh.faces());
    if (from == Kind::face)
        for_each(0, rows.index.size(),
                 [&](std::size_t k) { rows.index[k] = entity_of(rows.index[k]); });
    sort_rows(rows, [&](Index a, Index b) { return mesh.cell_number[a] < mesh.cell_number[b]; });
    return rows;
}

Rows codim2_faces(const Mesh& mesh) {
    if (mesh.dimension == 2)
        return node_rows(mesh, mesh.face_nodes, 0);  // the edge a -> b: - at a, + at b
    Rows rows = transpose(mesh.face_edges, mesh.edges());
    sort_rows(rows, by_nodes(mesh, mesh.face_nodes));
    return rows;
}

Rows node_edges(const Mesh& mesh) {  // the edge leaves its lower node
    return node_rows(mesh, mesh.dimension == 2 ? mesh.face_nodes : mesh.edge_nodes, 1);
}

}  // namespace solenoid
