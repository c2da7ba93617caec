// Means and fluctuations of signals that are known exactly.
#include "run/time_average.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "run/averages.hpp"

namespace solenoid::time_average_test {
namespace {

TimeAverage average_of(const std::vector<double>& times, double (*signal)(double)) {
    TimeAverage average;
    for (const double t : times) average.add(t, std::vector{signal(t), 1e6 + signal(t)});
    return average;
}

// A ramp from 2 to 12, and a hat of height 1, whatever the lengths of the steps: linear between
// samples, so that both are exact.
TEST(TimeAverages, OfPiecewiseLinearSignalsAreExact) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> step(0.01, 0.7);
    std::vector<double> times{1};
    while (times.back() < 3) times.push_back(std::min(3.0, times.back() + step(random)));
    times.push_back(3.5);
    while (times.back() < 6) times.push_back(std::min(6.0, times.back() + step(random)));
    const TimeAverage ramp = average_of(times, [](double t) { return 2 * t; });
    EXPECT_EQ(ramp.from(), 1);
    EXPECT_EQ(ramp.to(), 6);
    EXPECT_NEAR(ramp.mean()[0], 7, 1e-13);
    EXPECT_NEAR(ramp.rms()[0], 10 / std::sqrt(12.0), 1e-13);
    EXPECT_NEAR(ramp.mean()[1], 1e6 + 7, 1e-8);
    EXPECT_NEAR(ramp.rms()[1], 10 / std::sqrt(12.0), 1e-8);  // nothing cancels
    // rises for 2 s, falls for 3 s: uniformly distributed over 0 to 1
    const TimeAverage hat =
        average_of(times, [](double t) { return t < 3 ? (t - 1) / 2 : (6 - t) / 3; });
    EXPECT_NEAR(hat.mean()[0], 0.5, 1e-13);
    EXPECT_NEAR(hat.rms()[0], 1 / std::sqrt(12.0), 1e-13);
}

TEST(TimeAverages, OfAWaveConvergeToItsAmplitudeOverRootTwo) {
    double before = 1;
    for (const int samples : {20, 40, 80}) {
        TimeAverage average;
        for (int i = 0; i <= samples; ++i)
            average.add(i * 3.0 / samples,
                        std::vector{4 + std::sin(2 * std::numbers::pi * i / samples * 3)});
        EXPECT_NEAR(average.mean()[0], 4, 1e-13);
        const double off = std::abs(average.rms()[0] - 1 / std::sqrt(2.0));
        EXPECT_LT(off, before / 3.5);  // second order
        before = off;
    }
}

TEST(TimeAverages, OfOneSampleAreTheSample) {
    TimeAverage average;
    EXPECT_TRUE(average.is_empty());
    average.add(2, std::vector{7.0});
    EXPECT_EQ(average.mean(), std::vector{7.0});
    EXPECT_EQ(average.rms(), std::vector{0.0});
    average.add(2, std::vector{9.0});  // the same time: nothing
    EXPECT_EQ(average.mean(), std::vector{7.0});
}

// Of f(t) = t from 0 to 1 and from 3 to 4, without what lies between.
TEST(TimeAverages, LeaveOutAGap) {
    TimeAverage average;
    average.interrupt();  // before the first sample: nothing
    for (const double t : {0.0, 1.0}) average.add(t, std::vector{t});
    average.interrupt();
    for (const double t : {3.0, 3.5, 4.0}) average.add(t, std::vector{t});
    EXPECT_NEAR(average.mean()[0], 2, 1e-14);
    EXPECT_NEAR(average.rms()[0], std::sqrt(1.5 * 1.5 + 1.0 / 12), 1e-14);
    EXPECT_EQ(average.from(), 0);
    EXPECT_EQ(average.to(), 4);
}

// Sums that are put back give the same bits as an average that was never broken off.
TEST(TimeAverages, GoOnFromTheirSums) {
    TimeAverage whole, first, second;
    const auto value = [](int i) { return std::vector{std::sin(0.3 * i), std::cos(0.7 * i)}; };
    for (int i = 0; i < 20; ++i) whole.add(0.1 * i, value(i));
    for (int i = 0; i < 11; ++i) first.add(0.1 * i, value(i));
    second.sums() = first.sums();
    for (int i = 11; i < 20; ++i) second.add(0.1 * i, value(i));
    EXPECT_EQ(second.mean(), whole.mean());
    EXPECT_EQ(second.rms(), whole.rms());
}

TEST(FieldAverage, BeginsAtItsTimeAndIsAQuantity) {
    Quantities all;
    double state = 0;
    all.add({.name = "T", .unit = "K", .help = "-", .in_files = true}, [&] {
        return std::vector{state, -state};
    });
    CaseSettings settings;
    settings.time.end = 4;
    settings.average = {.from = 1, .to = 3, .fields = {"T"}, .place = {}};
    FieldAverages averages(settings, all);
    EXPECT_EQ(averages.window().next_time(0), 1);
    EXPECT_EQ(averages.window().next_time(1), 3);
    EXPECT_TRUE(std::isinf(averages.window().next_time(3)));
    for (int i = 0; i <= 8; ++i) {
        state = 0.5 * i;
        all.state_changed();
        averages.sample(0.5 * i);
        if (i == 1) {  // before: the field itself
            EXPECT_EQ(all.values("T_mean"), (std::vector{0.5, -0.5}));
            EXPECT_EQ(all.values("T_rms"), (std::vector{0.0, 0.0}));
        }
    }
    EXPECT_NEAR(all.values("T_mean")[0], 2, 1e-14);
    EXPECT_NEAR(all.values("T_mean")[1], -2, 1e-14);
    EXPECT_NEAR(all.values("T_rms")[0], 2 / std::sqrt(12.0), 1e-14);
    EXPECT_EQ(all.in_files(QuantityInfo::Of::nodes).size(), 3u);
}

}  // namespace
}  // namespace solenoid::time_average_test
