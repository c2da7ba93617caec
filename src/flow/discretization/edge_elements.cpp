#include "flow/discretization/edge_elements.hpp"

#include <algorithm>
#include <functional>
#include <glm/geometric.hpp>

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

// Rows ascend in the edges' global nodes, and cells are summed in ascending order: the same bits on every rank.
HostMatrix assemble(const DistributedMesh& mesh, const std::function<ElementMatrix(const Mesh&, Index)>& element) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::edge);
    HostMatrix matrix;
    std::vector<std::pair<Index, double>> row;
    const auto key = [&](Index e) { return std::pair(m.node_number[m.edge_nodes(e, 0)], m.node_number[m.edge_nodes(e, 1)]); };
    for (Index e = 0; e < mesh.range(Kind::edge).owned; ++e) {
        row.clear();
        for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
            const Index* edges = m.cell_edges.row(*c);
            const std::array<double, 6> entries = element(m, *c)[std::find(edges, edges + 6, e) - edges];
            for (int j = 0; j < 6; ++j) {
                const auto found = std::find_if(row.begin(), row.end(), [&](const auto& pair) { return pair.first == edges[j]; });
                if (found == row.end()) row.emplace_back(edges[j], entries[j]);
                else found->second += entries[j];
            }
        }
        std::sort(row.begin(), row.end(), [&](const auto& a, const auto& b) { return key(a.first) < key(b.first); });
        for (const auto& [column, entry] : row) {
            matrix.rows.index.push_back(column);
            matrix.entries.push_back(entry);
        }
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
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
