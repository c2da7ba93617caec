#include "flow/discretization/edge_elements.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>

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

// -1 where the edge runs from its second node of the cell to its first.
std::array<double, 6> directions(const Mesh& m, Index cell) {
    std::array<double, 6> direction;
    for (int e = 0; e < 6; ++e) direction[e] = m.edge_nodes(m.cell_edges(cell, e), 0) == m.cell_nodes(cell, ends[e][0]) ? 1 : -1;
    return direction;
}

using ElementMatrix = std::array<std::array<double, 6>, 6>;

ElementMatrix element_curl_curl(const Mesh& m, Index cell) {
    const auto curls = edge_element_curls(m, cell);
    const double v = volume(m, cell);
    ElementMatrix matrix;
    for (int e = 0; e < 6; ++e)
        for (int f = 0; f < 6; ++f) matrix[e][f] = v * glm::dot(curls[e], curls[f]);
    return matrix;
}

// The integral of lambda_i lambda_j is V / 20, twice that where i = j.
ElementMatrix element_mass(const Mesh& m, Index cell) {
    const auto g = gradients(m, cell);
    const auto direction = directions(m, cell);
    const double part = volume(m, cell) / 20;
    const auto weight = [&](int i, int j) { return i == j ? 2 * part : part; };
    ElementMatrix matrix;
    for (int e = 0; e < 6; ++e)
        for (int f = 0; f < 6; ++f) {
            const auto [a, b] = ends[e];
            const auto [c, d] = ends[f];
            matrix[e][f] = direction[e] * direction[f] *
                           (weight(a, c) * glm::dot(g[b], g[d]) - weight(a, d) * glm::dot(g[b], g[c]) -
                            weight(b, c) * glm::dot(g[a], g[d]) + weight(b, d) * glm::dot(g[a], g[c]));
        }
    return matrix;
}

// The place of every edge held when all are put in the order of their nodes' global numbers.
std::vector<Index> order_of_edges(const Mesh& m) {
    std::vector<std::array<GlobalIndex, 3>> keys;
    keys.reserve(m.edges());
    for (Index e = 0; e < m.edges(); ++e) keys.push_back({m.node_number[m.edge_nodes(e, 0)], m.node_number[m.edge_nodes(e, 1)], e});
    std::sort(keys.begin(), keys.end());
    std::vector<Index> order(m.edges());
    for (Index k = 0; k < m.edges(); ++k) order[keys[k][2]] = k;
    return order;
}

// The cells held, by their global numbers.
std::vector<Index> ascending_cells(const Mesh& m) {
    std::vector<Index> cells(m.cells());
    std::iota(cells.begin(), cells.end(), Index(0));
    std::sort(cells.begin(), cells.end(), [&](Index a, Index b) { return m.cell_number[a] < m.cell_number[b]; });
    return cells;
}

// Of every marked edge those that share a cell with it, ascending in that order.
Rows edges_beside(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::edge);
    const std::vector<Index> order = order_of_edges(m);
    Rows beside;
    std::vector<std::pair<Index, Index>> row;  // order, edge
    for (Index e = 0; e < mesh.range(Kind::edge).owned; ++e) {
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
}

// Each cell's matrix is formed once. Rows ascend in the edges' global nodes, and cells are summed in ascending order: the
// same bits on every rank.
template <class Element>
HostMatrix assemble(const DistributedMesh& mesh, const Element& element) {
    const Mesh& m = mesh.mesh;
    const Index owned = mesh.range(Kind::edge).owned;
    HostMatrix matrix;
    matrix.rows = edges_beside(mesh);
    matrix.entries.assign(matrix.rows.index.size(), 0.0);
    for (const Index c : ascending_cells(m)) {
        const Index* edges = m.cell_edges.row(c);
        if (std::all_of(edges, edges + 6, [&](Index e) { return e >= owned; })) continue;
        const ElementMatrix entries = element(m, c);
        for (int i = 0; i < 6; ++i) {
            if (edges[i] >= owned) continue;
            const Index* row = matrix.rows.begin(edges[i]);
            for (int j = 0; j < 6; ++j) {
                const auto at = std::find(row, matrix.rows.end(edges[i]), edges[j]) - matrix.rows.index.data();
                matrix.entries[at] += entries[i][j];
            }
        }
    }
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
    for (int e = 0; e < 6; ++e) curls[e] = (2 * direction[e]) * glm::cross(g[ends[e][0]], g[ends[e][1]]);
    return curls;
}

HostMatrix edge_curl_curl(const DistributedMesh& mesh) { return assemble(mesh, element_curl_curl); }
HostMatrix edge_mass(const DistributedMesh& mesh) { return assemble(mesh, element_mass); }

}  // namespace solenoid
