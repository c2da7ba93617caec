// Singular values and the fits by them, beside Eigen's.
#include "flow/discretization/dense_fits.hpp"

#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <random>

#include "flow/discretization/singular_values.hpp"

namespace solenoid {
namespace {

DenseMatrix transposed(const DenseMatrix& a) {
    DenseMatrix result(a.columns, a.rows);
    for (Index i = 0; i < a.rows; ++i)
        for (Index j = 0; j < a.columns; ++j) result(j, i) = a(i, j);
    return result;
}
DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix result(a.rows, b.columns);
    for (Index i = 0; i < a.rows; ++i)
        for (Index j = 0; j < b.columns; ++j)
            for (Index k = 0; k < a.columns; ++k) result(i, j) += a(i, k) * b(k, j);
    return result;
}
DenseMatrix diagonal(const std::vector<double>& values) {
    const auto n = static_cast<Index>(values.size());
    DenseMatrix result(n, n);
    for (Index i = 0; i < n; ++i) result(i, i) = values[i];
    return result;
}
DenseMatrix identity(std::size_t n) { return diagonal(std::vector<double>(n, 1.0)); }
double norm(const DenseMatrix& a) {
    double sum = 0;
    for (const double entry : a.entries) sum += entry * entry;
    return std::sqrt(sum);
}
double distance(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix difference = a;
    for (std::size_t i = 0; i < a.entries.size(); ++i) difference.entries[i] -= b.entries[i];
    return norm(difference);
}

class Numbers {
  public:
    double next() { return distribution_(engine_); }
    DenseMatrix matrix(Index rows, Index columns) {
        DenseMatrix result(rows, columns);
        for (double& entry : result.entries) entry = next();
        return result;
    }
    // Of a rank: the product of two random matrices.
    DenseMatrix matrix(Index rows, Index columns, Index rank) {
        return matrix(rows, rank) * matrix(rank, columns);
    }

  private:
    std::mt19937 engine_{7};
    std::normal_distribution<double> distribution_;
};

// Eigen's, of the matrix made square by zeros.
SingularValues of_eigen(const DenseMatrix& matrix) {
    const Index n = std::max(matrix.rows, matrix.columns),
                count = std::min(matrix.rows, matrix.columns);
    using Square = Eigen::MatrixXd;
    Square square = Square::Zero(n, n);
    for (Index i = 0; i < matrix.rows; ++i)
        for (Index j = 0; j < matrix.columns; ++j) square(i, j) = matrix(i, j);
    const Eigen::JacobiSVD<Square, Eigen::NoQRPreconditioner> svd(
        square, Eigen::ComputeFullU | Eigen::ComputeFullV);
    SingularValues result{std::vector<double>(count), DenseMatrix(matrix.rows, count),
                          DenseMatrix(matrix.columns, count)};
    for (Index k = 0; k < count; ++k) {
        result.values[k] = svd.singularValues()[k];
        for (Index i = 0; i < matrix.rows; ++i) result.left(i, k) = svd.matrixU()(i, k);
        for (Index j = 0; j < matrix.columns; ++j) result.right(j, k) = svd.matrixV()(j, k);
    }
    return result;
}
DenseMatrix inverse_of_eigen(const DenseMatrix& matrix, double negligible) {
    const SingularValues svd = of_eigen(matrix);
    std::vector<double> inverse(svd.values.size());
    for (std::size_t k = 0; k < inverse.size(); ++k)
        if (svd.values[k] >= negligible * svd.values[0]) inverse[k] = 1 / svd.values[k];
    return svd.right * diagonal(inverse) * transposed(svd.left);
}

constexpr std::pair<Index, Index> shapes[] = {{1, 1}, {3, 3}, {4, 3},  {12, 3}, {40, 6},
                                              {9, 9}, {1, 5}, {3, 12}, {6, 7},  {25, 25}};

TEST(SingularValues, AreThoseOfEigen) {
    Numbers numbers;
    for (const auto& [rows, columns] : shapes)
        for (int attempt = 0; attempt < 10; ++attempt) {
            const DenseMatrix matrix = numbers.matrix(rows, columns);
            const SingularValues svd = singular_values(matrix);
            const std::vector<double> values = of_eigen(matrix).values;
            ASSERT_EQ(svd.values.size(), values.size());
            for (std::size_t k = 0; k < values.size(); ++k)
                EXPECT_NEAR(svd.values[k], values[k], 1e-13 * values[0]) << rows << " " << columns;
            const DenseMatrix& u = svd.left;
            const DenseMatrix& v = svd.right;
            EXPECT_LT(distance(transposed(u) * u, identity(values.size())), 1e-13);
            EXPECT_LT(distance(transposed(v) * v, identity(values.size())), 1e-13);
            EXPECT_LT(distance(u * diagonal(svd.values) * transposed(v), matrix),
                      1e-13 * norm(matrix));
        }
}

// Columns of norms from 1 to 1e-120 that are far from dependent: each value to rounding, where a
// decomposition by reflections loses all but the largest ones.
TEST(SingularValues, OfScaledColumnsAreExactEach) {
    Numbers numbers;
    for (int attempt = 0; attempt < 10; ++attempt) {
        const DenseMatrix matrix =
            of_eigen(numbers.matrix(8, 4)).left * diagonal({1, 1e-40, 1e-80, 1e-120});
        const SingularValues svd = singular_values(matrix);
        for (Index j = 0; j < 4; ++j)
            EXPECT_NEAR(svd.values[j] * std::pow(10.0, 40.0 * j), 1, 1e-13);
    }
}

TEST(SingularValues, NeitherOverflowNorVanish) {
    for (const double size : {1e-300, 1e300}) {
        DenseMatrix matrix(2, 2);
        matrix(0, 0) = 3 * size;
        matrix(1, 0) = 4 * size;
        matrix(0, 1) = -4 * size;
        matrix(1, 1) = 3 * size;
        for (const double value : singular_values(matrix).values)
            EXPECT_NEAR(value / size, 5, 1e-14);
    }
}

TEST(PseudoInverse, IsThatOfEigenForEveryRank) {
    Numbers numbers;
    for (const auto& [rows, columns] : shapes)
        for (Index rank = 1; rank <= std::min(rows, columns); ++rank) {
            const DenseMatrix matrix = numbers.matrix(rows, columns, rank),
                              expected = inverse_of_eigen(matrix, 1e-12);
            const double size = norm(expected), condition = size * norm(matrix);
            EXPECT_LT(distance(pseudo_inverse(matrix, 1e-12), expected), 1e-13 * condition * size)
                << rows << " x " << columns << " of rank " << rank;
            EXPECT_LT(distance(pseudo_inverse(matrix), expected), 1e-13 * condition * size)
                << rows << " x " << columns << " of rank " << rank;
        }
    for (const double entry : pseudo_inverse(DenseMatrix(3, 2), 1e-3).entries) EXPECT_EQ(entry, 0);
}

// Which directions are left out: values 1, 1e-2 and 1e-4.
TEST(PseudoInverse, LeavesOutWhatIsNegligible) {
    Numbers numbers;
    const SingularValues svd = of_eigen(numbers.matrix(6, 3));
    const DenseMatrix matrix = svd.left * diagonal({1, 1e-2, 1e-4}) * transposed(svd.right);
    for (const auto& [negligible, largest] :
         {std::pair{1e-5, 1e4}, {0.99e-4, 1e4}, {1.01e-4, 1e2}, {1e-3, 1e2}, {0.1, 1.0}}) {
        const DenseMatrix inverse = pseudo_inverse(matrix, negligible);
        EXPECT_NEAR(singular_values(inverse).values[0], largest, 1e-10 * largest);
        EXPECT_LT(distance(inverse, inverse_of_eigen(matrix, negligible)), 1e-10 * largest);
    }
}

// Columns of norms from 1 to 1e-9 all count, but none that is as good as zero.
TEST(PseudoInverse, SeesShortColumnsInTheirOwnUnits) {
    Numbers numbers;
    const DenseMatrix unit = of_eigen(numbers.matrix(7, 4)).left,
                      matrix = unit * diagonal({1, 1e-3, 1e-9, 1e-15});
    const std::vector<double> least(4, 1e-12);
    const PseudoInverse inverse = column_scaled_inverse(matrix, least, 1e-2);
    EXPECT_EQ(inverse.rank, 3u);
    const DenseMatrix product = inverse.matrix * matrix;
    for (Index i = 0; i < 4; ++i)
        for (Index j = 0; j < 4; ++j)
            EXPECT_NEAR(product(i, j), i == j && i < 3 ? 1 : 0, 1e-5) << i << " " << j;
    EXPECT_EQ(ranked_inverse(matrix, 1e-2).rank, 1u);
}

// By a bound that depends on the direction.
TEST(PseudoInverse, LeavesOutDirectionsBelowTheirLeastValue) {
    const DenseMatrix matrix = diagonal({1, 1e-4, 1e-5});
    const PseudoInverse inverse = ranked_inverse(matrix, [](std::span<const double> direction) {
        return std::abs(direction[1]) > 0.5 ? 1e-3 : 1e-6;
    });
    EXPECT_EQ(inverse.rank, 2u);
    EXPECT_LT(distance(inverse.matrix, diagonal({1, 0, 1e5})), 1e-9);
}

TEST(ScaledSolution, IsOfLeastNormInTheScaleOfTheDiagonal) {
    Numbers numbers;
    for (Index n = 1; n <= 6; ++n)
        for (Index rank = 1; rank <= n; ++rank) {
            const DenseMatrix half = numbers.matrix(n, n, rank);
            std::vector<double> size(n), scale(n), rhs(n);
            for (Index i = 0; i < n; ++i) size[i] = std::pow(10.0, -double(i));
            const DenseMatrix matrix = diagonal(size) * half * transposed(half) * diagonal(size);
            for (Index i = 0; i < n; ++i) {
                scale[i] = 1 / std::sqrt(matrix(i, i));
                for (Index j = 0; j < n; ++j) rhs[i] += matrix(i, j);
            }
            DenseMatrix scaled_rhs(n, 1);
            for (Index i = 0; i < n; ++i) scaled_rhs(i, 0) = scale[i] * rhs[i];
            const DenseMatrix inverse = inverse_of_eigen(diagonal(scale) * matrix * diagonal(scale),
                                                         1e-11),
                              expected = inverse * scaled_rhs;
            const std::vector<double> x = scaled_solution(matrix, rhs, 1e-11);
            for (Index i = 0; i < n; ++i)
                EXPECT_NEAR(x[i] / scale[i], expected(i, 0), 1e-13 * norm(inverse) * norm(expected))
                    << n << " " << rank;
        }
}

// A fit of a constant and linear functions to such a function gives it back.
TEST(LinearFit, IsExactForWhatItIsOf) {
    Numbers numbers;
    const DenseMatrix functions = numbers.matrix(9, 3);
    std::vector<double> weight(9);
    for (double& one : weight) one = 0.1 + std::abs(numbers.next());
    const DenseMatrix rows = linear_fit(weight, functions, 1e-2, 1e3);
    const double factor[] = {0.7, -1.2, 2.0, 0.4};
    for (Index row = 0; row < 4; ++row) {
        double found = 0;
        for (Index i = 0; i < 9; ++i) {
            double value = factor[0];
            for (Index j = 0; j < 3; ++j) value += factor[j + 1] * functions(i, j);
            found += rows(row, i) * value;
        }
        EXPECT_NEAR(found, factor[row], 1e-12);
    }
}
TEST(LinearFit, KeepsTheMagnitudesOfTheConstantsRow) {
    Numbers numbers;
    DenseMatrix functions = numbers.matrix(5, 1);
    for (double& value : functions.entries) value = 100 + 0.5 * value;  // far away
    const std::vector<double> weight(5, 1.0);
    for (const double most : {2.0, 6.0}) {
        const DenseMatrix rows = linear_fit(weight, functions, 1e-2, most);
        double sum = 0, magnitude = 0;
        for (Index i = 0; i < 5; ++i) {
            sum += rows(0, i);
            magnitude += std::abs(rows(0, i));
        }
        EXPECT_NEAR(sum, 1, 1e-12);
        EXPECT_LE(magnitude, most * (1 + 1e-12));
        EXPECT_GT(magnitude, 1.01);
    }
}

// Values over points pressed to a line that is oblique to both functions: exact in the axes along
// and across, where points on the line itself tell as little as before.
TEST(LinearFit, SeesAThinDirectionInItsAxes) {
    Numbers numbers;
    const double c = std::cos(0.5), s = std::sin(0.5);
    DenseMatrix axes(2, 2);
    axes(0, 0) = axes(1, 1) = c;
    axes(1, 0) = s;
    axes(0, 1) = -s;
    const DenseMatrix points = numbers.matrix(8, 2);
    const std::vector<double> weight(8, 1.0);
    for (const double height : {1e-5, 0.0}) {
        const DenseMatrix functions = points * diagonal({1, height}) * transposed(axes),
                          rows = linear_fit(weight, functions, axes, 1e-2, 1e3);
        const auto found = [&](Index row, Index axis) {
            double sum = 0;
            for (Index i = 0; i < 8; ++i) sum += rows(row, i) * points(i, axis);
            return sum;
        };
        // of values that are 1 along the axis, and 1 / height across
        EXPECT_NEAR(found(0, 0), 0, 1e-12);
        EXPECT_NEAR(c * found(1, 0) + s * found(2, 0), 1, 1e-11);
        if (height == 0) {
            EXPECT_EQ(distance(rows, linear_fit(weight, functions, 1e-2, 1e3)), 0);
            continue;
        }
        EXPECT_NEAR(found(0, 1), 0, 1e-10);
        EXPECT_NEAR(height * (c * found(2, 1) - s * found(1, 1)), 1, 1e-10);
        EXPECT_GT(std::abs(linear_fit(weight, functions, 1e-2, 1e3)(1, 0) - rows(1, 0)), 1);
    }
}

}  // namespace
}  // namespace solenoid
