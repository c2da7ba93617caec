// When something is due: every some steps, at intervals of time and of the clock on the wall,
// within a window, and by a trigger.
#include "run/when.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace solenoid::when_test {
namespace {

WhenSettings settings(void (*set)(WhenSettings&)) {
    WhenSettings settings;
    set(settings);
    return settings;
}

const TimeSettings ten = [] {
    TimeSettings time;
    time.steady = false;
    time.end = 10;
    return time;
}();

// The steps of 1 to 12 that are due; a step takes 0.5 s of time and 2 s on the wall.
std::vector<int> due(const WhenSettings& settings, bool each_step = false) {
    When when(settings, ten, each_step);
    std::vector<int> steps;
    for (int step = 1; step <= 12; ++step)
        if (when.is_due(step, 0.5 * step, 2.0 * step)) steps.push_back(step);
    return steps;
}

using Steps = std::vector<int>;

TEST(When, WithoutAFrequencyIsNeverOrEachStep) {
    EXPECT_EQ(due({}), Steps());
    EXPECT_EQ(due({}, true), (Steps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
}

TEST(When, CountsStepsAndTimesAndTheClock) {
    EXPECT_EQ(due(settings([](auto& s) { s.every = 5; }), true), (Steps{5, 10}));
    EXPECT_EQ(due(settings([](auto& s) { s.interval = 1.5; })), (Steps{3, 6, 9, 12}));
    EXPECT_EQ(due(settings([](auto& s) { s.wall_interval = 5; })), (Steps{3, 6, 9, 12}));
}

TEST(When, IsDueWithinItsWindowAlone) {
    const auto window = [](auto& s) {
        s.from = 2;
        s.to = 4;
    };
    EXPECT_EQ(due(settings(window), true), (Steps{4, 5, 6, 7, 8}));
    const WhenSettings windowed = settings(window);
    const When when(windowed, ten);
    EXPECT_FALSE(when.is_open(1.9));
    EXPECT_TRUE(when.is_open(2 - 1e-15) && when.is_open(4 + 1e-15));  // up to rounding
    EXPECT_FALSE(when.is_open(4.1));
    // intervals count from its beginning
    EXPECT_EQ(due(settings([](auto& s) {
                  s.from = 1;
                  s.interval = 2;
              })),
              (Steps{2, 6, 10}));
}

TEST(When, TellsTheTimesAtWhichStepsEnd) {
    WhenSettings s;
    const When plain(s, ten);
    EXPECT_TRUE(std::isinf(plain.next_time(0)));
    s.every = 2;
    EXPECT_TRUE(std::isinf(plain.next_time(0)));
    s.every.reset();
    s.interval = 0.1;
    EXPECT_EQ(plain.next_time(0), 0.1);
    double time = 0;  // no time is met twice or left out, whatever the rounding
    for (int i = 1; i <= 1000; ++i) {
        time = plain.next_time(time);
        EXPECT_NEAR(time, 0.1 * i, 1e-12 * i);
    }
    const WhenSettings in_window = settings([](auto& s) {
        s.interval = 2;
        s.from = 5;
        s.to = 8;
    });
    const When window(in_window, ten);
    EXPECT_EQ(window.next_time(0), 5);
    EXPECT_EQ(window.next_time(5), 7);
    EXPECT_TRUE(std::isinf(window.next_time(7)));
}

// From any time the next one lies most of an interval ahead, and a step that ends there is due.
TEST(When, MeetsTheShortestIntervals) {
    std::mt19937 random(54);
    std::uniform_real_distribution<double> place(0, 10);
    for (const double interval : {1e-12, 1.7e-12, 1e-11, 3e-10, 1e-8, 1e-6}) {
        WhenSettings s;
        s.interval = interval;
        for (const double from : {0.0, 1e-300, 1e-9, 2.5}) {
            s.from = from;
            When when(s, ten);
            for (int i = 0; i < 1000; ++i) {
                const double now = from + place(random), next = when.next_time(now);
                ASSERT_GT(next - now, 0) << interval << ' ' << now;
                ASSERT_LT(next - now, 1.3 * interval) << interval << ' ' << now;
                ASSERT_TRUE(when.is_due(i, next, 0)) << interval << ' ' << next;
                const double after = when.next_time(next);
                ASSERT_NEAR(after - next, interval, 0.3 * interval) << interval << ' ' << next;
                ASSERT_FALSE(when.is_due(i, next + 0.5 * (after - next), 0)) << interval;
            }
        }
    }
}

// A window that opens just behind the start has no step of its own to where it opens.
TEST(When, MakesNoStepThatIsLostInTheRounding) {
    WhenSettings s;
    s.interval = 2;
    s.from = 1e-300;
    const When when(s, ten);
    EXPECT_FALSE(when.is_open(0));
    EXPECT_EQ(when.next_time(0), 2);
    EXPECT_TRUE(has_come(1e-300, 0, ten) && has_come(5, 5 - 1e-15, ten));
    EXPECT_FALSE(has_come(1e-9, 0, ten) || has_come(5, 5 - 1e-9, ten));
}

TEST(When, SettingsMayChange) {
    WhenSettings s;
    s.every = 5;
    When when(s, ten);
    EXPECT_TRUE(when.is_due(5, 5, 0));
    s.every = 4;
    EXPECT_FALSE(when.is_due(10, 10, 0));
    EXPECT_TRUE(when.is_due(12, 12, 0));
    s.every.reset();
    s.interval = 3;
    EXPECT_EQ(when.next_time(12), 15);
    EXPECT_FALSE(when.is_due(13, 14, 0));
    EXPECT_TRUE(when.is_due(14, 15, 0));
}

TEST(When, ATriggerMakesItDueBetweenTwoSteps) {
    std::vector<TriggerSettings> named(2);
    named[0].name = "drag";
    named[1].name = "lift";
    Triggers triggers(named);
    WhenSettings s;
    s.trigger = "lift";
    s.to = 10;
    When when(s, ten, true, &triggers);
    using Fired = std::vector<std::int64_t>;
    EXPECT_FALSE(when.is_triggered(1));
    EXPECT_FALSE(when.is_due(1, 1, 0)) << "not each step";
    triggers.act(Fired{1, 0});
    EXPECT_FALSE(when.is_triggered(2));
    triggers.act(Fired{0, 1});
    EXPECT_TRUE(when.is_triggered(3));
    EXPECT_FALSE(when.is_triggered(11)) << "outside its window";
    triggers.act(Fired{0, 0});
    EXPECT_FALSE(when.is_triggered(5));
    s.every = 2;
    EXPECT_TRUE(when.is_due(6, 6, 0));
}

}  // namespace
}  // namespace solenoid::when_test
