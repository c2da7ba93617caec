#pragma once

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

// An upper estimate of the largest eigenvalue of D^-1 A, D the diagonal: ten steps of Lanczos with a tenth on top, at
// most the largest sum of a row. plan: of the matrix's columns. Collective.
double largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a, const HaloPlan& plan, const std::vector<double>& diagonal);

}  // namespace solenoid
