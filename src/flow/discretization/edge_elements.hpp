// The lowest-order edge elements of tets (Nedelec 1980): of the edge ab, from its lower to its
// higher global node, lambda_a grad(lambda_b) - lambda_b grad(lambda_a). Unknowns are integrals
// along edges.
#pragma once

#include <array>

#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

// The values of a tet's six edge elements at its centroid, and their curls, which are constant.
std::array<Vec3, 6> edge_element_values(const Mesh& mesh, Index cell);
std::array<Vec3, 6> edge_element_curls(const Mesh& mesh, Index cell);

// Integrals of curl . curl and of value . value, a row for each marked edge.
HostMatrix edge_curl_curl(const DistributedMesh& mesh);
HostMatrix edge_mass(const DistributedMesh& mesh);

}  // namespace solenoid
