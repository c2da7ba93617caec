// When something is due: every some steps, at intervals of time and of the clock on the wall,
// within a window, and by a trigger.
#include "run/when.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace solenoid::when_test {
namespace {

WhenSettings settings(void (*set)(WhenSettings&)) {
    WhenSettings settings;
    set(settings);
    return settings;
}

// The steps of 1 to 12 that are due; a step takes 0.5 s of time and 2 s on the wall.
std::vector<int> due(const WhenSettings& settings, bool each_step = false) {
    When when(settings, each_step);
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
    const When when(windowed);
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
    const When plain(s);
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
    const When window(in_window);
    EXPECT_EQ(window.next_time(0), 5);
    EXPECT_EQ(window.next_time(5), 7);
    EXPECT_TRUE(std::isinf(window.next_time(7)));
}

TEST(When, SettingsMayChange) {
    WhenSettings s;
    s.every = 5;
    When when(s);
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
    When when(s, true, &triggers);
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
