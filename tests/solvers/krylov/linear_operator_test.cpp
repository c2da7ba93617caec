// An operator that gives products alone: sums and residuals are made of them.
#include "solvers/krylov/linear_operator.hpp"

#include <gtest/gtest.h>

#include "device/expression.hpp"
#include "solvers/krylov/cg.hpp"
#include "support/devices.hpp"

namespace solenoid::linear_operator_test {
namespace {

class LinearOperatorTest : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(Devices, LinearOperatorTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

constexpr Index size = 9, owned = 7;

// Whole numbers, exact in double; the last two are ghosts, which no sum counts.
std::vector<double> numbers(int columns, int seed) {
    std::vector<double> values(std::size_t(size) * columns);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = double((seed + 5 * i) % 11) - 4;
    return values;
}

// y = 3 x.
FunctionOperator<double> triple(Device& device, int columns) {
    return {device, {0, owned}, size, columns, [&device](Buffer<double>& x, Buffer<double>& y) {
                Over(device, {0, owned})[y] = 3 * x;
            }};
}

TEST_P(LinearOperatorTest, SumsUpTheMarkedEntitiesOfEachColumn) {
    const auto device = test::make_device(GetParam());
    for (const int columns : {1, 2, 3}) {
        FunctionOperator<double> a = triple(*device, columns);
        const std::vector<double> x_values = numbers(columns, 1), b_values = numbers(columns, 3);
        auto x = a.vector(), b = a.vector(), y = a.vector(), r = a.vector();
        x.upload(x_values);
        b.upload(b_values);
        y.upload(b_values);  // whose ghosts stay
        r.upload(x_values);
        const ColumnSums xy = a.apply_dot(ThisRank(), x, y), rr = a.residual(ThisRank(), b, x, r);
        const std::vector<double> product = y.download(), left = r.download();
        for (int k = 0; k < columns; ++k) {
            double dot = 0, square = 0;
            for (Index i = 0; i < owned; ++i) {
                const std::size_t at = std::size_t(k) * size + i;
                EXPECT_EQ(product[at], 3 * x_values[at]);
                EXPECT_EQ(left[at], b_values[at] - 3 * x_values[at]);
                dot += 3 * x_values[at] * x_values[at];
                square += (b_values[at] - 3 * x_values[at]) * (b_values[at] - 3 * x_values[at]);
            }
            EXPECT_EQ(xy[k], dot) << columns << " columns, " << k;
            EXPECT_EQ(rr[k], square) << columns << " columns, " << k;
        }
        EXPECT_THROW(a.rounded(), std::logic_error);
    }
}

// Products are all that conjugate gradients need.
TEST_P(LinearOperatorTest, IsEnoughForConjugateGradients) {
    const auto device = test::make_device(GetParam());
    const Communicator comm = Communicator::self();
    FunctionOperator<double> a = triple(*device, 1);
    ConjugateGradients<double> cg(comm, a);
    auto b = a.vector(), x = a.vector(), ones = a.vector();
    const std::vector<double> values = numbers(1, 2);
    b.upload(values);
    ones.upload(std::vector<double>(size, 1.0));
    const SolveReport report = cg.solve(ones, b, x, {1e-14, 10});
    EXPECT_TRUE(report.converged()) << report.explanation();
    EXPECT_EQ(report.iterations, 1);
    const std::vector<double> answer = x.download();
    for (Index i = 0; i < owned; ++i) EXPECT_NEAR(answer[i], values[i] / 3, 1e-14);
}

}  // namespace
}  // namespace solenoid::linear_operator_test
