// The singular value decomposition of small matrices, and the pseudo-inverse by it.
#pragma once

#include <functional>

#include "flow/discretization/dense_matrix.hpp"

namespace solenoid {

// matrix = left diag(values) right^T. `values` has the lesser of rows and columns, the largest
// first; left and right have as many columns, of unit norm and orthogonal, but zero in `left` (of a
// wide matrix, in `right`) where the value is zero.
struct SingularValues {
    std::vector<double> values;
    DenseMatrix left, right;
};

// One-sided Jacobi: rotations of pairs of columns until all are orthogonal to rounding (Hestenes
// 1958; Golub & Van Loan 2013, "Matrix computations", section 8.6.3). A value is exact to rounding
// times the condition of the columns scaled to unit norm (Demmel & Veselic 1992), however different
// their norms are. Numbers that are not finite give such numbers.
SingularValues singular_values(const DenseMatrix& matrix);

// P, and how many directions of the matrix are in it.
struct PseudoInverse {
    DenseMatrix matrix;
    Index rank;
};

// P, columns x rows, with P b the x of least norm that minimizes |matrix x - b|. Directions of a
// singular value below `negligible` times the largest are left out; P of a zero matrix is zero.
PseudoInverse ranked_inverse(const DenseMatrix& matrix, double negligible);
// Leaves out directions (of x, of unit norm) whose singular value is below least(direction).
using LeastValue = std::function<double(std::span<const double> direction)>;
PseudoInverse ranked_inverse(const DenseMatrix& matrix, const LeastValue& least);
DenseMatrix pseudo_inverse(const DenseMatrix& matrix, double negligible);
// Leaves out what rounding may have made of zero.
DenseMatrix pseudo_inverse(const DenseMatrix& matrix);
// In units of the columns' norms, so that a column counts however short it is, and norms of x are
// in these units. A column of a norm of at most least[j] is left out.
PseudoInverse column_scaled_inverse(const DenseMatrix& matrix, std::span<const double> least,
                                    double negligible);

}  // namespace solenoid
