// Scalars, vectors and matrices of every kind on every device, in both precisions and on any number
// of ranks, against Eigen's.
#include "algebra/algebra.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <functional>
#include <limits>
#include <map>
#include <numbers>
#include <random>

#include "algebra/space.hpp"
#include "support/devices.hpp"

namespace solenoid::algebra {
namespace {

using DenseMatrix = Eigen::MatrixXd;
using DenseVector = Eigen::VectorXd;

const Communicator& world() {
    static const Communicator comm = Communicator::world();
    return comm;
}

// One for all tests: a device compiles its kernels once.
const Context& context_on(const std::string& device, bool is_double) {
    // never destroyed: MPI ends before statics do
    static auto& devices = *new std::map<std::string, std::shared_ptr<Device>>;
    static auto& contexts = *new std::map<std::pair<std::string, bool>, Context>;
    if (!devices.contains(device)) devices[device] = test::make_device(device);
    const std::pair key(device, is_double);
    if (!contexts.contains(key))
        contexts.emplace(key, Context(make_space(world(), devices[device], is_double)));
    return contexts.at(key);
}

// What a test runs on: all devices, in double and single precision; on several ranks in single
// precision where it is computed otherwise, by blended points.
void on_all_devices(const std::function<void(const Context& algebra, double epsilon)>& test) {
    for (const std::string& name : test::device_names())
        for (const bool is_double : {true, false}) {
            if (world().size() > 1 && !is_double && name != "fragment") continue;
            SCOPED_TRACE(name + (is_double ? " double" : " single"));
            test(context_on(name, is_double), is_double ? std::numeric_limits<double>::epsilon()
                                                        : std::numeric_limits<float>::epsilon());
        }
}

// Numbers that floats hold exactly, so that both precisions start from the same ones.
DenseMatrix random_matrix(int rows, int columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<float> number(-1, 1);
    DenseMatrix a(rows, columns);
    for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) a(i, j) = number(generator);
    return a;
}
DenseVector random_vector(int size, unsigned seed) { return random_matrix(size, 1, seed); }

// With rows of many lengths, none and more than 32 among them.
DenseMatrix random_sparse(int rows, int columns, unsigned seed) {
    DenseMatrix a = random_matrix(rows, columns, seed);
    std::mt19937 generator(seed + 1);
    for (int i = 0; i < rows; ++i) {
        const int kept = i % 5 == 3 ? 0 : i % 7 == 0 ? columns : i % 6 + 1;
        std::vector<int> order(columns);
        for (int j = 0; j < columns; ++j) order[j] = j;
        std::shuffle(order.begin(), order.end(), generator);
        for (int j = kept; j < columns; ++j) a(i, order[j]) = 0;
    }
    return a;
}

DenseMatrix with_diagonals(const DenseMatrix& a, const std::vector<std::int64_t>& offsets) {
    DenseMatrix banded = DenseMatrix::Zero(a.rows(), a.cols());
    for (const std::int64_t offset : offsets)
        for (int i = 0; i < a.rows(); ++i)
            if (i + offset >= 0 && i + offset < a.cols()) banded(i, i + offset) = a(i, i + offset);
    return banded;
}

Vector vector_of(const Context& algebra, const DenseVector& x) {
    return algebra.vector(x.size(), [&](std::int64_t i) { return x[i]; });
}
Matrix dense_of(const Context& algebra, const DenseMatrix& a) {
    return algebra.dense(a.rows(), a.cols(),
                         [&](std::int64_t i, std::int64_t j) { return a(i, j); });
}
Matrix banded_of(const Context& algebra, const DenseMatrix& a,
                 const std::vector<std::int64_t>& offsets, bool shares = true) {
    std::vector<Diagonal> diagonals;
    for (const std::int64_t offset : offsets)
        diagonals.push_back({offset, [&a, offset](std::int64_t i) { return a(i, i + offset); }});
    return algebra.banded(a.rows(), a.cols(), diagonals, shares);
}
// Entries of the first column are given in two halves.
Matrix sparse_of(const Context& algebra, const DenseMatrix& a, SparseForm form = SparseForm::rows) {
    SparseRows rows;
    const RowRange mine = algebra.rows(a.rows());
    for (std::int64_t i = mine.begin; i < mine.end; ++i) {
        for (int j = static_cast<int>(a.cols()) - 1; j >= 0; --j) {
            if (a(i, j) == 0) continue;
            rows.append(j, j == 0 ? a(i, j) / 2 : a(i, j));
            if (j == 0) rows.append(j, a(i, j) / 2);
        }
        rows.end_row();
    }
    return algebra.sparse(a.rows(), a.cols(), rows, form);
}

DenseVector eigen_of(const Vector& x) {
    const std::vector<double> all = x.unpack_all();
    return DenseVector::Map(all.data(), static_cast<Eigen::Index>(all.size()));
}

// What rounding of sums of so many terms may make of each entry.
void expect_close(const Vector& found, const DenseVector& exact, const DenseVector& magnitude,
                  double terms, double epsilon) {
    const DenseVector values = eigen_of(found);
    ASSERT_EQ(values.size(), exact.size());
    for (Eigen::Index i = 0; i < exact.size(); ++i)
        EXPECT_NEAR(values[i], exact[i], (terms + 4) * epsilon * magnitude[i]) << "row " << i;
}

void expect_products(const Context& algebra, const Matrix& a, const DenseMatrix& exact,
                     double epsilon) {
    ASSERT_EQ(a.rows(), exact.rows());
    ASSERT_EQ(a.columns(), exact.cols());
    const int m = static_cast<int>(exact.rows()), n = static_cast<int>(exact.cols());
    const DenseVector of_x = random_vector(n, 5), of_b = random_vector(m, 6);
    const Vector x = vector_of(algebra, of_x), b = vector_of(algebra, of_b);
    const DenseVector ax = exact * of_x, most = exact.cwiseAbs() * of_x.cwiseAbs(),
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
    const DenseVector tb = t * of_b, most_t = t.cwiseAbs() * of_b.cwiseAbs();
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

TEST(Algebra, SparseProducts) {
    on_all_devices([](const Context& algebra, double epsilon) {
        for (const SparseForm form : {SparseForm::rows, SparseForm::batches, SparseForm::points}) {
            if (form == SparseForm::points && !algebra.device().starts_with("fragment")) continue;
            SCOPED_TRACE(static_cast<int>(form));
            for (const auto& [m, n] : {std::pair(50, 50), {70, 40}}) {
                const DenseMatrix a = random_sparse(m, n, 3);
                expect_products(algebra, sparse_of(algebra, a, form), a, epsilon);
            }
            const DenseMatrix none = DenseMatrix::Zero(3, 3);
            expect_products(algebra, sparse_of(algebra, none, form), none, epsilon);
        }
    });
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
        expect_close(x, s * (b * (d * of_x)),
                     s.cwiseAbs() * (b.cwiseAbs() * (d.cwiseAbs() * of_x.cwiseAbs())), 3 * n,
                     epsilon);
    });
}

TEST(Algebra, Reductions) {
    on_all_devices([](const Context& algebra, double epsilon) {
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
    });
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
        const DenseMatrix dense = g * g.transpose() / n + 2 * DenseMatrix::Identity(n, n),
                          sparse = s * s.transpose() / n + 2 * DenseMatrix::Identity(n, n);
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
            const DenseVector solution = exact.ldlt().solve(of_b);
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
            const DenseVector solution = exact.colPivHouseholderQr().solve(of_b);
            const auto values = exact.jacobiSvd().singularValues();
            const double condition = values[0] / values[n - 1];
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
        EXPECT_EQ(eigen_of(x), dense * of_x + of_b);
        x = vector_of(algebra, of_x);
        x = b - a * x;
        EXPECT_EQ(eigen_of(x), of_b - dense * of_x);
        x = vector_of(algebra, of_x);
        x = a.transposed() * x;
        EXPECT_EQ(eigen_of(x), dense.transpose() * of_x);
        x = vector_of(algebra, of_x);
        x = a * b + x;
        EXPECT_EQ(eigen_of(x), dense * of_b + of_x);
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

template <class E>
std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const E& error) {
        return error.what();
    }
    return "nothing";
}

TEST(Algebra, TellsWhatDoesNotFit) {
    const Context& algebra = context_on("cpu", true);
    const int n = 10;
    const Matrix a = dense_of(algebra, DenseMatrix::Identity(n, n)),
                 wide = dense_of(algebra, DenseMatrix::Zero(3, n));
    Vector x = algebra.vector(n), y = algebra.vector(n + 1);
    const auto refusal = message_of<InputError>;
    EXPECT_EQ(refusal([&] { x = x + y; }),
              "vectors of 10 and 11 numbers do not meet: both must have one size");
    EXPECT_EQ(refusal([&] { (void)dot(x, y); }),
              "vectors of 10 and 11 numbers do not meet: both must have one size");
    EXPECT_EQ(refusal([&] { x = a * y; }),
              "a matrix of 10 x 10 does not multiply a vector of 11 numbers: 10 are needed");
    EXPECT_EQ(refusal([&] { x = wide.transposed() * x; }),
              "a transposed matrix of 3 x 10 does not multiply a vector of 10 numbers: 3 are "
              "needed");
    EXPECT_EQ(refusal([&] { x = wide * x; }), "a product of 3 rows is no vector of 10 numbers");
    EXPECT_EQ(refusal([&] { x = wide * x + x; }), "a product of 3 rows is no vector of 10 numbers");
    EXPECT_EQ(refusal([&] { (void)algebra.vector(-1); }),
              "the size of a vector must be from 0 to 2147483647, found -1");
    EXPECT_NE(refusal([&] { x.pack(std::vector<double>(n + 1)); }).find("was given 11 numbers"),
              std::string::npos);
    const auto one = [](std::int64_t) { return 1.0; };
    EXPECT_EQ(refusal([&] {
                  (void)algebra.banded(n, n, {{n, one}});
              }),
              "a matrix of 10 x 10 has diagonals from -9 to 9, none at 10");
    EXPECT_EQ(refusal([&] {
                  (void)algebra.banded(n, n, {{2, one}, {2, one}});
              }),
              "the diagonal at 2 is given twice");
    const Context& other = context_on("cpu", false);
    Vector of_other = other.vector(n);
    EXPECT_EQ(refusal([&] { x = of_other + x; }), "two vectors of different contexts do not meet");
    EXPECT_EQ(refusal([&] { x += other.scalar(2) * x; }),
              "a scalar and a vector of different contexts do not meet");
    EXPECT_EQ(refusal([&] { (void)(other.scalar(2) / algebra.scalar(3)); }),
              "two scalars of different contexts do not meet");
    EXPECT_EQ(refusal([&] { x = a * of_other; }),
              "a matrix and a vector of different contexts do not meet");
    EXPECT_EQ(refusal([&] { (void)conjugate_gradients(wide, x, x); }),
              "a matrix of 3 x 10 needs a right-hand side of 3 numbers and a solution of 10, found "
              "10 and 10");
    EXPECT_EQ(refusal([&] {
                  (void)conjugate_gradients(a, x, x, {.iterations_a_look = 0});
              }).substr(0, 18),
              "limits of a solve:");
    EXPECT_NE(refusal([&] {
                  Context(world(), {.device = "cpu", .precision = "half"});
              }).find("choose \"double\" or \"single\""),
              std::string::npos);
    EXPECT_NE(refusal([&] { Context(world(), {.device = "abacus"}); }).find("abacus"),
              std::string::npos);
    EXPECT_EQ(
        refusal([&] { (void)sparse_of(algebra, DenseMatrix::Identity(n, n), SparseForm::points); }),
        "the device cpu draws no points: choose the device fragment, or the form rows or "
        "batches");
}

// One rank's rows alone are wrong, and all ranks are told.
TEST(Algebra, TellsOfRowsThatAreWrong) {
    const Context& algebra = context_on("cpu", true);
    const int n = 10;
    SparseRows rows;
    const RowRange mine = algebra.rows(n);
    for (std::int64_t i = mine.begin; i < mine.end; ++i) {
        rows.append(i == 7 ? 10 : i, 1);
        rows.end_row();
    }
    const auto make = [&] { (void)algebra.sparse(n, n, rows); };
    EXPECT_EQ(message_of<InputError>(make),
              "sparse rows: row 7 names the column 10, there are 0 to 9");
    for (std::int64_t& column : rows.columns)
        if (column == 10) column = -1;
    EXPECT_EQ(message_of<InputError>(make),
              "sparse rows: row 7 names the column -1, there are 0 to 9");
    for (std::int64_t& column : rows.columns) column = std::max<std::int64_t>(column, 0);
    EXPECT_EQ(message_of<InputError>(make), "nothing");
    if (world().is_root()) rows.end_row();
    EXPECT_NE(message_of<InputError>(make).find("sparse rows of rank 0: "), std::string::npos);
}

TEST(Algebra, TellsOfAMatrixThatIsNotPositiveDefinite) {
    on_all_devices([](const Context& algebra, double) {
        const int n = 30;
        const Vector b = vector_of(algebra, random_vector(n, 3));
        const auto solve = [&](double corner) {
            DenseMatrix a = DenseMatrix::Identity(n, n);
            for (int i = 0; i < n; ++i) a(i, i) = 1 + i;
            a(n - 1, n - 1) = corner;
            Vector x = algebra.vector(n);
            return message_of<ComputationError>(
                [&] { (void)conjugate_gradients(dense_of(algebra, a), b, x); });
        };
        EXPECT_EQ(solve(5).substr(0, 7), "nothing");
        EXPECT_EQ(solve(-1e4).substr(0, 35), "the matrix is not positive definite");
        EXPECT_NE(solve(std::numeric_limits<double>::quiet_NaN()).find("not finite"),
                  std::string::npos);

        // p . A p is 110, 15, -170, 39 and 3.6 until the host looks
        const int m = 40;
        const Matrix indefinite = algebra.banded(
            m, m, {{0, [](std::int64_t i) { return (i == 3 ? -0.5 : 1) * double(1 + i % 5); }}});
        const Vector ones = algebra.vector(m, [](std::int64_t) { return 1.0; });
        Vector x = algebra.vector(m);
        EXPECT_EQ(message_of<ComputationError>([&] {
                      (void)conjugate_gradients(indefinite, ones, x, {.iterations_a_look = 5});
                  }).substr(0, 35),
                  "the matrix is not positive definite");
    });
}

}  // namespace
}  // namespace solenoid::algebra
