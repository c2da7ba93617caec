// The repeated red-black factorization and its conjugate gradients on every device and on several
// ranks, against the plain sequential program.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "grid/rrb/rrb_solver.hpp"
#include "grid/rrb/sequential_rrb.hpp"
#include "support/devices.hpp"

namespace solenoid::rrb_test {
namespace {

using test::FivePointMatrix;
using test::SequentialRrb;
constexpr int last_nodes = 16;

// A matrix of the whole grid, and this rank's part of its factorization.
template <class Real>
struct RrbCase {
    RrbCase(Device& device, const FivePointMatrix& a)
        : comm(Communicator::world()),
          blocks(comm, a.nx, a.ny),
          a(a),
          factorization(comm, device, blocks, last_nodes),
          matrix(array(device, {a.d, a.e, a.n})) {}

    // Of columns over the whole grid; nonsense where the ring is to be filled.
    Buffer<Real> array(Device& device, const std::vector<std::vector<double>>& columns) const {
        const ArrayShape& shape = factorization.array();
        const RankBlocks::Block block = blocks.block(1);
        std::vector<Real> values(columns.size() * shape.size());
        for (std::size_t c = 0; c < columns.size(); ++c)
            for (int j = 0; j < block.height; ++j)
                for (int i = 0; i < block.width; ++i)
                    values[c * shape.size() + shape.entry(i, j)] =
                        static_cast<Real>(columns[c][a.node(block.x + i, block.y + j)]);
        return device.buffer<Real>(std::span<const Real>(values), static_cast<int>(columns.size()));
    }
    // The largest difference of this rank's part from a vector of the whole grid.
    double distance(const Buffer<Real>& x, const std::vector<double>& expected) const {
        const ArrayShape& shape = factorization.array();
        const RankBlocks::Block block = blocks.block(1);
        const std::vector<Real> values = x.download();
        double most = 0;
        for (int j = 0; j < block.height; ++j)
            for (int i = 0; i < block.width; ++i) {
                const double apart = std::abs(values[shape.entry(i, j)] -
                                              expected[a.node(block.x + i, block.y + j)]);
                most = std::isnan(apart) ? INFINITY : std::max(most, apart);
            }
        return most;
    }

    const Communicator comm;
    const RankBlocks blocks;
    const FivePointMatrix& a;
    RrbFactorization<Real> factorization;
    Buffer<Real> matrix;
};

struct GridSize {
    int nx, ny;
};
double largest(const std::vector<double>& x) {
    double most = 0;
    for (const double value : x) most = std::max(most, std::abs(value));
    return most;
}

class RrbTest : public testing::TestWithParam<std::string> {};

// What a rank holds of L and D is what the sequential program has for these nodes.
template <class Real>
void expect_factors(const RrbCase<Real>& test, const SequentialRrb& expected) {
    ASSERT_EQ(test.factorization.levels(), expected.levels());
    const int nx = test.a.nx, ny = test.a.ny;
    int first_x = 0, first_y = 0, step = 1;
    int compared = 0;
    for (int level = 1; level < expected.levels(); ++level) {
        const RrbFactors<Real> factors = test.factorization.factors(level);
        const ArrayShape& quarter = factors.quarter;
        for (int j = 0; j < quarter.height; ++j)
            for (int i = 0; i < quarter.width; ++i) {
                // the node at an offset from r1's, or -1 where there is none
                const auto node = [&](int x, int y) {
                    const int at_x = first_x + (factors.x + 2 * i + x - factors.shift_x) * step,
                              at_y = first_y + (factors.y + 2 * j + y - factors.shift_y) * step;
                    const bool is_there = at_x >= 0 && at_y >= 0 && at_x < nx && at_y < ny;
                    return is_there ? static_cast<int>(test.a.node(at_x, at_y)) : -1;
                };
                const auto expect = [&](const std::vector<Real>& columns, int first, int own,
                                        std::initializer_list<int> others) {
                    const auto value = [&](int c) {
                        return columns[std::size_t(first + c) * quarter.size() +
                                       quarter.entry(i, j)];
                    };
                    EXPECT_NEAR(value(0), own < 0 ? 0 : 1 / expected.pivot(own), 1e-13);
                    int c = 1;
                    for (const int other : others) {
                        const bool is_there = own >= 0 && other >= 0;
                        EXPECT_NEAR(value(c++), is_there ? expected.factor(other, own) : 0, 1e-13)
                            << "level " << level << ", node " << own << ", " << other;
                        compared += is_there;
                    }
                };
                expect(factors.black, 0, node(1, 0),
                       {node(0, 0), node(2, 0), node(1, -1), node(1, 1)});
                expect(factors.black, 5, node(0, 1),
                       {node(-1, 1), node(1, 1), node(0, 0), node(0, 2)});
                expect(factors.r1, 0, node(0, 0),
                       {node(-1, -1), node(1, -1), node(-1, 1), node(1, 1)});
            }
        first_x += factors.shift_x ? 0 : step;
        first_y += factors.shift_y ? 0 : step;
        step *= 2;
    }
    EXPECT_GT(compared, 0);
}

TEST_P(RrbTest, HasTheSequentialFactorsAndSolution) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    std::vector<GridSize> sizes = {{8, 8}, {61, 45}};
    if (GetParam() == "cpu") sizes.push_back({128, 101});  // several levels are cut
    for (const GridSize size : sizes) {
        const FivePointMatrix a = test::random_matrix(size.nx, size.ny);
        const SequentialRrb expected(a, last_nodes);
        RrbCase<double> test(*device, a);
        test.factorization.factorize(test.matrix);
        expect_factors(test, expected);
        const std::vector<double> r = test::random_vector(a.d.size(), 7), z = expected.solve(r);
        Buffer<double> full = test.array(*device, {r}), answer = test.array(*device, {r}),
                       red = test.factorization.red_vector(),
                       red_z = test.factorization.red_vector();
        test.factorization.reduce(full, red);
        test.factorization.precondition(red, red_z);
        test.factorization.expand(red_z, answer);
        EXPECT_LE(test.distance(answer, z), 1e-12 * largest(z)) << size.nx << " x " << size.ny;
    }
}

// Of any size, lines and single nodes on one rank.
TEST_P(RrbTest, TakesGridsOfAnySize) {
    const auto device = test::make_device(GetParam());
    std::vector<GridSize> sizes = {{5, 6}, {37, 6}, {9, 31}};
    if (Communicator::world().size() == 1)
        for (const GridSize size : {GridSize{1, 1}, {2, 3}, {1, 70}, {131, 1}, {130, 2}})
            sizes.push_back(size);
    for (const GridSize size : sizes) {
        const FivePointMatrix a = test::random_matrix(size.nx, size.ny);
        const SequentialRrb expected(a, last_nodes);
        RrbCase<float> test(*device, a);
        test.factorization.factorize(test.matrix);
        const std::vector<double> r = test::random_vector(a.d.size(), 7), z = expected.solve(r);
        Buffer<float> full = test.array(*device, {r}), answer = test.array(*device, {r}),
                      red = test.factorization.red_vector(),
                      red_z = test.factorization.red_vector();
        test.factorization.reduce(full, red);
        test.factorization.precondition(red, red_z);
        test.factorization.expand(red_z, answer);
        EXPECT_LE(test.distance(answer, z), 1e-4 * largest(z)) << size.nx << " x " << size.ny;
    }
}

// Land: rows that are empty, and no coupling with their nodes.
TEST_P(RrbTest, LeavesOutNodesWithoutUnknown) {
    const auto device = test::make_device(GetParam());
    FivePointMatrix a = test::random_matrix(33, 20);
    const auto is_land = [](int i, int j) {
        return (i >= 9 && i < 20 && j > 4 && j < 13) || i < 2;
    };
    std::vector<double> r = test::random_vector(a.d.size(), 7);
    for (int j = 0; j < a.ny; ++j)
        for (int i = 0; i < a.nx; ++i) {
            const std::size_t k = a.node(i, j);
            if (is_land(i, j)) a.d[k] = r[k] = 0;
            if (is_land(i, j) || is_land(i + 1, j)) a.e[k] = 0;
            if (is_land(i, j) || is_land(i, j + 1)) a.n[k] = 0;
        }
    const std::vector<double> z = SequentialRrb(a, last_nodes).solve(r);
    RrbCase<float> test(*device, a);
    test.factorization.factorize(test.matrix);
    Buffer<float> full = test.array(*device, {r}), answer = test.array(*device, {r}),
                  red = test.factorization.red_vector(), red_z = test.factorization.red_vector();
    test.factorization.reduce(full, red);
    test.factorization.precondition(red, red_z);
    test.factorization.expand(red_z, answer);
    EXPECT_LE(test.distance(answer, z), 1e-4 * largest(z));
}

// S_1 p is what is left of S (p, p_b) with p_b = -D_b^-1 S_br p.
TEST_P(RrbTest, MultipliesByTheFirstSchurComplement) {
    const auto device = test::make_device(GetParam());
    if (!device->info().has_fp64) GTEST_SKIP();
    const FivePointMatrix a = test::random_matrix(19, 14);
    RrbCase<double> test(*device, a);
    test.factorization.factorize(test.matrix);
    std::vector<double> x = test::random_vector(a.d.size(), 11);
    for (std::size_t k = 0; k < x.size(); ++k)
        if ((k % a.nx + k / a.nx) % 2) x[k] = 0;
    const std::vector<double> product = a.product(x);
    std::vector<double> with_black = x;
    for (std::size_t k = 0; k < x.size(); ++k)
        if ((k % a.nx + k / a.nx) % 2) with_black[k] = -product[k] / a.d[k];
    const std::vector<double> expected = a.product(with_black);
    Buffer<double> full = test.array(*device, {x}), zero = test.array(*device, {x}),
                   p = test.factorization.red_vector(), q = test.factorization.red_vector();
    test.factorization.split(full, p);
    const double pq = test.comm.sum(test.factorization.multiply(p, q));
    double sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k) sum += x[k] * expected[k];
    EXPECT_NEAR(pq, sum, 1e-12 * sum);
    // expanded with a right-hand side of zero at black nodes: the red nodes are q
    std::vector<double> of_red(x.size(), 0.0);
    zero = test.array(*device, {of_red});
    Buffer<double> unused = test.factorization.red_vector();
    test.factorization.reduce(zero, unused);
    test.factorization.expand(q, full);
    const std::vector<double> back = a.product(expected);
    std::vector<double> all = expected;
    std::vector<double> red_only = expected;
    for (std::size_t k = 0; k < x.size(); ++k)
        if ((k % a.nx + k / a.nx) % 2) red_only[k] = 0;
    const std::vector<double> of_q = a.product(red_only);
    for (std::size_t k = 0; k < x.size(); ++k)
        all[k] = (k % a.nx + k / a.nx) % 2 ? -of_q[k] / a.d[k] : expected[k];
    EXPECT_LE(test.distance(full, all), 1e-13 * largest(all));
}

template <class Real>
int iterations_of_problem_9(Device& device, int nodes, double tolerance) {
    const test::PoissonProblem9 problem(nodes);
    RrbCase<Real> test(device, problem.matrix);
    test.factorization.factorize(test.matrix);
    RrbSolver<Real> solver(test.comm, device, test.factorization);
    Buffer<Real> b = test.array(device, {problem.b}), x = test.array(device, {problem.b});
    const RrbReport report = solver.solve(b, x, {.from_zero = true});
    EXPECT_TRUE(report.has_converged);
    EXPECT_LE(report.reduction, 1e-5);
    EXPECT_LE(test.distance(x, problem.u), tolerance);
    // from the answer there is nothing to do
    const RrbReport again = solver.solve(b, x, {.reduction = 1.2e-5});
    EXPECT_LE(again.iterations, 1);
    return report.iterations;
}

// Problem (9) of the wave study.
TEST_P(RrbTest, TakesFewIterations) {
    const auto device = test::make_device(GetParam());
    const bool is_slow = GetParam() != "cpu";
    for (const auto& [nodes, iterations] : {std::pair(64, 16), {128, 21}}) {
        if (is_slow && nodes > 64) continue;
        EXPECT_NEAR(iterations_of_problem_9<float>(*device, nodes, 1e-5), iterations, 2);
        if (device->info().has_fp64) {
            EXPECT_NEAR(iterations_of_problem_9<double>(*device, nodes, 1e-5), iterations, 2);
        }
    }
}

TEST_P(RrbTest, RefusesAMatrixThatIsNotPositiveDefinite) {
    const auto device = test::make_device(GetParam());
    FivePointMatrix a = test::random_matrix(24, 24);
    a.d[a.node(12, 12)] = -1;
    RrbCase<float> test(*device, a);
    EXPECT_THROW(test.factorization.factorize(test.matrix), AgreedError);
}

TEST(RankBlocksTest, RefusesAGridThatIsTooSmall) {
    const Communicator comm = Communicator::world();
    if (comm.size() == 1) GTEST_SKIP();
    EXPECT_THROW(RankBlocks(comm, 2, 2), InputError);
}

INSTANTIATE_TEST_SUITE_P(Devices, RrbTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::rrb_test
