// Fits by least squares.
#pragma once

#include <span>
#include <vector>

#include "flow/discretization/dense_matrix.hpp"

namespace solenoid {

// The weighted fit of a constant and linear functions (a column each) to values: row 0 gives the
// constant, the others the factors of the functions. Directions of a singular value below
// `determined` of the largest are left out. The magnitudes of row 0 add up to `most` at most:
// beyond it the row is moved towards the weighted mean.
DenseMatrix linear_fit(std::span<const double> weight, const DenseMatrix& functions,
                       double determined, double most);

// The rows that give q of the fit constant q + linear h to values. Both matrices have their rows'
// weights. h is fitted to the remainder of a fit of q alone. Directions of a singular value below
// `negligible` of the largest are left out. The norms of the columns, times weight, add up to
// `most` at most: beyond it h is scaled down, as far as to none.
DenseMatrix staged_fit(const DenseMatrix& constant, const DenseMatrix& linear,
                       std::span<const double> weight, double negligible, double most);

// x of least norm, in the scale in which the symmetric positive semidefinite matrix has a unit
// diagonal, with matrix x = rhs; directions of a singular value below `dependent` of the largest
// are left out.
std::vector<double> scaled_solution(const DenseMatrix& matrix, std::span<const double> rhs,
                                    double dependent);

}  // namespace solenoid
