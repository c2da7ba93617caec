// The kinds of boundary conditions of a flow, one by one: what each gives and lets through, its
// keys and what it refuses.
#include "flow/conditions/flow_conditions.hpp"

#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "support/conditions.hpp"

namespace solenoid::flow_conditions_test {
namespace {

using Given = FlowCondition::Given;

std::shared_ptr<const FlowCondition> made(const std::string& type, const std::string& keys = "",
                                          const FlowConditionContext& context = {}) {
    return test::condition_of(flow_condition_kinds(), type, keys, context);
}

Vec3 velocity_of(const FlowCondition& condition, const Vec3& x, double t = 0) {
    const VectorFormula& u = condition.velocity();
    return {u[0](x, t), u[1](x, t), u[2](x, t)};
}

// docs/case-file.md and the equations of docs/numerics.md: what is given (P of u_b = P u_in + g),
// whether fluid crosses, whether a pressure drives it and is the total one, whether the flux
// follows the flow.
struct Answers {
    std::string type, keys;
    Given given;
    bool lets_through, drives, is_total, follows;
};

const std::vector<Answers>& answers() {
    static const std::vector<Answers> all{
        {"wall", "", Given::all, false, false, false, false},
        {"inflow", "velocity = [1, 2]", Given::all, true, false, false, false},
        {"outflow", "", Given::nothing, true, false, false, false},
        {"pressure", "pressure = 1", Given::nothing, true, true, false, false},
        {"total_pressure", "pressure = 1", Given::nothing, true, true, true, false},
        {"symmetry", "", Given::normal, false, false, false, false},
        {"rotating_wall", "omega = 1", Given::all, false, false, false, false},
        {"convective", "", Given::nothing, true, false, false, true}};
    return all;
}

TEST(FlowConditions, AnswerAsTheirKind) {
    for (const Answers& a : answers()) {
        const auto c = made(a.type, a.keys);
        EXPECT_EQ(c->given(), a.given) << a.type;
        EXPECT_EQ(c->lets_through(), a.lets_through) << a.type;
        EXPECT_EQ(c->drives(), a.drives) << a.type;
        EXPECT_EQ(c->is_total(), a.is_total) << a.type;
        EXPECT_EQ(c->follows(), a.follows) << a.type;
        EXPECT_EQ(c->is_open(), a.given == Given::nothing) << a.type;
        EXPECT_EQ(c->slips(), a.given == Given::normal) << a.type;
        EXPECT_EQ(c->holds(), a.given == Given::all) << a.type;
        EXPECT_EQ(c->is_inflow(), a.type == "inflow") << a.type;
        EXPECT_EQ(c->is_wall(), a.type == "wall" || a.type == "rotating_wall") << a.type;
    }
}

TEST(FlowConditions, AreAllNamedHere) {
    std::vector<std::string> names;
    for (const Answers& a : answers()) names.push_back(a.type);
    EXPECT_EQ(names, names_of(flow_condition_kinds()));
}

TEST(FlowConditions, TakeTheirOwnKeysOnly) {
    const std::map<std::string, std::vector<std::string>> keys{
        {"wall", {"velocity"}},
        {"inflow", {"velocity"}},
        {"pressure", {"pressure"}},
        {"total_pressure", {"pressure"}},
        {"rotating_wall", {"omega", "axis", "centre"}}};
    for (const FlowConditionKind& kind : flow_condition_kinds()) {
        const auto expected = keys.find(kind.name);
        EXPECT_EQ(names_of(kind.keys),
                  expected == keys.end() ? std::vector<std::string>() : expected->second)
            << kind.name;
        EXPECT_FALSE(kind.help.empty() || kind.summary.empty()) << kind.name;
    }
}

TEST(FlowConditions, GiveTheVelocityOfTheirFormulas) {
    for (const char* type : {"wall", "inflow"})
        EXPECT_EQ(velocity_of(*made(type, "velocity = [\"x*t\", 2.5, \"z - y\"]"), {2, 3, 5}, 7),
                  Vec3(14, 2.5, 2))
            << type;
    EXPECT_EQ(velocity_of(*made("inflow", "velocity = [1, \"x\"]"), {2, 3, 5}), Vec3(1, 2, 0));
    EXPECT_EQ(velocity_of(*made("wall"), {2, 3, 5}), Vec3(0));
    EXPECT_EQ(velocity_of(*wall_at_rest(), {2, 3, 5}), Vec3(0));
    EXPECT_TRUE(wall_at_rest()->is_wall());
    for (const char* type : {"outflow", "symmetry", "convective"})
        EXPECT_EQ(velocity_of(*made(type), {2, 3, 5}), Vec3(0)) << type;
    test::expect_input_error([] { made("inflow"); }, {"case.toml", "velocity"});
    test::expect_input_error([] { made("wall", "velocity = [1, 2, 3, 4]"); },
                             {"velocity", "found 4 elements"});
}

TEST(FlowConditions, GiveThePressureOfTheirFormula) {
    for (const char* type : {"pressure", "total_pressure"}) {
        const auto c = made(type, "pressure = \"3*x - t\"");
        EXPECT_EQ(c->pressure()({2, 0, 0}, 5), 1) << type;
        EXPECT_EQ(velocity_of(*c, {2, 3, 5}), Vec3(0)) << type;
        test::expect_input_error([&] { made(type); }, {"case.toml", "pressure"});
    }
    for (const char* type : {"outflow", "convective"})
        EXPECT_EQ(made(type)->pressure()({2, 0, 0}, 5), 0) << type;
}

TEST(FlowConditions, OfAGivenPressureBelongToTheClassicalMethod) {
    const FlowConditionContext exact{.solves_for_pressure = false};
    for (const char* type : {"pressure", "total_pressure"})
        test::expect_input_error([&] { made(type, "pressure = 1", exact); },
                                 {"case.toml", '"' + std::string(type) + '"',
                                  "flow.method = \"classical\"", "\"inflow\"", "\"outflow\""});
    for (const char* type : {"wall", "outflow", "symmetry", "convective"})
        EXPECT_NO_THROW(made(type, "", exact)) << type;
}

// omega a x (x - c), a of length 1, by the cross product.
TEST(FlowConditions, ARotatingWallTurnsAboutItsAxis) {
    const auto c =
        made("rotating_wall", "omega = \"2 + t\"\naxis = [2, -4, 4]\ncentre = [0.5, 0.25, -1]");
    const Vec3 axis = Vec3(2, -4, 4) / 6.0, centre(0.5, 0.25, -1);
    for (const Vec3& x : {Vec3(1, 2, 3), Vec3(-0.5, 0.1, 0.7), Vec3(4, 0, -2)}) {
        const Vec3 u = velocity_of(*c, x, 3);
        EXPECT_LT(glm::length(u - 5.0 * glm::cross(axis, x - centre)), 1e-14) << x.x;
    }
    EXPECT_LT(glm::length(velocity_of(*c, centre + 3.0 * axis, 3)), 1e-14);
    const Vec3 plane = velocity_of(*made("rotating_wall", "omega = 2"), {3, 4, 9});
    EXPECT_EQ(plane, Vec3(-8, 6, 0));
    // the direction alone counts, also where its square is 0 in double
    EXPECT_EQ(velocity_of(*made("rotating_wall", "omega = 2\naxis = [0, 0, 1e-200]"), {3, 4, 9}),
              plane);
}

TEST(FlowConditions, ARotatingWallRefusesWhatDoesNotTurn) {
    test::expect_input_error([] { made("rotating_wall", "omega = 1\naxis = [0, 0, 0]"); },
                             {"case.toml", "axis", "must not be zero"});
    test::expect_input_error([] { made("rotating_wall", "omega = \"x\""); },
                             {"case.toml", "omega"});
    test::expect_input_error([] { made("rotating_wall"); }, {"case.toml", "omega"});
}

// What is linear along the way of the fluid, a + b (x - U t) at x = 0 and a distance D before it,
// leaves unchanged, at any Courant number U step / D.
TEST(FlowConditions, AConvectiveBoundaryCarriesWhatIsLinearExactly) {
    const auto c = made("convective");
    const double a = 0.7, b = -0.3, distance = 0.2, step = 0.1;
    for (const double courant : {0.0, 0.3, 1.0, 2.0, 2.5, 40.0}) {
        const double speed = courant * distance / step;
        const FlowCondition::Beside beside{.flux = a,
                                           .inside = a - b * distance,
                                           .inside_next = a - b * (distance + speed * step),
                                           .distance = distance,
                                           .speed = speed,
                                           .step = step};
        EXPECT_NEAR(c->next_flux(beside), a - b * speed * step, 1e-14 * (1 + courant)) << courant;
    }
}

// A Courant number of 1 takes the value a distance inside to the face, whatever it was there.
// Longer steps do not let it swing about what is inside.
TEST(FlowConditions, AConvectiveBoundaryTakesWhatArrives) {
    const auto c = made("convective");
    EXPECT_NEAR(
        c->next_flux(
            {.flux = 5, .inside = 2, .inside_next = -3, .distance = 0.5, .speed = 2, .step = 0.25}),
        2, 1e-15);
    for (const double courant : {2.0, 3.0, 10.0, 1e3, 1e6}) {
        const double left = c->next_flux(
            {.flux = 1, .inside = 0, .inside_next = 0, .distance = 1, .speed = courant, .step = 1});
        EXPECT_LT(std::abs(left), 0.7 / courant) << courant;
    }
}

// Others leave the flux to the solver.
TEST(FlowConditions, OthersKeepTheFlux) {
    for (const char* type : {"wall", "outflow", "symmetry"})
        EXPECT_EQ(made(type)->next_flux({4, 1, 2, 0.1, 3, 0.5}), 4) << type;
}

// What a discretization can be asked to do: no kind contradicts itself.
TEST(ConditionKinds, OfAFlowAreConsistent) {
    for (const FlowConditionKind& kind : flow_condition_kinds()) {
        const toml::table table = test::least_of(kind);
        const auto condition = kind.read(TableReader(table, "[boundary.side]", "test"), {});
        const FlowCondition& c = *condition;
        EXPECT_EQ(c.is_open() + c.slips() + c.holds(), 1) << kind.name;
        EXPECT_EQ(c.given(), kind.given) << kind.name;
        EXPECT_TRUE(!c.is_open() || c.lets_through()) << kind.name;
        EXPECT_FALSE(c.slips() && c.lets_through()) << kind.name;
        EXPECT_TRUE(!c.drives() || c.is_open()) << kind.name;
        EXPECT_TRUE(c.holds() || c.velocity()[0](Vec3(0)) == 0) << kind.name;
    }
}

}  // namespace
}  // namespace solenoid::flow_conditions_test
