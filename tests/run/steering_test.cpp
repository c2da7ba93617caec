// The parts of steering by themselves: triggers, the limit of wall time, what a checkpoint keeps.
#include "run/steering.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>

#include "core/error.hpp"
#include "run/triggers.hpp"

namespace solenoid::steering_test {
namespace {

TriggerSettings watched() {
    TriggerSettings trigger;
    trigger.monitor = "table";
    trigger.column = "value";
    trigger.action = "write";
    trigger.place = "case.toml:3";
    return trigger;
}

const std::vector<std::string> columns{"time", "other", "value"};

void load(StateRegistry& registry, const std::vector<StateArray>& saved) {
    std::vector<std::string> names;
    for (const StateArray& array : saved) names.push_back(array.name);
    registry.load(names, [&](const StateArray& wanted) {
        return *std::ranges::find(saved, wanted.name, &StateArray::name);
    });
}

// The times of rows after which a trigger has acted. again: after each row its state is saved, and
// loaded into another one.
std::vector<double> times_of(const TriggerSettings& trigger, const std::vector<CsvRow>& rows,
                             bool again = false) {
    const std::vector<TriggerSettings> all{trigger};
    const auto made = [&](StateRegistry& registry) {
        auto triggers = std::make_unique<Triggers>(all);
        triggers->register_state(StateValues(registry));
        return triggers;
    };
    auto registry = std::make_unique<StateRegistry>();
    auto triggers = made(*registry);
    triggers->check("table", columns);
    std::vector<double> times;
    for (const CsvRow& row : rows) {
        triggers->note("another table", columns, row);
        EXPECT_EQ(triggers->fired(), std::vector<std::int64_t>{0});
        triggers->note("table", columns, row);
        triggers->act(triggers->fired());
        if (!triggers->actions().empty()) times.push_back(*row[0]);
        if (!again) continue;
        const std::vector<StateArray> saved = registry->save();
        registry = std::make_unique<StateRegistry>();
        triggers = made(*registry);
        load(*registry, saved);
    }
    return times;
}

std::vector<CsvRow> rows_of(const std::vector<double>& values) {
    std::vector<CsvRow> rows;
    for (std::size_t i = 0; i < values.size(); ++i) rows.push_back({double(i), -100.0, values[i]});
    return rows;
}

using Times = std::vector<double>;

TEST(Trigger, FiresWhereABoundIsPassed) {
    TriggerSettings above = watched(), below = watched();
    above.above = 2;
    below.below = -2;
    EXPECT_EQ(times_of(above, rows_of({0, 2, 3, 4, 1, 3, -5})), (Times{2, 5}));
    EXPECT_EQ(times_of(above, rows_of({3, 1})), Times{0});  // begins beyond it
    EXPECT_EQ(times_of(below, rows_of({0, -2, -3, -4, 1, -3, 5})), (Times{2, 5}));
    above.from = 2.5;
    EXPECT_EQ(times_of(above, rows_of({0, 2, 3, 4, 1, 3, -5})), (Times{3, 5}));
    std::vector<CsvRow> rows = rows_of({0, 3, 3});
    rows[1][2].reset();  // an empty cell
    above.from = 0;
    EXPECT_EQ(times_of(above, rows), Times{2});
}

TEST(Trigger, FiresWhereAWindowIsSteady) {
    TriggerSettings steady = watched();
    steady.steady = 0.1;
    steady.window = 2;
    // a window is covered at t = 2 at the earliest
    EXPECT_EQ(times_of(steady, rows_of({5, 5, 5, 5})), Times{2});
    EXPECT_EQ(times_of(steady, rows_of({0, 8, 10, 9.5, 9.4, 9.3})), Times{4});
    EXPECT_EQ(times_of(steady, rows_of({0, 0, 0})), Times{2});
    EXPECT_EQ(times_of(steady, rows_of({-10, -9.5, -9.1, -5, -5, -5})), (Times{2, 5}));
    EXPECT_EQ(times_of(steady, rows_of({1, -1, 1, -1, 1})), Times{});
}

TEST(Trigger, FiresWhereAValueDiverges) {
    TriggerSettings diverges = watched();
    diverges.diverges = 10;
    diverges.window = 2;
    EXPECT_EQ(times_of(diverges, rows_of({1, 100, -3, 900, 1001, 5, -2000})), (Times{4, 6}));
    EXPECT_EQ(times_of(diverges, rows_of({0, 0, 0, 5})), Times{});  // no measure of growth
    EXPECT_EQ(times_of(diverges, rows_of({1, NAN, 1})), Times{1});
}

TEST(Trigger, GoesOnFromASavedState) {
    const std::vector<CsvRow> rows = rows_of({0, 8, 10, 9.5, 9.4, 9.3, 9.2, 9.1, 20, 1000});
    for (const auto& set : std::vector<std::function<void(TriggerSettings&)>>{
             [](TriggerSettings& t) { t.above = 9.45; }, [](TriggerSettings& t) { t.steady = 0.1; },
             [](TriggerSettings& t) { t.diverges = 3; }}) {
        TriggerSettings trigger = watched();
        trigger.window = 2;
        set(trigger);
        const Times times = times_of(trigger, rows);
        EXPECT_FALSE(times.empty());
        EXPECT_EQ(times_of(trigger, rows, true), times);
    }
}

// What has fired and not acted yet acts after a load, and once.
TEST(Trigger, ThatHasNotActedIsNotLost) {
    TriggerSettings above = watched();
    above.above = 2;
    const std::vector<TriggerSettings> all{above};
    Triggers first(all), second(all);
    StateRegistry registry, other;
    first.register_state(StateValues(registry));
    second.register_state(StateValues(other));
    first.note("table", columns, {0, 0, 3});
    load(other, registry.save());
    EXPECT_EQ(second.fired(), std::vector<std::int64_t>{1});
    second.act(second.fired());
    ASSERT_EQ(second.actions().size(), 1u);
    EXPECT_EQ(second.actions()[0].what, "value of table is 3 at t = 0 s, above 2");
    second.note("table", columns, {1, 0, 3});
    EXPECT_EQ(second.fired(), std::vector<std::int64_t>{0});
}

// Triggers that a state was saved of, and others that load it: of each of these whether it acts on
// a row that both see. Whose condition was there holds on and does not act again.
std::vector<std::int64_t> acts_again(const std::vector<TriggerSettings>& before,
                                     const std::vector<TriggerSettings>& after) {
    Triggers first(before), second(after);
    StateRegistry registry, other;
    first.register_state(StateValues(registry));
    second.register_state(StateValues(other));
    first.note("table", columns, {0, 2, 3});
    first.act(first.fired());
    load(other, registry.save());
    second.note("table", columns, {1, 2, 3});
    return second.fired();
}

TEST(Trigger, GoesOnByItsNameOrByWhatItWatches) {
    using Fired = std::vector<std::int64_t>;
    const auto trigger = [](const std::string& name, const std::string& column, double above) {
        TriggerSettings one = watched();
        one.name = name;
        one.column = column;
        one.above = above;
        return one;
    };
    const TriggerSettings a = trigger("a", "value", 1), b = trigger("b", "other", 1),
                          c = trigger("", "value", 2), d = trigger("", "other", 1.5);
    const std::vector all{a, b, c, d};
    EXPECT_EQ(acts_again(all, all), (Fired{0, 0, 0, 0}));
    EXPECT_EQ(acts_again(all, {d, b, c, a}), (Fired{0, 0, 0, 0})) << "in another order";
    EXPECT_EQ(acts_again({a, d}, {b, a, c, d}), (Fired{1, 0, 1, 0})) << "longer";
    EXPECT_EQ(acts_again(all, {c}), (Fired{0})) << "shorter";
    EXPECT_EQ(acts_again({a, c}, {b, d}), (Fired{1, 1})) << "replaced";
    EXPECT_EQ(acts_again({a}, {trigger("renamed", "value", 1)}), (Fired{1}));
    EXPECT_EQ(acts_again({a}, {trigger("a", "value", 2)}), (Fired{1})) << "another bound";
    EXPECT_EQ(acts_again({a}, {trigger("a", "other", 1)}), (Fired{1})) << "another column";
    EXPECT_EQ(acts_again({c, c}, {c, c, c}), (Fired{0, 0, 1})) << "alike";
    TriggerSettings stops = a;
    stops.action = "stop";
    EXPECT_EQ(acts_again({a}, {stops}), (Fired{0})) << "another action";
}

TEST(Trigger, OfAnUnknownColumnIsRefused) {
    const std::vector<TriggerSettings> all{watched()};
    const Triggers triggers(all);
    try {
        triggers.check("table", {"time", "valve"});
        FAIL();
    } catch (const InputError& error) {
        EXPECT_EQ(std::string(error.what()),
                  "case.toml:3: [[trigger]] column: \"table\" has no \"value\"; did you mean "
                  "\"valve\"? it has: \"time\", \"valve\"");
    }
}

TEST(WallTime, IsHoursMinutesAndSeconds) {
    EXPECT_EQ(wall_time_of("3:50:00"), 13800);
    EXPECT_EQ(wall_time_of("100:00:01"), 360001);
    for (const char* text : {"", "90", "1:30", "0:00:00", "0:60:00", "0:00:60", "1:00:00 ", "a:b:c",
                             "-1:00:00", "1:2:3:4", "1::3"})
        EXPECT_THROW(wall_time_of(text), InputError) << text;
}

TEST(WallTime, LeavesTimeForAStepAWriteAndACheckpoint) {
    WallTime time(100);
    EXPECT_FALSE(time.is_over(99.79));
    EXPECT_TRUE(time.is_over(99.81));  // 0.2 s remain
    time.note_write(4);
    time.note_step(2);
    time.note_step(1);
    EXPECT_FALSE(time.is_over(84.79));  // 1.5 (4 + 4 + 2) s: a checkpoint as a write
    EXPECT_TRUE(time.is_over(84.81));
    time.note_checkpoint(1);
    EXPECT_FALSE(time.is_over(89.29));  // 1.5 (4 + 1 + 2) s
    EXPECT_TRUE(time.is_over(89.31));
    for (int i = 0; i < 10; ++i) time.note_step(1);  // the long step is forgotten
    EXPECT_FALSE(time.is_over(90.79));
    EXPECT_TRUE(time.is_over(90.81));
}

TEST(SteeringState, IsReadBackFromItsText) {
    SteeringState state;
    state.changes = {"time.end=3.5", "output.every=2"};
    state.stop_at_step = 12345678901;
    state.stop_at_time = 0.1;
    const SteeringState again = SteeringState::of(state.text());
    EXPECT_EQ(again.changes, state.changes);
    EXPECT_EQ(again.stop_at_step, state.stop_at_step);
    EXPECT_EQ(again.stop_at_time, state.stop_at_time);
    EXPECT_EQ(SteeringState::of("").text(), "");
}

}  // namespace
}  // namespace solenoid::steering_test
