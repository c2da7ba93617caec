// The kinds of boundary conditions of heat, one by one: what each gives, its keys and what it
// refuses.
#include "heat/conditions/heat_condition.hpp"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include "support/conditions.hpp"

namespace solenoid::heat_conditions_test {
namespace {

const Vec3 place(2, 3, 5);

std::shared_ptr<const HeatCondition> made(const std::string& type, const std::string& keys = "") {
    return test::condition_of(heat_condition_kinds(), type, keys, NoContext{});
}

TEST(HeatConditions, AreTheseFive) {
    EXPECT_EQ(
        names_of(heat_condition_kinds()),
        (std::vector<std::string>{"temperature", "flux", "convection", "insulated", "contact"}));
    const std::map<std::string, std::vector<std::string>> keys{{"temperature", {"value"}},
                                                               {"flux", {"value"}},
                                                               {"convection", {"h", "T_inf"}},
                                                               {"insulated", {}},
                                                               {"contact", {"resistance"}}};
    for (const HeatConditionKind& kind : heat_condition_kinds())
        EXPECT_EQ(names_of(kind.keys), keys.at(kind.name)) << kind.name;
}

TEST(HeatConditions, ATemperatureIsGivenAndNothingElse) {
    const auto c = made("temperature", "value = \"300 + x*t\"");
    ASSERT_TRUE(c->temperature());
    EXPECT_EQ((*c->temperature())(place, 10), 320);
    EXPECT_FALSE(c->flux() || c->exchange() || c->resistance());
    EXPECT_TRUE(c->lets_heat_pass());
    EXPECT_TRUE(c->fits_inside());
    test::expect_input_error([] { made("temperature"); }, {"case.toml", "value"});
}

TEST(HeatConditions, AFluxIsGivenAndNothingElse) {
    const auto c = made("flux", "value = \"-y*t\"");
    ASSERT_TRUE(c->flux());
    EXPECT_EQ((*c->flux())(place, 2), -6);
    EXPECT_FALSE(c->temperature() || c->exchange() || c->resistance());
    EXPECT_TRUE(c->lets_heat_pass());
    EXPECT_FALSE(c->fits_inside());
    test::expect_input_error([] { made("flux"); }, {"case.toml", "value"});
}

TEST(HeatConditions, ConvectionHasACoefficientAndItsSurroundings) {
    const auto c = made("convection", "h = \"x + 1\"\nT_inf = \"z - t\"");
    ASSERT_TRUE(c->exchange());
    EXPECT_EQ(c->exchange()->coefficient(place, 1), 3);
    EXPECT_EQ(c->exchange()->ambient(place, 1), 4);
    EXPECT_FALSE(c->temperature() || c->flux() || c->resistance());
    EXPECT_TRUE(c->lets_heat_pass());
    EXPECT_FALSE(c->fits_inside());
    EXPECT_EQ(made("convection", "h = 0\nT_inf = -5")->exchange()->ambient(place), -5);
    test::expect_input_error([] { made("convection", "h = -1\nT_inf = 0"); },
                             {"case.toml", "h", "-1"});
    test::expect_input_error([] { made("convection", "h = 1"); }, {"case.toml", "T_inf"});
    test::expect_input_error([] { made("convection", "T_inf = 1"); }, {"case.toml", "h"});
}

TEST(HeatConditions, NothingPassesWhereInsulated) {
    const auto c = made("insulated");
    EXPECT_FALSE(c->temperature() || c->flux() || c->exchange() || c->resistance());
    EXPECT_FALSE(c->lets_heat_pass());
    EXPECT_FALSE(c->fits_inside());
}

TEST(HeatConditions, AContactResistsAndTakesNothing) {
    const auto c = made("contact", "resistance = \"0.5 + y\"");
    ASSERT_TRUE(c->resistance());
    EXPECT_EQ((*c->resistance())(place, 0), 3.5);
    EXPECT_FALSE(c->temperature() || c->flux() || c->exchange());
    EXPECT_FALSE(c->lets_heat_pass());
    EXPECT_FALSE(c->fits_inside());
    for (const char* value : {"0", "-2"})
        test::expect_input_error(
            [&] { made("contact", std::string("resistance = ") + value); },
            {"case.toml", "resistance", "must be positive", "the group needs no table"});
    test::expect_input_error([] { made("contact", "resistance = \"1 + t\""); },
                             {"case.toml", "resistance", "not on t"});
    test::expect_input_error([] { made("contact"); }, {"case.toml", "resistance"});
}

TEST(ConditionKinds, OfHeatAreConsistent) {
    for (const HeatConditionKind& kind : heat_condition_kinds()) {
        const toml::table table = test::least_of(kind);
        const auto condition = kind.read(TableReader(table, "[boundary.side]", "test"), {});
        const HeatCondition& c = *condition;
        EXPECT_LE((c.temperature() != nullptr) + (c.flux() != nullptr) + (c.exchange() != nullptr) +
                      (c.resistance() != nullptr),
                  1)
            << kind.name;
        EXPECT_EQ(c.lets_heat_pass() || c.resistance(), !kind.keys.empty()) << kind.name;
    }
}

}  // namespace
}  // namespace solenoid::heat_conditions_test
