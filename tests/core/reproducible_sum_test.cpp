// Sums that do not depend on how their values are dealt out.
#include "core/reproducible_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace solenoid::reproducible_sum_test {
namespace {

// In blocks, in turn, backwards, all to one; and right, also where most cancels.
TEST(ReproducibleSum, HasTheSameBitsHoweverValuesAreDealtOut) {
    constexpr std::size_t count = 10007;
    for (const double range : {0.0, 3.0, 30.0}) {
        std::vector<double> all(count);
        double largest = 0;
        long double right = 0, gross = 0;
        for (std::size_t i = 0; i < count; ++i) {
            all[i] = std::sin(i * 1.7) * std::exp(range * std::sin(0.3 * i * i));
            largest = std::max(largest, std::abs(all[i]));
            right += all[i];
            gross += std::abs(all[i]);
        }
        const ReproducibleSum sum(largest, count);
        const double expected = sum.total(sum.parts(all));
        EXPECT_NEAR(expected, double(right), 1e-15 * double(gross));
        for (const std::size_t ranks : {2, 3, 7})
            for (int way = 0; way < 3; ++way) {
                std::array<double, 3> together{};
                for (std::size_t rank = ranks; rank-- > 0;) {
                    std::vector<double> mine;
                    for (std::size_t i = 0; i < count; ++i)
                        if ((way == 0 ? i * ranks / count : i % ranks) == rank)
                            mine.push_back(all[i]);
                    if (way == 2) mine = {mine.rbegin(), mine.rend()};
                    const auto parts = sum.parts(mine);
                    for (std::size_t k = 0; k < parts.size(); ++k) together[k] += parts[k];
                }
                EXPECT_EQ(sum.total(together), expected) << range << ", " << ranks << ", " << way;
            }
    }
}

TEST(ReproducibleSum, OfZerosAndOfTheSmallestNumbers) {
    const ReproducibleSum zero(0, 3), small(1e-310, 3);
    EXPECT_EQ(zero.total(zero.parts(std::vector<double>(3, 0.0))), 0);
    EXPECT_EQ(small.total(small.parts(std::vector<double>(3, 1e-310))), 3 * 1e-310);
    EXPECT_EQ(small.total(small.parts({})), 0);
}

// Two parts of three values hold 101 bits below the largest, three 152.
TEST(ReproducibleSum, KeepsWhatCancellationLeaves) {
    const double left = std::ldexp(1.0, -110);
    const ReproducibleSum sum(1, 3);
    EXPECT_EQ(sum.total(sum.parts(std::vector<double>{1, left, -1})), left);
}

}  // namespace
}  // namespace solenoid::reproducible_sum_test
