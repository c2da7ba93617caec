// The plain sequential program itself: problem (9) of the wave study, and M as a matrix.
#include <gtest/gtest.h>

#include "grid/rrb/sequential_rrb.hpp"
#include "support/eigen_problems.hpp"

namespace solenoid::test::sequential_rrb_test {
namespace {

// Problem (9): 16, 21 and 28 iterations, at most 1.4 times more each time N doubles.
TEST(SequentialRrb, TakesFewIterations) {
    int before = 0;
    for (const auto& [nodes, iterations] : {std::pair(64, 16), {128, 21}, {256, 28}}) {
        const PoissonProblem9 problem(nodes);
        const SequentialRrb rrb(problem.matrix, 16);
        const SequentialSolve solve = solve_on_red_nodes(problem.matrix, rrb, problem.b, 1e-5);
        EXPECT_NEAR(solve.iterations, iterations, 2) << nodes;
        if (before) {
            EXPECT_LE(solve.iterations, 1.4 * before) << nodes;
        }
        before = solve.iterations;
        for (std::size_t k = 0; k < solve.x.size(); ++k)
            ASSERT_NEAR(solve.x[k], problem.u[k], 1e-5);
    }
}

struct GridSize {
    int nx, ny;
};
class DenseRrb : public testing::TestWithParam<GridSize> {
  protected:
    DenseRrb()
        : a(random_matrix(GetParam().nx, GetParam().ny)), rrb(a, 16), m(a.d.size(), a.d.size()) {
        for (std::size_t k = 0; k < a.d.size(); ++k) {
            std::vector<double> unit(a.d.size());
            unit[k] = 1;
            m.col(k) = Eigen::VectorXd::Map(rrb.product(unit).data(), unit.size());
        }
    }
    const FivePointMatrix a;
    const SequentialRrb rrb;
    Eigen::MatrixXd m;  // M = L D L^T
};

TEST_P(DenseRrb, IsSymmetricPositiveDefinite) {
    EXPECT_LE((m - m.transpose()).cwiseAbs().maxCoeff(), 1e-14 * m.cwiseAbs().maxCoeff());
    const std::vector<double> r = random_vector(a.d.size(), 3), z = rrb.solve(r);
    const Eigen::VectorXd expected = solve_positive(m, Eigen::VectorXd::Map(r.data(), r.size()));
    EXPECT_LE((Eigen::VectorXd::Map(z.data(), z.size()) - expected).norm(),
              1e-11 * expected.norm());
}

// Lumping keeps the sum of each row of a Schur complement: M and A agree on constants.
TEST_P(DenseRrb, AgreesOnConstants) {
    const std::vector<double> ones(a.d.size(), 1), expected = a.product(ones);
    for (std::size_t k = 0; k < ones.size(); ++k)
        EXPECT_NEAR(m.row(k).sum(), expected[k], 1e-12 * a.d[k]);
}

INSTANTIATE_TEST_SUITE_P(Sizes, DenseRrb, testing::Values(GridSize{8, 8}, GridSize{61, 45}),
                         [](const auto& info) {
                             return std::to_string(info.param.nx) + "x" +
                                    std::to_string(info.param.ny);
                         });

// Where no two nodes of r1 are coupled, and no two of r2 diagonally, nothing is lumped.
TEST(SequentialRrb, IsExactWhereNothingIsLumped) {
    for (const GridSize size : {GridSize{1, 1}, {2, 2}, {2, 1}, {37, 1}, {1, 64}}) {
        const FivePointMatrix a = random_matrix(size.nx, size.ny);
        const SequentialRrb rrb(a, 4);
        const std::vector<double> x = random_vector(a.d.size(), 5), z = rrb.solve(a.product(x));
        for (std::size_t k = 0; k < x.size(); ++k) EXPECT_NEAR(z[k], x[k], 1e-12);
    }
}

}  // namespace
}  // namespace solenoid::test::sequential_rrb_test
