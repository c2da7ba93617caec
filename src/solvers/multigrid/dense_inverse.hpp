// The coarsest level of a multigrid hierarchy.
#pragma once

#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

// The inverse of the symmetric part of a positive (semi-)definite matrix, n full rows. On a
// connected part of m rows whose sums are zero, A + t / m^2 1 1^T takes the place of A, t the
// part's trace: constants count as eigenvectors of its mean diagonal t / m. Rows of a part with
// t <= rounding stay zero. rounding: the absolute error of a part's sums; the sums |sum_j a_ij| of
// a part are zero up to that or 1e-10 t. Throws ComputationError where the matrix is not positive
// definite. order: of the rows, in which they are eliminated and the inverse is summed; of none,
// their own.
HostMatrix dense_inverse(const HostMatrix& matrix, double rounding,
                         const std::vector<Index>& order = {});

}  // namespace solenoid
