// The registry of a run's state, with plain values.
#include "core/state_values.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"

namespace solenoid::state_registry_test {
namespace {

using Optionals = std::vector<std::optional<double>>;

struct Values {
    explicit Values(StateRegistry& registry) {
        const StateValues state(registry);
        state.add("number", number);
        const StateValues part = state.part("part");
        part.add("list", list, of_any_count);
        part.group("other").add("optionals", optionals, of_any_count);
        part.off_stack().add("count", count);
        state.stack(text);
        state.remade([this] { twice = 2 * number; });
        state.group("other").remade([this] { ++others; });
    }
    double number = 1.5, twice = 0;
    std::vector<double> list{1, 2};
    Optionals optionals{std::nullopt, 3.25};
    std::int64_t count = 7;
    std::string text = "first";
    int others = 0;
};

void change(Values& values) {
    values.number = -1;
    values.list = {5};
    values.optionals = {4.5};
    values.count = 8;
    values.text = "second";
}

std::vector<std::string> names_of(const std::vector<StateArray>& arrays) {
    std::vector<std::string> names;
    for (const StateArray& array : arrays) names.push_back(array.name);
    return names;
}

TEST(StateRegistry, LoadsWhatItHasSavedAndMakesTheRest) {
    StateRegistry registry, other;
    Values saved(registry), loaded(other);
    change(saved);
    const std::vector<StateArray> arrays = registry.save();
    EXPECT_EQ(names_of(arrays),
              (std::vector<std::string>{"number", "part/list", "part/optionals", "part/count"}));
    const auto unknown = other.load(names_of(arrays), [&](const StateArray& wanted) {
        return *std::ranges::find(arrays, wanted.name, &StateArray::name);
    });
    EXPECT_TRUE(unknown.empty());
    EXPECT_EQ(loaded.number, -1);
    EXPECT_EQ(loaded.list, (std::vector<double>{5}));
    EXPECT_EQ(loaded.optionals, (Optionals{4.5}));
    EXPECT_EQ(loaded.count, 8);
    EXPECT_EQ(loaded.text, "first");
    EXPECT_EQ(loaded.twice, -2);
    EXPECT_EQ(loaded.others, 1);
}

// What an entry's check says of numbers; empty: nothing.
std::string fault_of(const StateRegistry& registry, const std::string& name,
                     const std::vector<double>& numbers) {
    StateArray array{name, {}, 1, {}, numbers};
    std::string fault;
    try {
        registry.entry(name).check(array);
    } catch (const InputError& error) {
        fault = error.what();
    }
    bool throws = false;
    try {
        registry.entry(name).load(array);  // refuses what was not checked
    } catch (const InputError&) {
        throws = true;
    }
    EXPECT_EQ(throws, !fault.empty()) << name;
    return fault;
}

TEST(StateRegistry, RefusesWhatAValueCannotHave) {
    constexpr double infinite = HUGE_VAL, nan = NAN;
    StateRegistry registry;
    const StateValues state(registry);
    bool flag = false;
    int count = 2;
    std::int64_t steps = 3;
    double time = 4, bound = infinite;
    std::array<double, 3> three{};
    std::vector<double> list{1, 2}, any;
    Optionals optionals{std::nullopt};
    state.add("flag", flag);
    state.add("count", count, {0, 4});
    state.add("steps", steps, not_negative);
    state.add("time", time);
    state.add("bound", bound, perhaps_infinite);
    state.add("three", three);
    state.add("list", list);
    state.add("any", any, of_any_count);
    state.add("optionals", optionals);
    using Case = std::pair<std::string, std::vector<std::vector<double>>>;
    for (const auto& [name, right] : std::vector<Case>{{"flag", {{0}, {1}}},
                                                       {"count", {{0}, {4}}},
                                                       {"steps", {{0}, {9007199254740992.0}}},
                                                       {"time", {{-1e300}, {0}}},
                                                       {"bound", {{infinite}, {-infinite}, {1}}},
                                                       {"three", {{1, 2, 3}}},
                                                       {"list", {{1, 2}}},
                                                       {"any", {{}, {1}, {1, 2, 3}}},
                                                       {"optionals", {{1, 3}, {0, 0}}}})
        for (const auto& numbers : right) EXPECT_EQ(fault_of(registry, name, numbers), "") << name;
    for (const auto& [name, wrong] :
         std::vector<Case>{{"flag", {{}, {2}, {-1}, {0.5}, {nan}, {0, 1}}},
                           {"count", {{}, {-1}, {5}, {0.5}, {1e300}, {infinite}, {nan}}},
                           {"steps", {{}, {-1}, {0.5}, {1e16}, {nan}}},
                           {"time", {{}, {nan}, {infinite}, {1, 2}}},
                           {"bound", {{}, {nan}}},
                           {"three", {{}, {1, 2}, {1, 2, 3, 4}, {1, nan, 3}}},
                           {"list", {{}, {1}, {1, 2, 3}, {1, infinite}}},
                           {"any", {{nan}, {1, infinite}}},
                           {"optionals", {{}, {1}, {1, 2, 0, 0}, {1, nan}}}})
        for (const auto& numbers : wrong) EXPECT_NE(fault_of(registry, name, numbers), "") << name;
    EXPECT_EQ(fault_of(registry, "flag", {}), "has 0 numbers where 1 is needed");
    EXPECT_EQ(fault_of(registry, "flag", {2}), "is 2 where a whole number from 0 to 1 is needed");
    EXPECT_EQ(fault_of(registry, "three", {1, nan, 3}),
              "is nan at place 1 where a finite number is needed");
    EXPECT_EQ(fault_of(registry, "steps", {-1}),
              "is -1 where a whole number of at least 0 is needed");
}

TEST(StateRegistry, RefusesValuesOfEntitiesWithoutASquare) {
    StateArray array{"heat/temperature",
                     StateArray::Of::nodes,
                     2,
                     {3, 5, 8},
                     std::vector<double>{1, 2, 3, 4, 5, 6}};
    EXPECT_NO_THROW(check_values_of_entities(array));
    for (const double bad : {double(NAN), HUGE_VAL, -HUGE_VAL, 1e300, -1e200}) {
        std::get<std::vector<double>>(array.values)[4] = bad;
        try {
            check_values_of_entities(array);
            ADD_FAILURE() << bad;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find("at number 5 of the mesh's nodes"),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST(StateRegistry, TellsWhatOfTheCaseHasEntries) {
    StateRegistry registry;
    double x = 0, y = 0, z = 0;
    const StateValues state(registry);
    state.owned_by("[[ship]]", "a").part("a").add("x", x);
    state.owned_by("[[ship]]", "a").part("a").add("y", y);
    state.part("b").add("z", z);
    EXPECT_EQ(registry.owners(), std::vector<std::string>{"[[ship]] \"a\""});
    const std::vector<StateArray> saved = registry.save();
    EXPECT_EQ(saved[1].name, "a/y");
    EXPECT_EQ(saved[1].belongs_to, "[[ship]] \"a\"");
    EXPECT_EQ(saved[2].belongs_to, "");
}

TEST(StateRegistry, TellsWhatIsMissingOrUnknown) {
    StateRegistry registry;
    Values values(registry);
    EXPECT_EQ(registry.missing({"number", "part/list", "part/count"}),
              (std::vector<std::string>{"part/optionals"}));
    EXPECT_EQ(registry.load({"nothing"}, nullptr), (std::vector<std::string>{"nothing"}));
    EXPECT_THROW(Values{registry}, std::logic_error);
    EXPECT_THROW(registry.entry("nothing"), std::logic_error);
}

TEST(StateRegistry, TakesStatesBackByLevelsAndGroups) {
    StateRegistry registry;
    Values values(registry);
    registry.take();
    change(values);
    registry.take();
    values.number = 3;
    registry.restore();
    EXPECT_EQ(values.number, -1);
    EXPECT_EQ(values.twice, -2);
    EXPECT_EQ(values.text, "second");
    registry.take("other");
    values.optionals.clear();
    values.number = 4;
    registry.restore("other");
    EXPECT_EQ(values.optionals, (Optionals{4.5}));
    EXPECT_EQ(values.number, 4);
    EXPECT_EQ(values.twice, -2);
    EXPECT_EQ(values.others, 2);
    registry.restore();
    EXPECT_EQ(values.number, 1.5);
    EXPECT_EQ(values.list, (std::vector<double>{1, 2}));
    EXPECT_EQ(values.optionals, (Optionals{std::nullopt, 3.25}));
    EXPECT_EQ(values.text, "first");
    EXPECT_EQ(values.count, 8);  // off the stack
    registry.take();
    change(values);
    registry.drop();
    EXPECT_EQ(values.number, -1);
}

}  // namespace
}  // namespace solenoid::state_registry_test
