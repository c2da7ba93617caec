// Beside exact sums, in integers of 2304 bits.
#include "core/binned_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace solenoid::binned_sum_test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// A sum of doubles as a multiple of 2^-1074, in signed digits of 32 bits.
class Exact {
  public:
    void add(double value) {
        int exponent = 0;
        const auto whole = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
        const int shift = exponent - 53 + 1074;  // below 0: of subnormals, whose last bits are 0
        const std::int64_t magnitude = std::abs(whole) >> std::max(-shift, 0),
                           sign = whole < 0 ? -1 : 1, digit = std::int64_t(1) << 32;
        const int at = std::max(shift, 0) / 32, within = std::max(shift, 0) % 32;
        const std::int64_t low = magnitude % digit << within, high = magnitude / digit << within;
        digit_[at] += sign * (low % digit);
        digit_[at + 1] += sign * (low / digit + high % digit);
        digit_[at + 2] += sign * (high / digit);
    }
    // Rounded, to within a few units of the last place.
    double value() const {
        std::vector<std::int64_t> digit = digit_;
        for (std::size_t k = 0; k + 1 < digit.size(); ++k) {  // to [-2^31, 2^31)
            const std::int64_t carry = (digit[k] + (std::int64_t(1) << 31)) >> 32;
            digit[k] -= carry * (std::int64_t(1) << 32);
            digit[k + 1] += carry;
        }
        double sum = 0;
        for (std::size_t k = digit.size(); k-- > 0;)
            sum += std::ldexp(static_cast<double>(digit[k]), 32 * static_cast<int>(k) - 1074);
        return sum;
    }

  private:
    std::vector<std::int64_t> digit_ = std::vector<std::int64_t>(72, 0);
};

double error_of(double sum, const std::vector<double>& values) {
    Exact exact;
    for (const double value : values) exact.add(value);
    exact.add(-sum);
    return std::abs(exact.value());
}

double sum_of(const std::vector<double>& values) {
    BinnedSum sum;
    sum.add(values);
    return sum.value();
}

std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

// Of magnitudes from 2^low to 2^high, of either sign.
std::vector<double> drawn(std::size_t count, double low, double high, std::mt19937_64& random) {
    std::uniform_real_distribution<double> exponent(low, high), sign(-1, 1);
    std::vector<double> values(count);
    for (double& value : values) value = std::copysign(std::exp2(exponent(random)), sign(random));
    return values;
}

struct Magnitudes {
    double low, high;
};
constexpr Magnitudes all_magnitudes[] = {{0, 0},       {-1, 1},      {-40, 40},     {-300, 300},
                                         {-1074, 970}, {900, 970.9}, {-1074, -1000}};

TEST(BinnedSum, HasTheSameBitsHoweverValuesAreDealtOut) {
    std::mt19937_64 random(1);
    for (const auto [low, high] : all_magnitudes)
        for (const std::size_t count : {1u, 7u, 100u, 5000u}) {
            std::vector<double> values = drawn(count, low, high, random);
            const std::uint64_t expected = bits(sum_of(values));
            for (int trial = 0; trial < 10; ++trial) {
                std::ranges::shuffle(values, random);
                std::vector<BinnedSum> parts(1 + random() % 5);
                for (std::size_t i = 0; i < count;) {
                    BinnedSum& part = parts[random() % parts.size()];
                    const std::size_t some = std::min<std::size_t>(1 + random() % 700, count - i);
                    if (trial % 2)
                        part.add(std::span(values).subspan(i, some));
                    else
                        for (std::size_t k = i; k < i + some; ++k) part.add(values[k]);
                    i += some;
                }
                BinnedSum sum;
                for (const BinnedSum& part : parts) sum.add(BinnedSum::unpacked(part.packed()));
                EXPECT_EQ(bits(sum.value()), expected) << low << " to " << high << ", " << count;
            }
        }
}

TEST(BinnedSum, IsAsGoodAsASumInOrder) {
    std::mt19937_64 random(2);
    for (const auto [low, high] : all_magnitudes)
        for (const std::size_t count : {1u, 2u, 60u, 8000u}) {
            const std::vector<double> values = drawn(count, low, high, random);
            double all = 0, most = 0;
            for (const double value : values) {
                all += std::abs(value);
                most = std::max(most, std::abs(value));
            }
            const double sum = sum_of(values), error = error_of(sum, values),
                         dropped = double(count) * std::ldexp(most, -66);
            // three roundings of the bins' total
            EXPECT_LE(error, dropped + 4 * std::ldexp(std::abs(sum), -53) + 0x1p-1074);
            EXPECT_LE(error, (double(count) - 1) * std::ldexp(all, -53) + 0x1p-1074)
                << low << " to " << high << ", " << count;
        }
}

TEST(BinnedSum, KeepsWhatCancellationLeaves) {
    EXPECT_EQ(sum_of({1, 0x1p-60, -1}), 0x1p-60);
    EXPECT_EQ(sum_of({0x1p900, 0x1p850, -0x1p900}), 0x1p850);
    EXPECT_EQ(sum_of({0x1p40, 1, -0x1p40, 0.25}), 1.25);
}

TEST(BinnedSum, OfNothingZerosAndSubnormals) {
    EXPECT_EQ(bits(sum_of({})), bits(0.0));
    EXPECT_EQ(bits(sum_of({-0.0, -0.0})), bits(0.0));
    const double least = std::numeric_limits<double>::denorm_min();
    EXPECT_EQ(sum_of(std::vector<double>(1000, least)), 1000 * least);
    EXPECT_EQ(sum_of({0x1p-1022, -least}), 0x1p-1022 - least);
}

TEST(BinnedSum, OfWhatIsInfiniteOrNoNumber) {
    for (const std::size_t place : {0u, 5u, 700u, 1999u}) {
        std::vector<double> values(2000, 1e10);
        values.back() = 1e200;  // raises the bins behind it
        values[place] = infinity;
        EXPECT_EQ(sum_of(values), infinity);
        BinnedSum one_by_one;
        for (const double value : values) one_by_one.add(value);
        EXPECT_EQ(one_by_one.value(), infinity);
        values[(place + 1000) % 2000] = -infinity;
        EXPECT_EQ(bits(sum_of(values)), bits(std::numeric_limits<double>::quiet_NaN()));
        values[(place + 1000) % 2000] = 1;
        for (const double nan : {std::nan("1"), -std::nan("2")}) {
            values[place] = nan;
            EXPECT_EQ(bits(sum_of(values)), bits(std::numeric_limits<double>::quiet_NaN()));
        }
    }
    EXPECT_EQ(sum_of({0x1p971, 1}), infinity);
    EXPECT_EQ(sum_of({-0x1p971, 1}), -infinity);
    EXPECT_EQ(sum_of({std::nextafter(0x1p971, 0)}), std::nextafter(0x1p971, 0));
}

// The most that a bin takes: 2^31 values at the upper end of one, here by doubling.
TEST(BinnedSum, OfTwoToThe31ValuesIsExact) {
    for (const double value : {std::nextafter(1.0, 0), 0x1.fffffffffffffp20, 0x1.0p-9}) {
        BinnedSum sum;
        sum.add(value);
        for (int k = 0; k < 31; ++k) sum.add(BinnedSum(sum));
        EXPECT_EQ(sum.value(), std::ldexp(value, 31));
    }
}

}  // namespace
}  // namespace solenoid::binned_sum_test
