// Poisson problems on a mesh's nodes, cells or edges: the matrices of heat, pressure and stream function.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

struct PoissonProblem {
    Kind kind;
    HostMatrix matrix;
    std::vector<Index> fixed;  // marked entities held at 0
    std::vector<double> rhs;   // of the marked entities, 0 on fixed ones
};

// Fixed at 0 on the whole boundary. A uniform source on nodes and cells; on edges, in 3D, the curl of a solid-body
// rotation's projection. Collective.
PoissonProblem poisson_problem(const Communicator& comm, const DistributedMesh& mesh, Kind kind);

}  // namespace solenoid
