// The partially reducible rectangle (layout.hpp).
#include <gtest/gtest.h>

#include "device/gl/layout.hpp"

namespace solenoid::gl_layout_test {
namespace {

using gl::Layout;
using gl::reducible_layout;

// The algorithm, line by line as it was published.
Layout published(Index n, int r_min) {
    const double factor = 0.75;
    long b_dim = 1, s_min = n;
    while (s_min >= factor * r_min * r_min) {
        b_dim = b_dim * 2;
        s_min = 1 + (long(n) - 1) / (b_dim * b_dim);
    }
    const long y_max = 1 + static_cast<long>(std::floor(std::sqrt(double(s_min))));
    const long y_min = 2;
    long x = 0, y = 0;
    while (y < y_min || x > r_min) {
        y = y_max;
        while (s_min % y > 0 && y >= y_min) y = y - 1;
        x = s_min / y;
        s_min = s_min + 1;
    }
    return {Index(b_dim * b_dim), Index(b_dim * x), Index(b_dim * y)};
}

void expect_layout(Index n, Index block, Index width, Index height) {
    const Layout layout = reducible_layout(n, 32);
    EXPECT_EQ(layout.block, block) << n;
    EXPECT_EQ(layout.width, width) << n;
    EXPECT_EQ(layout.height, height) << n;
}

TEST(Layout, ValuesWorkedOutByHand) {
    expect_layout(1, 1, 1, 2);
    expect_layout(2, 1, 1, 2);
    expect_layout(31, 1, 8, 4);             // 31 is prime: one more
    expect_layout(1000, 4, 50, 20);         // 250 = 25 x 10, doubled once
    expect_layout(300000, 1024, 672, 448);  // 293 is prime: 294 = 21 x 14, doubled five times
}

TEST(Layout, AsPublished) {
    for (int r_min : {16, 32, 64})
        for (Index n = 1; n < 40'000'000; n += 1 + n / 50) {
            const Layout layout = reducible_layout(n, r_min), expected = published(n, r_min);
            ASSERT_EQ(layout.width, expected.width) << n;
            ASSERT_EQ(layout.height, expected.height) << n;
            ASSERT_EQ(layout.block, expected.block) << n;
        }
}

TEST(Layout, HoldsTheValuesAndHalvesEvenly) {
    for (Index n = 1; n < 400'000'000; n += 1 + n / 30) {
        const Layout layout = reducible_layout(n);
        ASSERT_GE(layout.texels(), n);
        Index width = layout.width, height = layout.height;
        for (int k = 0; k < layout.halvings(); ++k) {
            ASSERT_EQ(width % 2, 0u) << n;
            ASSERT_EQ(height % 2, 0u) << n;
            width /= 2;
            height /= 2;
        }
        ASSERT_LE(width, solenoid::gl::least_side) << n;
        ASSERT_LE(height, solenoid::gl::least_side) << n;
    }
}

TEST(Layout, NothingIsATexel) { EXPECT_GE(reducible_layout(0).texels(), 1u); }

}  // namespace
}  // namespace solenoid::gl_layout_test
