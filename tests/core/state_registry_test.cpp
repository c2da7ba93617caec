// The registry of a run's state, with plain values.
#include "core/state_values.hpp"

#include <gtest/gtest.h>

namespace solenoid::state_registry_test {
namespace {

using Optionals = std::vector<std::optional<double>>;

struct Values {
    explicit Values(StateRegistry& registry) {
        const StateValues state(registry);
        state.add("number", number);
        const StateValues part = state.part("part");
        part.add("list", list);
        part.group("other").add("optionals", optionals);
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
