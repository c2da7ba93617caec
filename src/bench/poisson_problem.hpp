// Poisson problems on a mesh's nodes, cells or edges: the matrices of heat, pressure and stream
// function.
#pragma once

#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid::bench {

struct PoissonProblem {
    Kind kind;
    HostMatrix matrix;
    std::vector<Index> fixed;  // marked entities held at 0
    std::vector<double> rhs;   // of the marked entities, 0 on fixed ones
};

// Fixed at 0 on the whole boundary. A uniform source on nodes and cells; on edges, in 3D, the curl
// of a solid-body rotation's projection. Collective.
PoissonProblem poisson_problem(const Communicator& comm, const DistributedMesh& mesh, Kind kind);

// One component of a velocity of cells after an implicit step of diffusion: M / dt + K, walls at
// rest all round, diffusion number nu dt / h^2 = 1 of a cell in the mean, h^d its volume.
PoissonProblem momentum_problem(const DistributedMesh& mesh, int dimension);

// (A x)_i = shift_i x_i + sum_j w_ij (x_i - x_j), of a matrix without fixed rows.
struct Differences {
    Rows neighbours;
    std::vector<double> weights, shift, inverse;  // inverse: of the whole diagonal
};
Differences differences_of(const HostMatrix& matrix);

}  // namespace solenoid::bench
