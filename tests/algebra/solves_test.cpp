// Conjugate gradients, least squares and time steps, against Eigen's and closed forms.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "algebra/sample_matrices.hpp"

namespace solenoid::algebra::solves_test {
namespace {

// Listing 44-1 in the public interface: the library's has the same steps.
TEST(Algebra, ConjugateGradientsOfTheListing) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 60;
        const Matrix a = algebra.banded(n, n,
                                        {{-1, [](std::int64_t) { return -1.0; }},
                                         {0, [](std::int64_t) { return 2.5; }},
                                         {1, [](std::int64_t) { return -1.0; }}});
        const Vector b = vector_of(algebra, random_vector(n, 3));
        Vector x = algebra.vector(n), y = x;

        Vector r = b - a * x, p = r, q = r;
        Scalar rho = dot(r, r);
        for (int i = 0; i < 16; ++i) {
            q = a * p;
            const Scalar alpha = rho / dot(p, q);
            x += alpha * p;
            r -= alpha * q;
            const Scalar next = dot(r, r);
            p = r + (next / rho) * p;
            rho = next;
        }

        const SolveOutcome outcome =
            conjugate_gradients(a, b, y, {.tolerance = 0, .most_iterations = 16});
        EXPECT_FALSE(outcome.has_converged);
        EXPECT_EQ(outcome.iterations, 16);
        EXPECT_EQ(eigen_of(x), eigen_of(y));
        EXPECT_LT((eigen_of(b - a * x)).norm(), std::max(1e-3, 1e3 * epsilon));
    });
}

TEST(Algebra, ConjugateGradientsSolve) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 45;
        const DenseMatrix g = random_matrix(n, n, 4), s = random_sparse(n, n, 5);
        const DenseMatrix dense =
                              test::product(g, g.transpose()) / n + 2 * DenseMatrix::Identity(n, n),
                          sparse =
                              test::product(s, s.transpose()) / n + 2 * DenseMatrix::Identity(n, n);
        DenseMatrix banded = 6 * DenseMatrix::Identity(n, n);
        for (const int offset : {1, 7})
            for (int i = 0; i + offset < n; ++i) banded(i, i + offset) = banded(i + offset, i) = -1;
        const std::vector<std::pair<Matrix, DenseMatrix>> systems{
            {dense_of(algebra, dense), dense},
            {sparse_of(algebra, sparse), sparse},
            {banded_of(algebra, banded, {-7, -1, 0, 1, 7}), banded}};
        const DenseVector of_b = random_vector(n, 6);
        for (const auto& [a, exact] : systems) {
            const double tolerance = 50 * epsilon;
            Vector x = algebra.vector(n, [](std::int64_t i) { return i % 2 ? 1.0 : -1.0; });
            const SolveOutcome outcome =
                conjugate_gradients(a, vector_of(algebra, of_b), x, {.tolerance = tolerance});
            EXPECT_TRUE(outcome.has_converged);
            EXPECT_LE(outcome.residual, tolerance);
            // A's condition is below 10
            const DenseVector solution = test::solve_positive(exact, of_b);
            EXPECT_LT((eigen_of(x) - solution).norm(), 500 * epsilon * solution.norm());
        }
        Vector x = algebra.vector(n);  // nothing to do
        const SolveOutcome none = conjugate_gradients(systems[0].first, algebra.vector(n), x);
        EXPECT_TRUE(none.has_converged);
        EXPECT_EQ(none.iterations, 0);
        EXPECT_EQ(eigen_of(x), DenseVector::Zero(n));
    });
}

TEST(Algebra, LeastSquares) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int m = 60, n = 12;
        const DenseMatrix dense = random_matrix(m, n, 7);
        DenseMatrix sparse = random_sparse(m, n, 8);
        for (int i = 0; i < m; ++i) sparse(i, i % n) += 3;
        const std::vector<std::int64_t> offsets{-40, -20, -7, 0, 3};
        const DenseMatrix banded = with_diagonals(random_matrix(m, n, 9), offsets);
        const std::vector<std::pair<Matrix, DenseMatrix>> systems{
            {dense_of(algebra, dense), dense},
            {sparse_of(algebra, sparse), sparse},
            {banded_of(algebra, banded, offsets), banded}};
        const DenseVector of_b = random_vector(m, 10);
        for (const auto& [a, exact] : systems) {
            const DenseVector solution = test::least_squares(exact, of_b);
            const DenseVector squares =  // of the singular values
                test::symmetric_eigenvalues(test::transposed_product(exact, exact));
            const double condition = std::sqrt(squares[n - 1] / squares[0]);
            const double tolerance = 100 * epsilon;
            Vector x = algebra.vector(n, [](std::int64_t i) { return 0.5 * double(i % 3); });
            const SolveOutcome outcome =
                least_squares(a, vector_of(algebra, of_b), x, {.tolerance = tolerance});
            EXPECT_TRUE(outcome.has_converged);
            EXPECT_LE(outcome.iterations, 4 * n);  // in exact arithmetic n, and some until a look
            EXPECT_LT((eigen_of(x) - solution).norm(),
                      10 * tolerance * condition * condition * solution.norm());
        }
    });
}

// Squares of these numbers are none of single precision, of the second ones none of double either.
TEST(Algebra, SolvesWithNumbersFarFromOne) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 50;
        const DenseVector of_b = random_vector(n, 4);
        const Matrix a =
            algebra.banded(n, n, {{0, [](std::int64_t i) { return 2 + double(i % 3); }}});
        for (const double size : {1e-24, 1e25, epsilon < 1e-10 ? 1e-200 : 1e-30}) {
            const Vector b = vector_of(algebra, size * of_b);
            for (const auto solve : {conjugate_gradients, least_squares}) {
                Vector x = algebra.vector(n, [&](std::int64_t) { return size; });
                const SolveOutcome outcome = solve(a, b, x, {.tolerance = 10 * epsilon});
                EXPECT_TRUE(outcome.has_converged) << size;
                EXPECT_GT(outcome.iterations, 0) << size;
                const DenseVector found = eigen_of(x);
                for (int i = 0; i < n; ++i)
                    ASSERT_NEAR(found[i] / size, of_b[i] / (2 + double(i % 3)), 100 * epsilon);
            }
        }
        Vector x = algebra.vector(n, [](std::int64_t) { return 1.0; });
        EXPECT_TRUE(conjugate_gradients(a, algebra.vector(n), x).has_converged);
        EXPECT_EQ(eigen_of(x).norm(), 0);
    });
}

// (-1, 2, -1) times small numbers, and right-hand sides down to 1e-12: p . A p is none of single
// precision. With the usual tolerance.
TEST(Algebra, SolvesWithASmallMatrixAndRightHandSide) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 50;
        for (const double small : {1e-6, 1e-16}) {
            const auto beside = [=](std::int64_t) { return -small; };
            const Matrix a = algebra.banded(
                n, n, {{-1, beside}, {0, [=](std::int64_t) { return 2 * small; }}, {1, beside}});
            for (const double size : {1e-12, 1e-11, 1e-9, 1e3}) {
                Vector x = algebra.vector(n);
                const Vector b = algebra.vector(n, [&](std::int64_t) { return size; });
                const SolveOutcome outcome = conjugate_gradients(a, b, x);
                EXPECT_TRUE(outcome.has_converged) << size;
                EXPECT_LE(outcome.residual, epsilon < 1e-10 ? 1e-10 : 1e-5);
                const DenseVector found = eigen_of(x);
                for (int i = 0; i < n; ++i)  // x'' = -1 by points
                    ASSERT_NEAR(found[i] / size * small, 0.5 * (i + 1) * (n - i),
                                330 * (epsilon < 1e-10 ? 1e-8 : 5e-3));
            }
        }
    });
}

// Waves as the study steps them, y'' = A y with -A's eigenvalue l, s = l dt^2, in a mode of a
// string: y_(n+1) + y_(n-1) = (2 - s) y_n explicitly, and (1 + s / 2) y_(n+1) + y_(n-1) =
// (2 - s / 2) y_n with the average of now and next. So y_(n+1) y_(n-1) - y_n^2 stays, and falls by
// 1 + s / 2 a step: the average damps.
TEST(Algebra, TheAverageOfNowAndNextDamps) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 40, steps = 25;
        const double r = 0.8, l = 4 * std::pow(std::sin(std::numbers::pi * 3 / (2 * (n + 1))), 2),
                     s = r * l;
        const auto three_points = [&](double diagonal, double beside) {
            const auto entry = [=](std::int64_t) { return beside; };
            return algebra.banded(
                n, n, {{-1, entry}, {0, [=](std::int64_t) { return diagonal; }}, {1, entry}});
        };
        const Matrix explicit_step = three_points(2 - 2 * r, r), left = three_points(1 + r, -r / 2),
                     right = three_points(2 - r, r / 2);
        const Vector mode = algebra.vector(n, [&](std::int64_t i) {
            return std::sin(std::numbers::pi * 3 * double(i + 1) / (n + 1));
        });
        const double square = dot(mode, mode).value();
        for (const bool is_implicit : {false, true}) {
            Vector before = 0.9 * mode, now = mode, next = mode;
            std::vector<double> y{0.9, 1};
            for (int k = 0; k < steps; ++k) {
                if (is_implicit) {
                    const Vector b = right * now - before;
                    conjugate_gradients(left, b, next,
                                        {.tolerance = 10 * epsilon, .iterations_a_look = 2});
                } else {
                    next = explicit_step * now - before;
                }
                std::swap(before, now);
                std::swap(now, next);
                y.push_back(dot(mode, now).value() / square);
            }
            const auto kept = [&](int k) { return y[k + 1] * y[k - 1] - y[k] * y[k]; };
            const double factor = is_implicit ? std::pow(1 + s / 2, 1 - steps) : 1;
            EXPECT_NEAR(kept(steps) / kept(1), factor, 1e5 * epsilon);
        }
    });
}

}  // namespace
}  // namespace solenoid::algebra::solves_test
