// Products, reductions and expressions of every kind of matrix and vector, against Eigen's.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algebra/sample_matrices.hpp"

namespace solenoid::algebra::products_test {
namespace {

using test::times;

void expect_products(const Context& algebra, const Matrix& a, const DenseMatrix& exact,
                     double epsilon) {
    ASSERT_EQ(a.rows(), exact.rows());
    ASSERT_EQ(a.columns(), exact.cols());
    const int m = static_cast<int>(exact.rows()), n = static_cast<int>(exact.cols());
    const DenseVector of_x = random_vector(n, 5), of_b = random_vector(m, 6);
    const Vector x = vector_of(algebra, of_x), b = vector_of(algebra, of_b);
    const DenseVector ax = times(exact, of_x), most = times(exact.cwiseAbs(), of_x.cwiseAbs()),
                      most_with = most + 2 * of_b.cwiseAbs();
    Vector y = a * x;
    expect_close(y, ax, most, n, epsilon);
    y = a * x + b;
    expect_close(y, ax + of_b, most_with, n, epsilon);
    y = a * x - b;
    expect_close(y, ax - of_b, most_with, n, epsilon);
    y = b - a * x;
    expect_close(y, of_b - ax, most_with, n, epsilon);
    const Scalar two = algebra.scalar(2);
    y = a * x - two * b;  // a factor of the device
    expect_close(y, ax - 2 * of_b, most_with, n, epsilon);
    y = b;
    y = a * x + y;  // onto an operand
    expect_close(y, ax + of_b, most_with, n, epsilon);

    const DenseMatrix t = exact.transpose();
    const DenseVector tb = times(t, of_b), most_t = times(t.cwiseAbs(), of_b.cwiseAbs());
    for (int repeat = 0; repeat < 2; ++repeat) {  // the transpose is made once
        Vector z = a.transposed() * b;
        expect_close(z, tb, most_t, m, epsilon);
        z = x - a.transposed() * b;
        expect_close(z, of_x - tb, most_t + of_x.cwiseAbs(), m, epsilon);
    }
    if (m == n) {
        Vector z = x;
        z = a * z;
        expect_close(z, ax, most, n, epsilon);
    }
}

TEST(Algebra, DenseProducts) {
    on_all_devices([](const Context& algebra, double epsilon) {
        for (const auto& [m, n] : {std::pair(13, 9), {24, 24}, {2, 3}}) {
            const DenseMatrix a = random_matrix(m, n, 1);
            expect_products(algebra, dense_of(algebra, a), a, epsilon);
        }
    });
}

TEST(Algebra, BandedProducts) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const auto expect_banded = [&](int m, int n, const std::vector<std::int64_t>& offsets,
                                       bool shares) {
            const DenseMatrix a = with_diagonals(random_matrix(m, n, 2), offsets);
            expect_products(algebra, banded_of(algebra, a, offsets, shares), a, epsilon);
        };
        expect_banded(40, 40, {-6, -1, 0, 1, 6}, false);
        expect_banded(20, 12, {-15, -3, 0, 2, 11}, true);
        expect_banded(19, 19, {0, 1, -18, -1, 18, 5, -14, 7}, true);  // opposing ones, 19 apart
        expect_banded(3, 3, {-2, -1, 0, 1, 2}, true);                 // all: no space is wasted
    });
}

void expect_sparse_products(const Context& algebra, SparseForm form, double epsilon) {
    SCOPED_TRACE(static_cast<int>(form));
    for (const auto& [m, n] : {std::pair(50, 50), {70, 40}}) {
        const DenseMatrix a = random_sparse(m, n, 3);
        expect_products(algebra, sparse_of(algebra, a, form), a, epsilon);
    }
    const DenseMatrix none = DenseMatrix::Zero(3, 3);
    expect_products(algebra, sparse_of(algebra, none, form), none, epsilon);
}

TEST(Algebra, SparseProducts) {
    on_all_devices([](const Context& algebra, double epsilon) {
        for (const SparseForm form : {SparseForm::rows, SparseForm::batches})
            expect_sparse_products(algebra, form, epsilon);
    });
}

// Of the fragment device alone: by blended points in single precision.
TEST(Algebra, SparseProductsByPoints) {
    for (const bool is_double : {true, false})
        if (!is_double || world().size() == 1)
            expect_sparse_products(context_on("fragment", is_double), SparseForm::points,
                                   is_double ? std::numeric_limits<double>::epsilon()
                                             : std::numeric_limits<float>::epsilon());
}

// Kinds meet in one expression, and vectors do not know of which kind what made them is.
TEST(Algebra, KindsOfMatricesMeet) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 30;
        const DenseMatrix d = random_matrix(n, n, 1), s = random_sparse(n, n, 2),
                          b = with_diagonals(random_matrix(n, n, 3), {-2, 0, 5});
        const DenseVector of_x = random_vector(n, 4);
        const std::vector<Matrix> kinds{dense_of(algebra, d), banded_of(algebra, b, {-2, 0, 5}),
                                        sparse_of(algebra, s)};
        Vector x = vector_of(algebra, of_x);
        for (const Matrix& a : kinds) x = a * x;
        expect_close(x, times(s, times(b, times(d, of_x))),
                     times(s.cwiseAbs(), times(b.cwiseAbs(), times(d.cwiseAbs(), of_x.cwiseAbs()))),
                     3 * n, epsilon);
    });
}

// On ranks too: what asynchronous devices sum up goes over the ranks in ways of its own.
TEST(Algebra, Reductions) {
    on_all_devices(
        [](const Context& algebra, double epsilon) {
            for (const int n : {1, 3, 500, 40000}) {
                const DenseVector of_x = random_vector(n, 7), of_y = random_vector(n, 8);
                const Vector x = vector_of(algebra, of_x), y = vector_of(algebra, of_y);
                const double sums = 40 * epsilon, most = of_x.cwiseAbs().sum();
                EXPECT_NEAR(sum(x).value(), of_x.sum(), sums * most);
                EXPECT_NEAR(dot(x, y).value(), of_x.dot(of_y),
                            sums * of_x.cwiseAbs().dot(of_y.cwiseAbs()));
                EXPECT_NEAR(norm(x).value(), of_x.norm(), sums * of_x.norm());
                EXPECT_NEAR(sum_of_magnitudes(x).value(), most, sums * most);
                EXPECT_EQ(greatest_magnitude(x).value(), of_x.cwiseAbs().maxCoeff());
                EXPECT_EQ(greatest(x).value(), of_x.maxCoeff());
                EXPECT_EQ(least(x).value(), of_x.minCoeff());
            }
        },
        true);
}

TEST(Algebra, VectorsAndScalars) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 100;
        const DenseVector of_x = random_vector(n, 9), of_y = random_vector(n, 10);
        const Vector x = vector_of(algebra, of_x), y = vector_of(algebra, of_y);
        const Scalar three = algebra.scalar(3), half = algebra.scalar(0.5);
        const DenseVector most = 9 * (of_x.cwiseAbs() + of_y.cwiseAbs());
        const auto expect = [&](const Vector& found, const DenseVector& exact) {
            expect_close(found, exact, most, 4, epsilon);
        };
        expect(x + y, of_x + of_y);
        expect(x - y, of_x - of_y);
        expect(three * x - half * y, 3 * of_x - 0.5 * of_y);
        expect(2 * x, 2 * of_x);
        expect(three * x, 3 * of_x);
        Vector z = x;
        z = z + three * y;
        expect(z, of_x + 3 * of_y);
        z = y - three * z;  // the second operand
        expect(z, of_y - 3 * (of_x + 3 * of_y));
        z = x;
        z = 2 * z - half * z;  // both
        expect(z, 1.5 * of_x);
        z = three * z;
        expect(z, 4.5 * of_x);
        z = x;
        z += half * y;
        z -= 3 * x;
        expect(z, -2 * of_x + 0.5 * of_y);
        z = x;
        z *= y;
        expect(z, of_x.cwiseProduct(of_y));
        z /= y;
        expect_close(z, of_x, of_x.cwiseAbs(), 4, epsilon);
        Vector w = x;
        std::swap(w, z);
        expect(w, of_x);
        expect(z, of_x);
        z = 2 * x;
        std::swap(w, z);
        expect(w, 2 * of_x);
        w = x;
        z.fill(0);
        w /= z;  // by zero
        expect(w, DenseVector::Zero(n));

        EXPECT_EQ((three + half).value(), 3.5);
        EXPECT_EQ((three - half).value(), 2.5);
        EXPECT_EQ((three * half).value(), 1.5);
        EXPECT_EQ((three / half).value(), 6);
        EXPECT_EQ((three / algebra.scalar(0)).value(), 0);
        EXPECT_EQ(sqrt(algebra.scalar(6.25)).value(), 2.5);
        EXPECT_EQ(least(three, half).value(), 0.5);

        const RowRange mine = algebra.rows(n);
        std::vector<double> numbers;
        for (std::int64_t i = mine.begin; i < mine.end; ++i) numbers.push_back(0.25 * double(i));
        z.pack(numbers);
        EXPECT_EQ(z.unpack(), numbers);
        EXPECT_EQ(eigen_of(z), DenseVector::LinSpaced(n, 0, 0.25 * (n - 1)));
        EXPECT_EQ(eigen_of(algebra.vector(n)), DenseVector::Zero(n));  // of the pool, and zero
    });
}

// A buffer that nobody holds is handed out again: after one round none is allocated.
TEST(Algebra, TemporariesAreReused) {
    on_all_devices([](const Context& algebra, double) {
        const int n = 308;  // no other test has vectors of this size
        const DenseMatrix of_a = random_matrix(n, n, 1);
        const Matrix a = dense_of(algebra, of_a);
        Vector x = vector_of(algebra, random_vector(n, 2));
        const auto round = [&] {
            const Vector y = a * x, z = a.transposed() * y;
            const Scalar alpha = dot(x, x) / dot(y, z) + greatest_magnitude(z);
            x = a * x - alpha * z;
            x = (algebra.scalar(1) / norm(x)) * x;
        };
        const PoolCounts before = algebra.pool();
        round();
        const PoolCounts first = algebra.pool();
        EXPECT_GE(first.allocations, before.allocations + 3);
        EXPECT_EQ(first.in_use, before.in_use);
        const std::size_t taken =
            first.allocations + first.reuses - before.allocations - before.reuses;
        for (int k = 0; k < 10; ++k) round();
        const PoolCounts last = algebra.pool();
        EXPECT_EQ(last.allocations, first.allocations);
        EXPECT_EQ(last.reuses - first.reuses, 10 * taken);
        EXPECT_EQ(last.in_use, before.in_use);
    });
}

TEST(Algebra, ExtremesAreNoNumberWhereAnEntryIsNone) {
    on_all_devices([](const Context& algebra, double) {
        const int n = 50000;  // several entries a part
        for (const int at : {0, n / 2, n - 1}) {
            const Vector x = algebra.vector(n, [=](std::int64_t i) {
                return i == at ? std::numeric_limits<double>::quiet_NaN() : double(i % 100) - 50;
            });
            EXPECT_TRUE(std::isnan(greatest(x).value())) << at;
            EXPECT_TRUE(std::isnan(least(x).value())) << at;
            EXPECT_TRUE(std::isnan(greatest_magnitude(x).value())) << at;
        }
        EXPECT_EQ(greatest_magnitude(algebra.vector(0)).value(), 0);
    });
}

TEST(Algebra, AVectorMovedFromMayBeAssigned) {
    on_all_devices([](const Context& algebra, double) {
        const int n = 20;
        const Matrix a = algebra.banded(n, n, {{0, [](std::int64_t) { return 3.0; }}});
        const Vector x = algebra.vector(n, [](std::int64_t i) { return double(i); });
        const auto take = [](Vector& from) { const Vector taken = std::move(from); };
        const auto moved = [&] {
            Vector gone = x;
            take(gone);
            return gone;
        };
        const auto first = [](const Vector& y) { return eigen_of(y)[1]; };
        Vector product = moved(), sum = moved(), scaled = moved(), rest = moved(), copy = moved();
        product = a * x;
        sum = x + x;
        scaled = 5.0 * x;
        rest = x - a * x;
        copy = x;
        EXPECT_EQ(first(product), 3);
        EXPECT_EQ(first(sum), 2);
        EXPECT_EQ(first(scaled), 5);
        EXPECT_EQ(first(rest), -2);
        EXPECT_EQ(first(copy), 1);
    });
}

// A product whose x is assigned reads the x before.
TEST(Algebra, WhatIsAssignedMayStandOnTheRight) {
    on_all_devices([](const Context& algebra, double) {
        const int n = 30;
        const DenseMatrix dense = with_diagonals(DenseMatrix::Ones(n, n), {-2, 0, 1});
        const Matrix a = banded_of(algebra, dense, {-2, 0, 1});
        const DenseVector of_x = DenseVector::LinSpaced(n, 0, n - 1), of_b = of_x.reverse();
        const Vector b = vector_of(algebra, of_b);
        Vector x = vector_of(algebra, of_x);
        x = a * x + b;
        EXPECT_EQ(eigen_of(x), times(dense, of_x) + of_b);
        x = vector_of(algebra, of_x);
        x = b - a * x;
        EXPECT_EQ(eigen_of(x), of_b - times(dense, of_x));
        x = vector_of(algebra, of_x);
        x = a.transposed() * x;
        EXPECT_EQ(eigen_of(x), test::transposed_times(dense, of_x));
        x = vector_of(algebra, of_x);
        x = a * b + x;
        EXPECT_EQ(eigen_of(x), times(dense, of_b) + of_x);
    });
}

}  // namespace
}  // namespace solenoid::algebra::products_test
