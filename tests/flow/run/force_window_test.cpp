// The window in which forces by two ways are compared, against all instants.
#include "flow/run/force_window.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "core/error.hpp"

namespace solenoid {
namespace {

using Instants = std::vector<ForceWindow::Instant>;

// A force that swings and, at its zeros, by the weak form is off by 0.2 of its largest value; large
// at the start, as where a flow is set in motion at once.
Instants swinging(double end, int count, double ratio) {
    Instants all;
    double time = 0, step = end * (ratio - 1) / (std::pow(ratio, count) - 1);
    if (ratio == 1) step = end / count;
    for (int n = 0; n < count; ++n, step *= ratio) {
        time += step;
        const double angle = 8 * std::numbers::pi * time / end;
        const Vec3 force(std::sin(angle) + (n == 0 ? 1000.0 : 0.0), 0, 0);
        all.push_back({time, force, force + Vec3(0, 0.2 * std::cos(angle), 0)});
    }
    return all;
}

struct Found {
    double apart = 0, size = 0, at = 0;
};
Found found_from(const Instants& all, double from) {
    Found found;
    for (const ForceWindow::Instant& one : all) {
        if (one.time < from) continue;
        found.size = std::max({found.size, glm::length(one.surface), glm::length(one.weak)});
        const double apart = glm::length(one.surface - one.weak);
        if (apart > found.apart) found.apart = apart, found.at = one.time;
    }
    return found;
}

TEST(ForceWindow, IsTheSecondHalfOfARun) {
    for (const double end : {1e-6, 5.0, 1e9})
        for (const double ratio : {1.0, 1.02, 0.99})
            for (const int count : {1, 2, 7, 500}) {
                const Instants all = swinging(end, count, count > 1 ? ratio : 1);
                ForceWindow window;
                for (const ForceWindow::Instant& one : all) window.add(one);
                const ForceWindow::Largest largest = window.second_half();
                EXPECT_LE(largest.from, end / 2 * (1 + 1e-9));
                EXPECT_GE(largest.from, end / 2 - end / 32 * (1 + 1e-9));
                const Found exact = found_from(all, largest.from);
                ASSERT_TRUE(largest.instant);
                EXPECT_DOUBLE_EQ(largest.size, exact.size);
                EXPECT_DOUBLE_EQ(largest.instant->time, exact.at);
                EXPECT_DOUBLE_EQ(largest.apart(0), exact.apart / exact.size);
                EXPECT_DOUBLE_EQ(largest.apart(2000), exact.apart / 2000);
                if (count == 500) {
                    EXPECT_NEAR(largest.apart(0), 0.2, 0.01);
                }
                EXPECT_DOUBLE_EQ(window.whole().size, found_from(all, 0).size);
            }
}

TEST(ForceWindow, GoesOnFromItsNumbers) {
    const Instants all = swinging(3, 300, 1.01);
    for (const std::size_t stop : {1, 2, 150, 299}) {
        ForceWindow first, second;
        for (std::size_t n = 0; n < stop; ++n) first.add(all[n]);
        ASSERT_NO_THROW(ForceWindow::check(first.numbers()));
        second.set(first.numbers());
        for (std::size_t n = stop; n < all.size(); ++n) first.add(all[n]), second.add(all[n]);
        EXPECT_EQ(first.numbers(), second.numbers());
    }
}

TEST(ForceWindow, TakesNoNumbersThatAreNone) {
    ForceWindow window;
    for (const ForceWindow::Instant& one : swinging(3, 300, 1)) window.add(one);
    const std::vector<double> good = window.numbers();
    EXPECT_NO_THROW(ForceWindow::check(good));
    std::vector<double> odd(good), long_ago(good), none(good), negative(good), many(good),
        future(good), size(good);
    odd.pop_back();
    long_ago[1] = 1e300;
    none[5] = NAN;
    negative[0] = -1;
    many.resize(2 + 9 * 65);
    size[3] = -1;
    future[4] = 4;
    for (const auto& bad : {odd, long_ago, none, negative, many, size, future,
                            std::vector<double>{1}, std::vector<double>{0, 0}})
        EXPECT_THROW(ForceWindow::check(bad), InputError);
}

}  // namespace
}  // namespace solenoid
