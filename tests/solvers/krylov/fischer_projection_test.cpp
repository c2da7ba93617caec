// Guesses from solutions that are kept: what lies in their span is found, and no more than so many
// are.
#include "solvers/krylov/fischer_projection.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "device/expression.hpp"
#include "solvers/matrix/row_matrix.hpp"
#include "support/devices.hpp"

namespace solenoid::fischer_projection_test {
namespace {

class FischerProjectionTest : public testing::TestWithParam<std::string> {};

constexpr Index n = 60;

HostMatrix chain() {
    HostMatrix matrix;
    for (Index i = 0; i < n; ++i) {
        if (i > 0) matrix.append(i - 1, -1);
        matrix.append(i, 2.5);
        if (i + 1 < n) matrix.append(i + 1, -1);
        matrix.end_row();
    }
    return matrix;
}

std::vector<double> wave(int k) {
    std::vector<double> values(n);
    for (Index i = 0; i < n; ++i) values[i] = std::sin(0.3 * (k + 1) * (i + 1) + k);
    return values;
}

struct Solved {
    Solved(const std::string& device_name)
        : device(test::make_device(device_name)),
          matrix(comm, *device, {n, n, n, n}, {}, chain()),
          guess(comm, *device, matrix) {}

    Buffer<double> set(const std::vector<double>& values) {
        return device->buffer<double>(std::span<const double>(values));
    }
    // b = A x + r.
    void remember(const std::vector<double>& solution, double residual) {
        auto x = set(solution), b = device->buffer<double>(n),
             r = set(std::vector<double>(n, residual));
        matrix.apply(x, b);
        Over(*device, {0, n})[b] += r;
        guess.remember(x, b, r);
    }
    // Of the b to a solution.
    std::vector<double> guessed(const std::vector<double>& solution) {
        auto x = set(solution), b = device->buffer<double>(n), found = device->buffer<double>(n);
        matrix.apply(x, b);
        guess.guess(b, found);
        return found.download();
    }

    Communicator comm = Communicator::self();
    std::unique_ptr<Device> device;
    RowMatrix<double> matrix;
    FischerProjection<double> guess;
};

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
    for (Index i = 0; i < n; ++i) ASSERT_NEAR(found[i], expected[i], 1e-11) << i;
}

TEST_P(FischerProjectionTest, FindsWhatIsInTheSpan) {
    Solved s(GetParam());
    expect_near(s.guessed(wave(0)), std::vector<double>(n, 0.0));
    std::vector<double> sum(n, 0.0);
    for (int k = 0; k < 4; ++k) {
        s.remember(wave(k), k == 2 ? 0.5 : 0);
        const std::vector<double> one = wave(k);
        for (Index i = 0; i < n; ++i) sum[i] += (k + 1) * one[i];
        expect_near(s.guessed(sum), sum);
    }
}

// The fifth is the first of the next four; one that lies in the span, or is zero, is not kept.
TEST_P(FischerProjectionTest, KeepsTheLastOnes) {
    Solved s(GetParam());
    s.remember(std::vector<double>(n, 0.0), 0.5);
    for (int k = 0; k < 4; ++k) s.remember(wave(k), 0);
    s.remember(wave(4), 0);
    s.remember(wave(4), 0);
    expect_near(s.guessed(wave(4)), wave(4));
    double rest = 0;
    const std::vector<double> first = s.guessed(wave(0)), expected = wave(0);
    for (Index i = 0; i < n; ++i) rest = std::max(rest, std::abs(first[i] - expected[i]));
    EXPECT_GT(rest, 0.1);
}

INSTANTIATE_TEST_SUITE_P(Devices, FischerProjectionTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::fischer_projection_test
