#pragma once

#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

// The inverse of a symmetric positive matrix, in full rows. Where constants on a connected part are
// mapped to zero they count as eigenvectors of the part's mean diagonal instead; empty rows stay
// zero. rounding: the absolute error of a part's sums, below which it counts as zero.
HostMatrix dense_inverse(const HostMatrix& matrix, double rounding);

}  // namespace solenoid
