// Hashes of numbers and places.
#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace solenoid::hash_test {
namespace {

// The first numbers of SplitMix64 from the seed 1234567, as its authors' program prints them.
TEST(Hash, IsSplitMix64) {
    const std::uint64_t expected[] = {6457827717110365317u, 3203168211198807973u,
                                      9817491932198370423u, 4593380528125082431u,
                                      16408922859458223821u};
    std::uint64_t state = 1234567;
    for (const std::uint64_t number : expected) {
        EXPECT_EQ(mixed(state), number);
        state += 0x9e3779b97f4a7c15u;
    }
}

TEST(Hash, OfAPlaceLiesBetweenMinusOneAndOne) {
    double sum = 0, square = 0;
    std::set<double> all;
    for (int i = 0; i < 1000; ++i) {
        const double value = scattered(Vec3(0.001 * i, 0, -3));
        EXPECT_LE(std::abs(value), 1);
        sum += value;
        square += value * value;
        all.insert(value);
    }
    EXPECT_EQ(all.size(), 1000u);
    EXPECT_NEAR(sum / 1000, 0, 0.06);  // three standard deviations
    EXPECT_NEAR(square / 1000, 1.0 / 3, 0.03);
    EXPECT_EQ(scattered(Vec3(0.0, 1, 2)), scattered(Vec3(-0.0, 1, 2)));
}

}  // namespace
}  // namespace solenoid::hash_test
