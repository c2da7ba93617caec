// The kinds of boundary conditions of waves, one by one.
#include "wave/conditions/wave_condition.hpp"

#include <gtest/gtest.h>

#include "support/conditions.hpp"

namespace solenoid {
namespace {

std::shared_ptr<const WaveCondition> made(const std::string& type, const std::string& keys = "") {
    return test::condition_of(wave_condition_kinds(), type, keys, NoWaveContext{});
}

TEST(WaveConditions, AreTheseTwo) {
    EXPECT_EQ(names_of(wave_condition_kinds()), (std::vector<std::string>{"fixed", "free"}));
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

TEST(WaveConditions, NothingPullsAtAFreeSide) { EXPECT_FALSE(made("free")->displacement()); }

}  // namespace
}  // namespace solenoid
