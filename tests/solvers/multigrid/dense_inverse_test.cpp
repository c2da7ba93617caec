// The inverse of the coarsest matrix, also where it has none.
#include "solvers/multigrid/dense_inverse.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "solvers/multigrid/dense_matrix.hpp"

namespace solenoid::dense_inverse_test {
namespace {

using test::Dense, test::expect_near, test::grid_laplacian;

HostMatrix rows_of(const Dense& a) {
    HostMatrix matrix;
    for (std::size_t i = 0; i < a.rows; ++i) {
        for (std::size_t j = 0; j < a.columns; ++j)
            if (a(i, j) != 0) matrix.append(static_cast<Index>(j), a(i, j));
        matrix.end_row();
    }
    return matrix;
}
Dense dense(const HostMatrix& matrix) {
    Dense a(matrix.rows.rows(), matrix.rows.rows());
    for (Index i = 0; i < matrix.rows.rows(); ++i) {
        EXPECT_EQ(matrix.rows.length(i), matrix.rows.rows());
        for (Index k = matrix.rows.start[i]; k < matrix.rows.start[i + 1]; ++k)
            a(i, matrix.rows.index[k]) += matrix.entries[k];
    }
    return a;
}
// a and b on the diagonal, then a row of zeros.
Dense parts(const Dense& a, const Dense& b) {
    Dense whole(a.rows + b.rows + 1, a.rows + b.rows + 1);
    for (std::size_t i = 0; i < a.rows; ++i)
        for (std::size_t j = 0; j < a.rows; ++j) whole(i, j) = a(i, j);
    for (std::size_t i = 0; i < b.rows; ++i)
        for (std::size_t j = 0; j < b.rows; ++j) whole(a.rows + i, a.rows + j) = b(i, j);
    return whole;
}

TEST(DenseInverse, InvertsARegularMatrix) {
    Dense a = grid_laplacian(5, 4), identity(20, 20);
    for (std::size_t i = 0; i < 20; ++i) {
        a(i, i) += 0.1;
        identity(i, i) = 1;
    }
    expect_near(a * dense(dense_inverse(rows_of(a), 0)), identity, 1e-12);
}

// Of an unsymmetric matrix, as of rounding, the inverse of its symmetric part.
TEST(DenseInverse, IsSymmetric) {
    Dense a = grid_laplacian(3, 3);
    for (std::size_t i = 0; i < 9; ++i) a(i, i) += 1;
    Dense mean = a;
    a(2, 5) += 1e-3;
    mean(2, 5) += 5e-4;
    mean(5, 2) += 5e-4;
    const Dense inverse = dense(dense_inverse(rows_of(a), 0));
    EXPECT_EQ(inverse.entries, transposed(inverse).entries);
    expect_near(inverse, dense(dense_inverse(rows_of(mean), 0)), 1e-14);
}

// A free part, one with a fixed value and an empty row. B of the free part A: A B A = A, and the
// constants have the inverse of the mean diagonal.
TEST(DenseInverse, TakesConstantsOfAFreePartAsEigenvectors) {
    const Dense free = grid_laplacian(4, 3);
    Dense fixed = grid_laplacian(3, 2);
    fixed(0, 0) += 2;
    const Dense a = parts(free, fixed);
    const Dense b = dense(dense_inverse(rows_of(a), 0));
    expect_near(a * b * a, a, 1e-12);
    double trace = 0;
    for (std::size_t i = 0; i < 12; ++i) trace += a(i, i);
    for (std::size_t i = 0; i < 12; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < 12; ++j) sum += b(i, j);
        EXPECT_NEAR(sum, 12 / trace, 1e-13);
    }
    const Dense ab = a * b;
    for (std::size_t i = 12; i < 18; ++i)
        for (std::size_t j = 0; j < a.rows; ++j) EXPECT_NEAR(ab(i, j), i == j, 1e-12);
    for (std::size_t j = 0; j < a.rows; ++j) EXPECT_EQ(b(18, j), 0);
}

// Below `rounding` a part's sums count as zero: a tiny row defect leaves the part free, a tiny
// trace leaves it out.
TEST(DenseInverse, TakesRoundingForZero) {
    Dense a = grid_laplacian(3, 2), tiny(1, 1);
    tiny(0, 0) = 1e-7;
    a(0, 0) += 1e-7;
    const Dense whole = parts(a, tiny);
    const Dense b = dense(dense_inverse(rows_of(whole), 1e-6)),
                exact = dense(dense_inverse(rows_of(whole), 0));
    EXPECT_EQ(b(6, 6), 0);
    EXPECT_NEAR(exact(6, 6), 1e7, 1e-3);
    double largest = 0, largest_exact = 0;
    for (std::size_t i = 0; i < 6; ++i) {
        largest = std::max(largest, b(i, i));
        largest_exact = std::max(largest_exact, exact(i, i));
    }
    EXPECT_LT(largest, 10);
    EXPECT_GT(largest_exact, 1e6);
}

TEST(DenseInverse, RefusesANegativeMatrix) {
    Dense a = grid_laplacian(3, 2);
    a(1, 1) -= 3;
    EXPECT_THROW(dense_inverse(rows_of(a), 0), ComputationError);
}

TEST(DenseInverse, OfNoRowsIsEmpty) { EXPECT_EQ(dense_inverse({}, 0).rows.rows(), 0u); }

}  // namespace
}  // namespace solenoid::dense_inverse_test
