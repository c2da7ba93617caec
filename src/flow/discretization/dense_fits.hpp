// Fits by least squares.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "flow/discretization/singular_values.hpp"

namespace solenoid {

// The weighted fit of a constant and linear functions (a column each) to values: row 0 gives the
// constant, the others the factors of the functions. Directions of a singular value below
// `determined` of the largest are left out. The magnitudes of row 0 add up to `most` at most:
// beyond it the row is moved towards the weighted mean.
DenseMatrix linear_fit(std::span<const double> weight, const DenseMatrix& functions,
                       double determined, double most);
// The same, but where directions are left out it is made again with the combinations of the
// functions that are the columns of `axes`, each in its own units, and taken from there if that
// determines more. A combination whose values differ by less than `determined` of them is left out.
DenseMatrix linear_fit(std::span<const double> weight, const DenseMatrix& functions,
                       const DenseMatrix& axes, double determined, double most);

// The rows that give q of the fit constant q + linear h to values. Both matrices have their rows'
// weights. h is fitted to the remainder of a fit of q alone. Directions of a singular value below
// `negligible` of the largest are left out. The norms of the columns, times weight, add up to
// `most` at most: beyond it h is scaled down, as far as to none. rank: the directions of q, and
// those of h, that are not left out.
struct StagedFit {
    DenseMatrix rows;
    std::pair<Index, Index> rank;
};
StagedFit staged_fit(const DenseMatrix& constant, const DenseMatrix& linear,
                     std::span<const double> weight, double negligible, double most);
// The same for places that are closer in some directions than in others. Left out are directions of
// q of a singular value below least(direction). h has each column in its own units, however short
// it is, without those of which a fit of q leaves less than `negligible`.
StagedFit scaled_staged_fit(const DenseMatrix& constant, const DenseMatrix& linear,
                            std::span<const double> weight, const LeastValue& least,
                            double negligible, double most);

// x of least norm, in the scale in which the symmetric positive semidefinite matrix has a unit
// diagonal, with matrix x = rhs; directions of a singular value below `dependent` of the largest
// are left out.
std::vector<double> scaled_solution(const DenseMatrix& matrix, std::span<const double> rhs,
                                    double dependent);

}  // namespace solenoid
