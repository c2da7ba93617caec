// The lowest-order edge elements of tets (Nedelec 1980): lambda_a grad(lambda_b) - lambda_b
// grad(lambda_a) for the edge ab from its lower to its higher global node. Unknowns are integrals
// along edges.
#pragma once

#include <array>

#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

// The values of a tet's six edge functions at its centroid [1/m], and their constant curls [1/m^2].
std::array<Vec3, 6> edge_element_values(const Mesh& mesh, Index cell);
std::array<Vec3, 6> edge_element_curls(const Mesh& mesh, Index cell);

// Matrices of the integrals of curl w_e . curl w_f and of w_e . w_f, a row for each owned edge.
HostMatrix edge_curl_curl(const DistributedMesh& mesh);
HostMatrix edge_mass(const DistributedMesh& mesh);

}  // namespace solenoid
