#include "flow/discretization/edge_elements.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>

#include "core/pieces.hpp"
#include "core/sorted.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {
namespace {

constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

std::array<Vec3, 4> gradients(const Mesh& m, Index cell) {
    std::array<Vec3, 4> gradient;
    const double v = volume(m, cell);
    for (int j = 0; j < 4; ++j) gradient[j] = opposite_area(m, cell, j) / (-3 * v);
    return gradient;
}

// For each edge of a cell +1 or, where it runs from its second to its first node of the cell, -1.
std::array<double, 6> directions(const Mesh& m, Index cell) {
    std::array<double, 6> direction;
    for (int e = 0; e < 6; ++e)
        direction[e] =
            m.edge_nodes(m.cell_edges(cell, e), 0) == m.cell_nodes(cell, ends[e][0]) ? 1 : -1;
    return direction;
}

// The integrals of w_e . w_f or curl w_e . curl w_f over a cell with edge functions w_e: the upper
// triangle, row by row.
using ElementMatrix = std::array<double, 21>;
constexpr int place(int e, int f) { return e <= f ? e * (11 - e) / 2 + f : place(f, e); }

ElementMatrix element_curl_curl(const Mesh& m, Index cell) {
    const auto curls = edge_element_curls(m, cell);
    const double v = volume(m, cell);
    ElementMatrix matrix;
    for (int e = 0; e < 6; ++e)
        for (int f = e; f < 6; ++f) matrix[place(e, f)] = v * glm::dot(curls[e], curls[f]);
    return matrix;
}

// With integral of lambda_i lambda_j = V / 20 for i != j, V / 10 for i = j.
ElementMatrix element_mass(const Mesh& m, Index cell) {
    const auto g = gradients(m, cell);
    const auto direction = directions(m, cell);
    const double part = volume(m, cell) / 20;
    const auto weight = [&](int i, int j) { return i == j ? 2 * part : part; };
    ElementMatrix matrix;
    for (int e = 0; e < 6; ++e)
        for (int f = e; f < 6; ++f) {
            const auto [a, b] = ends[e];
            const auto [c, d] = ends[f];
            matrix[place(e, f)] =
                direction[e] * direction[f] *
                (weight(a, c) * glm::dot(g[b], g[d]) - weight(a, d) * glm::dot(g[b], g[c]) -
                 weight(b, c) * glm::dot(g[a], g[d]) + weight(b, d) * glm::dot(g[a], g[c]));
        }
    return matrix;
}

// The place of every edge held in the order of the global numbers of their nodes.
std::vector<Index> order_of_edges(const Mesh& m) {
    std::vector<std::array<GlobalIndex, 3>> keys(m.edges());
    for_each(0, m.edges(), [&](Index e) {
        keys[e] = {m.node_number[m.edge_nodes(e, 0)], m.node_number[m.edge_nodes(e, 1)], e};
    });
    sort_in_threads(keys, std::less());
    std::vector<Index> order(m.edges());
    for_each(0, m.edges(), [&](Index k) { order[keys[k][2]] = k; });
    return order;
}

// For each owned edge the edges that share a cell with it, in that order.
Rows edges_beside(const DistributedMesh& mesh, const Rows& cells) {
    const Mesh& m = mesh.mesh;
    const std::vector<Index> order = order_of_edges(m);
    return joined(pieces_of(mesh.range(Kind::edge).owned, [&](Index begin, Index end) {
        Rows beside;
        std::vector<std::pair<Index, Index>> row;  // place in the order, edge
        for (Index e = begin; e < end; ++e) {
            row.clear();
            for (const Index* c = cells.begin(e); c != cells.end(e); ++c)
                for (int j = 0; j < 6; ++j) {
                    const std::pair next(order[m.cell_edges(*c, j)], m.cell_edges(*c, j));
                    if (std::find(row.begin(), row.end(), next) == row.end()) row.push_back(next);
                }
            std::sort(row.begin(), row.end());
            for (const auto& [place, edge] : row) beside.index.push_back(edge);
            beside.start.push_back(static_cast<Index>(beside.index.size()));
        }
        return beside;
    }));
}

// The matrix of all cells. Each cell's matrix is formed once. Rows follow the global numbers of the
// edges' nodes and cells are added in ascending order, so that the bits are equal on all ranks.
template <class Element>
HostMatrix assemble(const DistributedMesh& mesh, const Element& element) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::edge);
    UninitializedVector<ElementMatrix> elements(m.cells());
    for_each(0, m.cells(), [&](Index c) { elements[c] = element(m, c); });
    HostMatrix matrix;
    matrix.rows = edges_beside(mesh, cells);
    matrix.entries.assign(matrix.rows.index.size(), 0.0);
    for_each(0, matrix.rows.rows(), [&](Index e) {
        const Index* row = matrix.rows.begin(e);
        double* entries = &matrix.entries[matrix.rows.start[e]];
        for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
            const Index* edges = m.cell_edges.row(*c);
            const int i = static_cast<int>(std::find(edges, edges + 6, e) - edges);
            for (int j = 0; j < 6; ++j)
                entries[std::find(row, matrix.rows.end(e), edges[j]) - row] +=
                    elements[*c][place(i, j)];
        }
    });
    return matrix;
}

}  // namespace

std::array<Vec3, 6> edge_element_values(const Mesh& m, Index cell) {
    const auto g = gradients(m, cell);
    const auto direction = directions(m, cell);
    std::array<Vec3, 6> values;
    for (int e = 0; e < 6; ++e) values[e] = (direction[e] / 4) * (g[ends[e][1]] - g[ends[e][0]]);
    return values;
}

std::array<Vec3, 6> edge_element_curls(const Mesh& m, Index cell) {
    const auto g = gradients(m, cell);
    const auto direction = directions(m, cell);
    std::array<Vec3, 6> curls;
    for (int e = 0; e < 6; ++e)
        curls[e] = (2 * direction[e]) * glm::cross(g[ends[e][0]], g[ends[e][1]]);
    return curls;
}

HostMatrix edge_curl_curl(const DistributedMesh& mesh) { return assemble(mesh, element_curl_curl); }
HostMatrix edge_mass(const DistributedMesh& mesh) { return assemble(mesh, element_mass); }

}  // namespace solenoid
