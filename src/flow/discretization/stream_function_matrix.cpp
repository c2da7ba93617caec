#include "flow/discretization/stream_function_matrix.hpp"

#include "flow/discretization/edge_elements.hpp"
#include "heat/heat_discretization.hpp"
#include "mesh/geometry.hpp"

namespace solenoid {

HostMatrix node_stiffness(const DistributedMesh& mesh, const std::vector<double>& conductivity) {
    const NodeDifferences differences = node_differences(
        mesh, conductivity.empty() ? std::vector<double>(mesh.mesh.cells(), 1.0) : conductivity);
    return matrix_of_differences(differences.neighbours, differences.weights,
                                 std::vector<double>(differences.neighbours.rows(), 0.0));
}

HostMatrix stream_function_matrix(const DistributedMesh& mesh) {
    return mesh.mesh.dimension == 2 ? node_stiffness(mesh) : edge_curl_curl(mesh);
}

}  // namespace solenoid
