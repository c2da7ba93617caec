#include "flow/stream_function_matrix.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "heat/heat_discretization.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {
namespace {

// The curl of the edge element of edge ab is 2 grad(a) x grad(b), constant in the tet; of the cell's six edges, turned
// from the lower to the higher global node.
std::array<Vec3, 6> edge_element_curls(const Mesh& m, Index cell) {
    std::array<Vec3, 4> gradient;
    const double v = volume(m, cell);
    for (int j = 0; j < 4; ++j) gradient[j] = opposite_area(m, cell, j) / (-3 * v);
    static constexpr int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    std::array<Vec3, 6> curls;
    for (int e = 0; e < 6; ++e) {
        const bool turned = m.edge_nodes(m.cell_edges(cell, e), 0) != m.cell_nodes(cell, ends[e][0]);
        curls[e] = (turned ? -2.0 : 2.0) * glm::cross(gradient[ends[e][0]], gradient[ends[e][1]]);
    }
    return curls;
}

HostMatrix edge_curl_curl(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::edge);
    HostMatrix matrix;
    std::vector<std::pair<Index, double>> row;
    const auto key = [&](Index e) { return std::pair(m.node_number[m.edge_nodes(e, 0)], m.node_number[m.edge_nodes(e, 1)]); };
    for (Index e = 0; e < mesh.range(Kind::edge).owned; ++e) {
        row.clear();
        for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
            const auto curls = edge_element_curls(m, *c);
            const Index* edges = m.cell_edges.row(*c);
            const auto place = std::find(edges, edges + 6, e) - edges;
            for (int j = 0; j < 6; ++j) {
                const double entry = volume(m, *c) * glm::dot(curls[place], curls[j]);
                const auto found = std::find_if(row.begin(), row.end(), [&](const auto& pair) { return pair.first == edges[j]; });
                if (found == row.end()) row.emplace_back(edges[j], entry);
                else found->second += entry;
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

HostMatrix node_stiffness(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const std::vector<double> weights = edge_weights(mesh, std::vector<double>(m.cells(), 1.0));
    const Rows edges = node_edges(m);
    HostMatrix matrix;
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) {
        double diagonal = 0;
        const std::size_t at = matrix.entries.size();
        matrix.rows.index.push_back(i);
        matrix.entries.push_back(0);
        for (const Index* e = edges.begin(i); e != edges.end(i); ++e) {
            const Index* ends = m.nodes_of(Kind::edge, entity_of(*e));
            const double weight = weights[entity_of(*e)];
            matrix.rows.index.push_back(ends[0] == i ? ends[1] : ends[0]);
            matrix.entries.push_back(-weight);
            diagonal += weight;
        }
        matrix.entries[at] = diagonal;
        matrix.rows.start.push_back(static_cast<Index>(matrix.rows.index.size()));
    }
    return matrix;
}

HostMatrix stream_function_matrix(const DistributedMesh& mesh) {
    return mesh.mesh.dimension == 2 ? node_stiffness(mesh) : edge_curl_curl(mesh);
}

}  // namespace solenoid
