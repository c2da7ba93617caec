// The matrix of the exact fractional step's projection.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

// C^T H C on the owned codim-2 entities: in 2D the stiffness matrix of linear finite elements on
// nodes, in 3D the curl-curl matrix of the lowest-order edge elements (Nedelec 1980).
HostMatrix stream_function_matrix(const DistributedMesh& mesh);

// The stiffness matrix of linear finite elements on the owned nodes. conductivity: of every cell
// held; empty: 1.
HostMatrix node_stiffness(const DistributedMesh& mesh,
                          const std::vector<double>& conductivity = {});

}  // namespace solenoid
