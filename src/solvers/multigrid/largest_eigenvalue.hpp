#pragma once

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

// An upper estimate of the largest eigenvalue of D^-1 A, D the diagonal: ten steps of Lanczos with
// a tenth on top, at most the largest sum of a row. plan: of the matrix's columns. Collective.
double largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a, const HaloPlan& plan,
                          const std::vector<double>& diagonal);

// The same to `tolerance`, relative, and from above: as many steps as its residual takes to fall so
// far, 200 at most, with that residual on top. From `start`, a value a row: where that does not
// depend on the ranks the result does not, but for rounding.
double settled_largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a,
                                  const HaloPlan& plan, const std::vector<double>& diagonal,
                                  const std::vector<double>& start, double tolerance);

}  // namespace solenoid
