// The kinds of boundary conditions of waves, one by one.
#include "wave/conditions/wave_condition.hpp"

#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace solenoid::wave_conditions_test {
namespace {

std::shared_ptr<const WaveCondition> made(const std::string& type, const std::string& keys = "") {
    return test::condition_of(wave_condition_kinds(), type, keys, NoWaveContext{});
}

TEST(WaveConditions, AreTheseThree) {
    EXPECT_EQ(names_of(wave_condition_kinds()),
              (std::vector<std::string>{"fixed", "free", "absorbing"}));
    EXPECT_EQ(names_of(kind_of(wave_condition_kinds(), "absorbing").keys),
              std::vector<std::string>{"incident"});
    EXPECT_EQ(names_of(kind_of(wave_condition_kinds(), "fixed").keys),
              std::vector<std::string>{"value"});
    EXPECT_TRUE(kind_of(wave_condition_kinds(), "free").keys.empty());
}

TEST(WaveConditions, AFixedSideIsClampedOrMoved) {
    ASSERT_TRUE(made("fixed")->displacement());
    EXPECT_EQ((*made("fixed")->displacement())({2, 3, 5}, 7), 0);
    EXPECT_EQ((*made("fixed", "value = \"x*t + z\"")->displacement())({2, 3, 5}, 7), 19);
    test::expect_input_error([] { made("fixed", "value = [1, 2]"); }, {"case.toml", "value"});
}

TEST(WaveConditions, NothingPullsAtAFreeSide) {
    EXPECT_FALSE(made("free")->displacement());
    EXPECT_FALSE(made("free")->incident());
}

TEST(WaveConditions, ThroughAnAbsorbingSideAWaveMayComeIn) {
    EXPECT_FALSE(made("absorbing")->displacement());
    ASSERT_TRUE(made("absorbing")->incident());
    EXPECT_EQ((*made("absorbing")->incident())({2, 3, 5}, 7), 0);
    EXPECT_EQ((*made("absorbing", "incident = \"x*t + z\"")->incident())({2, 3, 5}, 7), 19);
    test::expect_input_error([] { made("absorbing", "incident = [1, 2]"); },
                             {"case.toml", "incident"});
}

}  // namespace
}  // namespace solenoid::wave_conditions_test
