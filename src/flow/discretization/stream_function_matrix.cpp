#include "flow/discretization/stream_function_matrix.hpp"

#include "flow/discretization/edge_elements.hpp"
#include "heat/heat_discretization.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {

HostMatrix node_stiffness(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const std::vector<double> weights = edge_weights(mesh, std::vector<double>(m.cells(), 1.0));
    const Rows edges = node_edges(m);
    return joined(pieces_of(mesh.range(Kind::node).owned, [&](Index begin, Index end) {
        HostMatrix matrix;
        for (Index i = begin; i < end; ++i) {
            double diagonal = 0;
            const std::size_t at = matrix.entries.size();
            matrix.append(i, 0);
            for (const Index* e = edges.begin(i); e != edges.end(i); ++e) {
                const Index* ends = m.nodes_of(Kind::edge, entity_of(*e));
                const double weight = weights[entity_of(*e)];
                matrix.append(ends[0] == i ? ends[1] : ends[0], -weight);
                diagonal += weight;
            }
            matrix.entries[at] = diagonal;
            matrix.end_row();
        }
        return matrix;
    }));
}

HostMatrix stream_function_matrix(const DistributedMesh& mesh) {
    return mesh.mesh.dimension == 2 ? node_stiffness(mesh) : edge_curl_curl(mesh);
}

}  // namespace solenoid
