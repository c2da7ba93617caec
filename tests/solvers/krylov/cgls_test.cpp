// Conjugate gradients for least squares on dense systems, against a complete orthogonal
// decomposition.
#include "solvers/krylov/cgls.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/eigen_problems.hpp"

namespace solenoid::cgls_test {
namespace {

using test::Matrix;
using test::times;
using test::Vector;

struct Dense {
    const Matrix& a;
    double apply(const Vector& p, Vector& q) const { return (q = times(a, p)).squaredNorm(); }
    double apply_transposed(const Vector& r, Vector& s) const {
        return (s = test::transposed_times(a, r)).squaredNorm();
    }
    double subtract(Vector& r, double t, const Vector& q) const {
        return (r -= t * q).squaredNorm();
    }
    void start(Vector& x, Vector& p, const Vector& s) const {
        x = Vector::Zero(s.size());
        p = s;
    }
    void advance(Vector& x, double alpha, Vector& p, const Vector& s, double beta) const {
        x += alpha * p;
        p = s + beta * p;
    }
};

// Of rank `rank`, with singular values of [1, 2].
Matrix matrix_of(int rows, int columns, int rank) {
    Matrix u(rows, rank), v(columns, rank);
    for (int j = 0; j < rank; ++j) {
        for (int i = 0; i < rows; ++i) u(i, j) = std::sin(1 + 3.7 * i + 1.3 * i * j + j);
        for (int i = 0; i < columns; ++i) v(i, j) = std::cos(2 + 2.9 * i + 1.7 * i * j);
    }
    u = test::orthonormal(u);
    v = test::orthonormal(v);
    return test::product(u * Vector::LinSpaced(rank, 1, 2).asDiagonal(), v.transpose());
}

Vector right_hand_side(int rows) {
    Vector b(rows);
    for (int i = 0; i < rows; ++i) b[i] = std::sin(0.3 + i * i);
    return b;
}

struct Result {
    Vector x, r;
    CglsReport report;
};
Result solved(const Matrix& a, double target, int most) {
    Dense dense{a};
    Vector x, r = right_hand_side(int(a.rows())), q, s, p;
    const CglsReport report = cgls(dense, x, r, r.norm(), target, most, q, s, p);
    return {x, r, report};
}

// More equations than unknowns, fewer, and dependent ones: of all least squares that of least norm.
TEST(Cgls, FindsTheLeastSquaresOfLeastNorm) {
    for (const auto& [rows, columns, rank] :
         {std::tuple(30, 8, 8), {8, 30, 8}, {20, 15, 6}, {12, 12, 12}}) {
        const Matrix a = matrix_of(rows, columns, rank);
        const Vector b = right_hand_side(rows), expected = test::least_squares(a, b);
        const Result found = solved(a, 1e-13, rank);  // more would follow rounding
        EXPECT_LT((found.x - expected).norm(), 1e-10) << rows << " x " << columns;
        EXPECT_LT((found.r - (b - times(a, found.x))).norm(), 1e-13);
        EXPECT_NEAR(found.report.residual, found.r.norm(), 1e-15);
    }
}

// As many iterations as singular values that differ; and no more than it may.
TEST(Cgls, EndsWithTheSingularValues) {
    Matrix a = Matrix::Zero(12, 9);
    for (int i = 0; i < 9; ++i) a(i, i) = 1 + i % 3;
    const Vector b = right_hand_side(12);
    const double least = b.tail(3).norm();
    EXPECT_GT(solved(a, 0, 2).report.residual, 1.001 * least);
    EXPECT_EQ(solved(a, 0, 2).report.iterations, 2);
    EXPECT_NEAR(solved(a, 0, 3).report.residual, least, 1e-14);
    EXPECT_EQ(solved(a, 1e9, 3).report.iterations, 0);
}

}  // namespace
}  // namespace solenoid::cgls_test
