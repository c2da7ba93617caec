// Bounds of the spectrum of D^-1 A, D the diagonal of a symmetric positive (semi-)definite A.
#pragma once

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

// An upper estimate of the largest eigenvalue: the largest Ritz value of ten steps of Lanczos on
// D^-1/2 A D^-1/2 (Golub & Van Loan 2013, section 10.1) times 1.1, at most max_i sum_j |a_ij| /
// a_ii (Gershgorin). plan: of the matrix's columns. diagonal: one a row; rows where it is 0 are
// left out. names: of the rows, which the start follows; of none, their numbers. Collective.
double largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a, const HaloPlan& plan,
                          const std::vector<double>& diagonal,
                          const std::vector<GlobalIndex>* names = nullptr);

// The largest eigenvalue to `tolerance`, relative, and from above: Lanczos until the residual of
// the largest Ritz vector is below tolerance times its value, 200 steps at most; the result is
// their sum, at most the bound by row sums. start: a value a row; where it does not depend on the
// ranks the result does not, but for rounding. Collective.
double settled_largest_eigenvalue(const Communicator& comm, const ParallelMatrix& a,
                                  const HaloPlan& plan, const std::vector<double>& diagonal,
                                  const std::vector<double>& start, double tolerance);

}  // namespace solenoid
