// Poisson problems on the nodes, cells or edges of a mesh: the matrices of heat, pressure and
// stream function.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid::bench {

struct PoissonProblem {
    Kind kind;
    HostMatrix matrix;
    std::vector<Index> fixed;  // owned entities with the value 0
    std::vector<double> rhs;   // of the owned entities, 0 on fixed ones
};

// Fixed at 0 on the whole boundary. The right-hand side is a uniform source on nodes and cells; on
// edges (3D) it is that of the projection of a solid-body rotation. Collective.
PoissonProblem poisson_problem(const Communicator& comm, const DistributedMesh& mesh, Kind kind);

// One component of a cell velocity in an implicit diffusion step with walls at rest: M / dt + K
// with the diffusion number nu dt / h^2 = 1 of a mean cell, h^d its volume.
PoissonProblem momentum_problem(const DistributedMesh& mesh, int dimension);

// A matrix without fixed rows as differences: (A x)_i = shift_i x_i + sum_j w_ij (x_i - x_j).
struct Differences {
    Rows neighbours;
    std::vector<double> weights, shift, inverse;  // inverse: of the diagonal of A
};
Differences differences_of(const HostMatrix& matrix);

}  // namespace solenoid::bench
