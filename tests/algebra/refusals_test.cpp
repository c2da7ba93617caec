// What the library says of operands that do not fit, and of matrices that it cannot solve.
#include <gtest/gtest.h>

#include <limits>

#include "algebra/sample_matrices.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::algebra::refusals_test {
namespace {

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
    // a product of another context's matrix and vector, in the other precision
    const Matrix a_of_other = dense_of(other, DenseMatrix::Identity(n, n));
    const auto meet = "two vectors of different contexts do not meet";
    EXPECT_EQ(refusal([&] { x = a_of_other * of_other; }), meet);
    EXPECT_EQ(refusal([&] { x = a_of_other.transposed() * of_other; }), meet);
    EXPECT_EQ(refusal([&] { x = x - a_of_other * of_other; }), meet);
    EXPECT_EQ(refusal([&] { of_other = a * x; }), meet);
    EXPECT_EQ(refusal([&] { of_other = a * x + x; }), meet);
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

// The squares of A p vanish, and no step has a length.
TEST(Algebra, TellsOfAMatrixWhoseSquaresVanish) {
    on_all_devices([](const Context& algebra, double epsilon) {
        const int n = 30;
        const double entry = epsilon < 1e-10 ? 1e-200 : 1e-30;
        const Matrix a = algebra.banded(n, n, {{0, [&](std::int64_t) { return entry; }}});
        const Vector b = vector_of(algebra, random_vector(n, 3));
        Vector x = algebra.vector(n);
        EXPECT_NE(message_of<ComputationError>([&] {
                      (void)least_squares(a, b, x);
                  }).find("the squares of the matrix's numbers are beyond"),
                  std::string::npos);
    });
}

}  // namespace
}  // namespace solenoid::algebra::refusals_test
