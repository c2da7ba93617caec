// Conjugate gradients on small systems with known answers, on every device.
#include "solvers/krylov/cg.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/expression.hpp"
#include "solvers/krylov/single_preconditioner.hpp"
#include "solvers/matrix/graph_laplacian.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "support/devices.hpp"

namespace solenoid::cg_test {
namespace {

// A chain of n nodes with weights 1 between neighbours: -u'' on a line.
struct Chain {
    Rows neighbours;
    std::vector<double> weights;
    EntityRanges ranges;
    HaloPlan plan;
    explicit Chain(Index n, double jump = 1) {
        for (Index i = 0; i < n; ++i) {
            const auto link = [&](Index j) {
                neighbours.index.push_back(j);
                weights.push_back(std::min(i, j) < n / 2 ? 1 : jump);
            };
            if (i > 0) link(i - 1);
            if (i + 1 < n) link(i + 1);
            neighbours.start.push_back(static_cast<Index>(neighbours.index.size()));
        }
        ranges = {n, n, n, n};
    }
};

template <class Real>
struct System {
    System(const std::string& device_name, const Chain& chain)
        : device(test::make_device(device_name)),
          matrix(comm, *device, chain.ranges, chain.plan, chain.neighbours, chain.weights),
          cg(comm, matrix) {}
    Buffer<Real> vector(const std::vector<double>& values) {
        const std::vector<Real> rounded(values.begin(), values.end());
        return device->template buffer<Real>(std::span<const Real>(rounded));
    }
    SolveReport solve(const std::vector<double>& b, std::vector<double>& x,
                      const CgSettings& settings) {
        auto right = vector(b), left = vector(x), ones = vector(std::vector<double>(b.size(), 1.0));
        const SolveReport report = cg.solve(ones, right, left, settings);
        const auto values = left.download();
        x.assign(values.begin(), values.end());
        return report;
    }
    Communicator comm = Communicator::self();
    std::unique_ptr<Device> device;
    GraphLaplacian<Real> matrix;
    ConjugateGradients<Real> cg;
};

class CgTest : public testing::TestWithParam<std::string> {};

// u_0 = 0 and u_(n-1) = 1 fixed by the right-hand side of their neighbours: a straight line
// between.
TEST_P(CgTest, SolvesADirichletProblem) {
    const Index n = 200;
    System<double> s(GetParam(), Chain(n));
    std::vector<double> free(n, 1.0), b(n, 0.0), x(n, 0.0);
    free.front() = free.back() = 0;
    b[n - 2] = 1;
    s.matrix.free().upload(free);
    const auto report = s.solve(b, x, {1e-12, 1000});
    EXPECT_EQ(report.outcome, SolveOutcome::converged);
    EXPECT_LE(report.residual, 1e-12);
    // the host looks later there
    EXPECT_LE(report.iterations, static_cast<int>(n) + 2 + (s.device->device_sums() ? 15 : 0));
    for (Index i = 0; i + 1 < n; ++i) ASSERT_NEAR(x[i], double(i) / (n - 1), 1e-10);
}

// Singular and consistent: the residual vanishes, the mean of the first guess stays.
TEST_P(CgTest, SolvesAConsistentSingularSystem) {
    const Index n = 101;
    System<double> s(GetParam(), Chain(n, 100));
    std::vector<double> b(n, 0.0), x(n, 3.0);
    b.front() = 1;
    b.back() = -1;
    const auto report = s.solve(b, x, {1e-11, 5000});
    EXPECT_TRUE(report.converged());
    for (Index i = 0; i + 1 < n; ++i) ASSERT_NEAR(x[i] - x[i + 1], i < n / 2 ? 1 : 1e-2, 1e-8);
    double mean = 0;
    for (double v : x) mean += v / n;
    EXPECT_NEAR(mean, 3, 1e-8);
}

// A singular system is consistent to rounding only; no more is asked for, and where all of b is
// rounding nothing is solved.
TEST_P(CgTest, LeavesRounding) {
    const Index n = 101;
    System<double> s(GetParam(), Chain(n, 100));
    std::vector<double> b(n, 1e-13), x(n, 0.0);
    b.front() += 1;
    b.back() -= 1;
    EXPECT_FALSE(s.solve(b, x, {.tolerance = 1e-14, .max_iterations = 5000}).converged());
    x.assign(n, 0.0);
    const auto report =
        s.solve(b, x, {.tolerance = 1e-14, .max_iterations = 5000, .rounding = 1e-11});
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.residual, 1e-14);
    for (Index i = 0; i + 1 < n; ++i) ASSERT_NEAR(x[i] - x[i + 1], i < n / 2 ? 1 : 1e-2, 1e-8);
    b.assign(n, 1e-13);
    const auto nothing =
        s.solve(b, x, {.tolerance = 1e-14, .max_iterations = 5000, .rounding = 1e-11});
    EXPECT_TRUE(nothing.converged());
    EXPECT_EQ(nothing.iterations, 0);
    for (double v : x) EXPECT_EQ(v, 0);
}

TEST_P(CgTest, ReportsTooFewIterations) {
    System<double> s(GetParam(), Chain(200));
    std::vector<double> b(200, 0.0), x(200, 0.0), shift(200, 1e-4);
    b[3] = 1;
    s.matrix.shift().upload(shift);
    const auto report = s.solve(b, x, {1e-12, 20});
    EXPECT_EQ(report.outcome, SolveOutcome::out_of_iterations);
    EXPECT_EQ(report.iterations, 20);
    EXPECT_NE(report.explanation().find("max_iterations"), std::string::npos);
}

template <class Real>
SolveReport solve_past_rounding(const std::string& device, double tolerance) {
    System<Real> s(device, Chain(300));
    std::vector<double> b(300), x(300, 0.0);
    for (int i = 0; i < 300; ++i) b[i] = std::sin(0.1 * i * i);
    std::vector<Real> shift(300, Real(1e-5));
    s.matrix.shift().upload(shift);
    return s.solve(b, x, {tolerance, 20000});
}

TEST_P(CgTest, ReportsStagnation) {
    const auto in_single = solve_past_rounding<float>(GetParam(), 1e-12);
    EXPECT_EQ(in_single.outcome, SolveOutcome::stagnated);
    EXPECT_GT(in_single.residual, 1e-12);
    EXPECT_LT(in_single.residual, 1e-2);
    EXPECT_NE(in_single.explanation().find("raise the tolerance, or compute in double precision"),
              std::string::npos);
    const auto in_double = solve_past_rounding<double>(GetParam(), 1e-24);
    EXPECT_EQ(in_double.outcome, SolveOutcome::stagnated);
    EXPECT_GT(in_double.residual, 1e-24);
    EXPECT_LT(in_double.residual, 1e-11);
    EXPECT_TRUE(in_double.explanation().ends_with("raise the tolerance"))
        << in_double.explanation();
}

TEST_P(CgTest, ReportsBreakdown) {
    System<double> s(GetParam(), Chain(50));
    std::vector<double> b(50, 1.0), x(50, 0.0), shift(50, -10.0);
    s.matrix.shift().upload(shift);
    EXPECT_EQ(s.solve(b, x, {1e-10, 1000}).outcome, SolveOutcome::broken_down);
    b[7] = std::nan("");
    shift.assign(50, 1.0);
    s.matrix.shift().upload(shift);
    EXPECT_EQ(s.solve(b, x, {1e-10, 1000}).outcome, SolveOutcome::broken_down);
}

TEST_P(CgTest, ZeroRightHandSideGivesZero) {
    System<double> s(GetParam(), Chain(50));
    std::vector<double> b(50, 0.0), x(50, 5.0);
    EXPECT_TRUE(s.solve(b, x, {1e-10, 10}).converged());
    for (double v : x) EXPECT_EQ(v, 0);
}

// M = 1, for which the recurrence has no pass of its own, and how often it was applied.
template <class Real>
class UnitMatrix final : public Preconditioner<Real> {
  public:
    explicit UnitMatrix(Device& device) : device_(device) {}
    double apply(const Buffer<Real>& r, Buffer<Real>& z) override {
        ++times;
        device_.copy(r, z);
        return Over(device_, {0, r.size()}).dot(ThisRank(), r, z);
    }
    int times = 0;

  private:
    Device& device_;
};
using Identity = UnitMatrix<float>;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

// To a residual that single precision does not know, and with the matrix as it is at each solve.
TEST_P(CgTest, SolvesInMixedPrecision) {
    const Index n = 150;
    System<double> s(GetParam(), Chain(n));
    SinglePreconditioner mixed(*s.device, std::make_unique<Identity>(*s.device));
    std::vector<double> b(n);
    for (Index i = 0; i < n; ++i) b[i] = 1e30 * std::sin(0.1 * i * i);
    const auto right = s.vector(b);
    for (double shift : {1.0, 0.01}) {
        s.matrix.shift().upload(std::vector<double>(n, shift));
        std::vector<double> exact(n, 0.0);
        const auto in_double = s.solve(b, exact, {1e-12, 1000});
        std::vector<double> inverse(n, 1 / (2 + shift));
        inverse.front() = inverse.back() = 1 / (1 + shift);
        const auto inverse_diagonal = s.vector(inverse);
        RoundedDiagonal jacobi(*s.device, inverse_diagonal);
        for (Preconditioner<double>* one :
             std::initializer_list<Preconditioner<double>*>{&mixed, &jacobi}) {
            auto x = s.vector(std::vector<double>(n, 0.0));
            const auto report = s.cg.solve(*one, right, x, {1e-12, 1000});
            EXPECT_TRUE(report.converged()) << report.explanation();
            EXPECT_LE(report.residual, 1e-12);
            EXPECT_LE(report.iterations, 1.5 * in_double.iterations);  // 150 end by conjugacy alone
            EXPECT_LT(largest_difference(exact, x.download()), 1e-11 / shift * 1e30);
        }
    }
}

// Once an iteration, though it is applied before the residual is known, wherever that meets its
// target: it may fall by any factor up to twenty.
TEST_P(CgTest, AppliesNoPreconditionerInVain) {
    const Index n = 40;
    System<double> s(GetParam(), Chain(n, 7));
    std::vector<double> shift(n), b(n);
    for (Index i = 0; i < n; ++i) {
        shift[i] = 0.05 + i % 3;
        b[i] = std::sin(1.0 + i * i);
    }
    s.matrix.shift().upload(shift);
    const auto right = s.vector(b);
    for (int k = 1; k <= 120; ++k) {
        UnitMatrix<double> ones(*s.device);
        auto x = s.vector(std::vector<double>(n, 0.0));
        const auto report = s.cg.solve(ones, right, x, {std::pow(10.0, -0.05 * k), 1000});
        EXPECT_TRUE(report.converged());
        EXPECT_EQ(ones.times, report.iterations) << k;
    }
}

// Neighbours are coupled with the positive sign: all that keeps this matrix from being singular,
// for a field of alternating sign, is lost in single precision.
TEST_P(CgTest, GoesOnInDoubleWhereSinglePrecisionSeesTooLittle) {
    const Index n = 40;
    Chain chain(n);
    std::vector<double> diagonal_sum(n), load(n);
    for (double& weight : chain.weights) weight = -1;
    for (Index i = 0; i < n; ++i) {
        diagonal_sum[i] = 2.0 * chain.neighbours.length(i) + 1e-9;
        load[i] = i % 2 ? -1 : 1;
    }
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::self();
    RowMatrix<double> matrix(comm, *device, chain.ranges, chain.plan,
                             matrix_of_differences(chain.neighbours, chain.weights, diagonal_sum));
    ConjugateGradients<double> cg(comm, matrix);
    SinglePreconditioner mixed(*device, std::make_unique<Identity>(*device));
    const auto b = device->buffer<double>(std::span<const double>(load));
    auto x = device->buffer<double>(n);
    const auto report = cg.solve(mixed, b, x, {1e-6, 1000});
    EXPECT_TRUE(report.converged()) << report.explanation();
    const std::vector<double> values = x.download();
    for (Index i = 0; i < n; ++i) ASSERT_NEAR(values[i], load[i] * 1e9, 1e5);
}

// Whole numbers are exact in single precision.
TEST_P(CgTest, RoundsTheMatrixAsItIsNow) {
    const Index n = 30;
    const Chain chain(n, 4);
    System<double> s(GetParam(), chain);
    std::vector<float> given(n);
    for (Index i = 0; i < n; ++i) given[i] = static_cast<float>(int(5 * i % 7) - 3);
    auto x = s.device->buffer<float>(std::span<const float>(given)), y = s.device->buffer<float>(n);
    for (Index fixed : {3, 17, 3}) {
        std::vector<double> shift(n), free(n, 1.0);
        for (Index i = 0; i < n; ++i) shift[i] = (i + 1) % fixed;
        free[fixed] = 0;
        s.matrix.shift().upload(shift);
        s.matrix.free().upload(free);
        double expected_xy = 0;
        const double xy = s.matrix.rounded().apply_dot(ThisRank(), x, y)[0];
        const std::vector<float> product = y.download();
        for (Index i = 0; i < n; ++i) {
            double sum = shift[i] * given[i];
            for (Index k = chain.neighbours.start[i]; k < chain.neighbours.start[i + 1]; ++k)
                sum += chain.weights[k] * (given[i] - given[chain.neighbours.index[k]]);
            ASSERT_EQ(product[i], free[i] * sum) << i;
            expected_xy += given[i] * free[i] * sum;
        }
        EXPECT_EQ(xy, expected_xy);
    }
}

// Each end of a chain in turn, under a load of one: the link at a distance k bears what lies beyond
// it.
TEST_P(CgTest, SolvesInMixedPrecisionWithTheRowsThatAreFixedNow) {
    const Index n = 60;
    const Chain chain(n);
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::self();
    RowMatrix<double> matrix(
        comm, *device, chain.ranges, chain.plan,
        matrix_of_differences(chain.neighbours, chain.weights, std::vector<double>(n, 0.0)));
    ConjugateGradients<double> cg(comm, matrix);
    SinglePreconditioner mixed(*device, std::make_unique<Identity>(*device));
    for (Index fixed : {Index(0), n - 1}) {
        matrix.fix({fixed});
        std::vector<double> load(n, 1.0);
        load[fixed] = 0;
        const auto b = device->buffer<double>(std::span<const double>(load));
        auto x = device->buffer<double>(n);
        const auto report = cg.solve(mixed, b, x, {1e-12, 1000});
        EXPECT_TRUE(report.converged()) << report.explanation();
        const std::vector<double> values = x.download();
        for (Index i = 0; i < n; ++i) {
            const double k = std::abs(double(i) - double(fixed));
            ASSERT_NEAR(values[i], k * n - k * (k + 1) / 2, 1e-7);
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, CgTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::cg_test
