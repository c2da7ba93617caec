// Fits by least squares, and what they take of dense matrices. Eigen is compiled for them here,
// once.
#pragma once

#include <span>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

struct DenseMatrix {
    Index rows, columns;
    std::vector<double> entries;  // column by column

    DenseMatrix(Index of_rows, Index of_columns)
        : rows(of_rows), columns(of_columns), entries(std::size_t(of_rows) * of_columns) {}
    double operator()(Index i, Index j) const { return entries[std::size_t(j) * rows + i]; }
    double& operator()(Index i, Index j) { return entries[std::size_t(j) * rows + i]; }
};

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

// By a complete orthogonal decomposition.
DenseMatrix pseudo_inverse(const DenseMatrix& matrix);

// x of least norm, in the scale in which the symmetric positive semidefinite matrix has a unit
// diagonal, with matrix x = rhs; pivots below `dependent` of the largest count as zero.
std::vector<double> scaled_solution(const DenseMatrix& matrix, std::span<const double> rhs,
                                    double dependent);

double inner_product(std::span<const double> a, std::span<const double> b);

}  // namespace solenoid
