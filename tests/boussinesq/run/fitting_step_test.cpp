// Steps of one length that meet every time at which a case writes.
#include "boussinesq/run/fitting_step.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "core/error.hpp"

namespace solenoid::fitting_step_test {
namespace {

CaseSettings a_case() {
    CaseSettings s;
    s.place = "case.toml";
    s.time.end = 4;
    s.output.interval = 1;
    return s;
}

std::string refusal(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(FittingStep, DividesTheEndAndIntervals) {
    EXPECT_NEAR(fitting_step(a_case(), 0.3, false), 0.25, 1e-12);
    EXPECT_EQ(fitting_step(a_case(), 0.1, true), 0.1);
    EXPECT_NE(refusal([] { fitting_step(a_case(), 0.3, true); }).find("whole number of steps"),
              std::string::npos);
}

TEST(FittingStep, DividesTheTimesFromWhichIntervalsCount) {
    CaseSettings s = a_case();
    s.output.from = 0.4;  // of 0.2 s, not of 0.25 s
    EXPECT_NEAR(fitting_step(s, 0.3, false), 0.2, 1e-12);
    EXPECT_NE(refusal([&] { fitting_step(s, 0.25, true); }).find("[output] from"),
              std::string::npos);
    s.output.from = 40.3;  // never
    EXPECT_NEAR(fitting_step(s, 0.3, false), 0.25, 1e-12);
    s.output = {};
    s.output.every = 3;
    s.output.from = 0.37;  // the first such step behind it
    EXPECT_NEAR(fitting_step(s, 0.3, false), 4 / 14.0, 1e-12);
}

TEST(FittingStep, DividesTheBoundsOfAverages) {
    CaseSettings s = a_case();
    s.average.emplace();
    EXPECT_NEAR(fitting_step(s, 0.3, false), 0.25, 1e-12);
    s.average->from = 0.6;
    EXPECT_NEAR(fitting_step(s, 0.3, false), 0.2, 1e-12);
    s.average->to = 3.1;
    EXPECT_NEAR(fitting_step(s, 0.3, false), 0.1, 1e-12);
    EXPECT_NE(refusal([&] { fitting_step(s, 0.2, true); }).find("[average] to"), std::string::npos);
}

// A run that goes on counts from 0, too.
TEST(FittingStep, DividesTheTimeThatIsReached) {
    EXPECT_NEAR(fitting_step(a_case(), 0.3, false, 2.2), 0.2, 1e-12);
    EXPECT_NE(refusal([] {
                  fitting_step(a_case(), 0.25, true, 2.2);
              }).find("the time of the checkpoint: 2.2 s"),
              std::string::npos);
}

TEST(FittingStep, IsToldFromOnesThatDoNotFit) {
    CaseSettings s = a_case();
    EXPECT_TRUE(fits(s, 1 / 11.0));
    check_fit(s, 1 / 11.0, "control.toml");
    s.output.interval = 0.3;
    EXPECT_FALSE(fits(s, 1 / 11.0));
    const std::string text = refusal([&] { check_fit(s, 1 / 11.0, "control.toml"); });
    EXPECT_EQ(text.find("control.toml: [output] interval: 0.3 s"), 0u) << text;
    EXPECT_NE(text.find("0.272727272727 s"), std::string::npos) << text;
    s.output.interval = 0.272727272727;  // as it was told
    EXPECT_TRUE(fits(s, 1 / 11.0));
    s.output.interval = 0.01;
    EXPECT_NE(refusal([&] { check_fit(s, 1 / 11.0, "control.toml"); }).find("0.0909090909091 s"),
              std::string::npos);
}

}  // namespace
}  // namespace solenoid::fitting_step_test
