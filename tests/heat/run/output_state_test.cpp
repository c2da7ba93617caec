// The results of a run that is continued: those of a run that was not broken off, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/stop_signal.hpp"
#include "heat/case/heat_physics.hpp"
#include "run/run_output.hpp"
#include "run/simulation.hpp"
#include "support/saved_states.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid::output_state_test {
namespace {

namespace fs = std::filesystem;

// Every kind of output, some of it due at steps 5 and 10, some at times or with the states.
constexpr const char* text = R"(
physics = "heat"
name = "case"
[mesh.box]
cells = 200
dimension = 2
[material.default]
conductivity = 1
heat_capacity = 1
[boundary.default]
type = "insulated"
[time]
step = 0.1
end = 2
[initial]
temperature = 0
[output]
every = 4
[average]
from = 0.25
to = 1.55
fields = ["temperature"]
[[monitor]]
type = "point"
name = "point"
at = [0.3, 0.4]
every = 3
[[monitor]]
type = "point"
name = "late"
at = [0.3, 0.4]
from = 1.65
interval = 0.1
[[monitor]]
type = "point"
name = "once"
at = [0.6, 0.4]
interval = 3
[[monitor]]
type = "line"
name = "line"
from = [0, 0.5]
to = [1, 0.5]
points = 4
[[monitor]]
type = "line"
name = "early"
from = [0, 0.5]
to = [1, 0.5]
points = 4
every = 5
to_time = 1.25
[[picture]]
name = "sparse"
width = 64
height = 64
every = 6
[[picture]]
name = "with_states"
width = 64
height = 64
)";

// A state that follows from the time alone, so that nothing but the output has to be continued.
class Puppet final : public Simulation {
  public:
    explicit Puppet(Run& run) : run_(run) {
        quantities_.add({.name = "temperature",
                         .unit = "K",
                         .help = "T",
                         .in_files = true,
                         .is_drawn = true,
                         .table_columns = {"temperature"}},
                        [this] {
                            std::vector<double> values;
                            for (const Vec3& x : run_.topology().stored().positions)
                                values.push_back(x.x + std::sin(3 * x.y + 5 * now));
                            return values;
                        });
        quantities_.add({.name = "number",
                         .of = QuantityInfo::Of::number,
                         .unit = "1",
                         .help = "n",
                         .table_columns = {"number"}},
                        [this] { return std::vector{std::cos(now)}; });
    }
    StateRegistry& state() override { return own_; }
    double time() const override { return now; }
    void advance(double target) override { now = target; }
    std::vector<std::unique_ptr<Monitor>> tables(const MonitorParts& parts) override {
        std::vector<std::unique_ptr<Monitor>> tables;
        tables.push_back(number_table(parts, "number", {"number"}, true));
        return tables;
    }
    std::vector<SolveSummary> solves() const override { return {}; }
    void report(const Summary&) override {}

    double now = 0;

  private:
    Run& run_;
    StateRegistry own_;
};

// A run that is driven by hand.
class HandRun {
  public:
    HandRun(const Communicator& comm, const fs::path& folder, EarlierResults earlier,
            const std::vector<std::string>& overrides = {})
        : run(comm, options) {
        static const HeatPhysics heat;
        run.settings = read_case(CaseText{"case.toml", text}, {&heat}, overrides);
        run.folder = std::make_unique<OutputFolder>(comm, folder, "case", earlier);
        set_up(run);
        puppet = std::make_unique<Puppet>(run);
        output.emplace(run);
        output->open(*puppet);
        output->register_state(StateValues(registry).part("output"));
    }
    Moment now(double wall = 0) const { return {run.summary.steps, puppet->now, wall}; }
    void step() {
        puppet->quantities().state_changed();
        ++run.summary.steps;
        puppet->now = 0.1 * double(run.summary.steps);
        output->record(now(), run.summary.steps == 20);
    }
    void steps_until(int step) {
        while (run.summary.steps < step) this->step();
    }
    void take_up(const test::SavedState& saved, int step) {
        run.summary.steps = step;
        puppet->now = 0.1 * step;
        const auto unknown =
            registry.load(saved.names(), [&](const StateArray& one) { return saved.read(one); });
        EXPECT_TRUE(unknown.empty());
        output->resume(now());
    }

    RunOptions options = cpu();
    Run run;
    StateRegistry registry;
    std::unique_ptr<Puppet> puppet;
    std::optional<RunOutput> output;

  private:
    static RunOptions cpu() {
        RunOptions options;
        options.device = "cpu";
        options.quiet = true;
        return options;
    }
};

std::map<std::string, std::string> files_in(const fs::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = fs::relative(entry.path(), folder).string();
        if (!entry.is_directory() && name != ".solenoid-lock" && name != "summary.json")
            files[name] = text_of(entry.path());
    }
    return files;
}

class OutputStateTest : public testing::Test {
  protected:
    void expect_same(const fs::path& a, const fs::path& b) const {
        comm.barrier();
        const auto of_a = files_in(a), of_b = files_in(b);
        for (const auto& [name, text] : of_a) {
            EXPECT_TRUE(of_b.contains(name)) << name;
            EXPECT_TRUE(!of_b.contains(name) || of_b.at(name) == text) << name;
        }
        for (const auto& [name, text] : of_b) EXPECT_TRUE(of_a.contains(name)) << name;
        comm.barrier();
    }
    const Communicator comm = Communicator::world();
    const ScratchFolder scratch{comm};
};

TEST_F(OutputStateTest, IsContinuedByteForByteFromAnyStep) {
    set_stop_patience(HUGE_VAL);
    HandRun on(comm, scratch / "on", EarlierResults::refuse);
    on.output->start(on.now());
    on.steps_until(20);
    on.output->finish(on.now());
    for (const int at : {0, 5, 8, 17, 20}) {
        SCOPED_TRACE(at);
        const fs::path folder = scratch / ("at_" + std::to_string(at));
        std::optional<test::SavedState> saved;
        {
            HandRun first(comm, folder, EarlierResults::refuse);
            first.output->start(first.now());
            first.steps_until(at);
            saved.emplace(comm, first.registry.save());
            EXPECT_TRUE(first.registry.missing({}).empty());  // a state may lack all of it
            if (at % 2 == 0) {                                // broken off later
                first.steps_until(std::min(at + 7, 20));
                first.output->record_asked(first.now(), true);
            }
            first.output->finish(first.now());  // what a stopped run writes
        }
        HandRun second(comm, folder, EarlierResults::continue_);
        second.take_up(*saved, at);
        second.steps_until(20);
        second.output->finish(second.now());
        expect_same(folder, scratch / "on");
        ASSERT_TRUE(second.run.summary.earlier);
        EXPECT_EQ(second.run.summary.earlier->count, 1);
        EXPECT_EQ(second.run.summary.earlier->steps, at);
        if (HasFailure()) return;
    }
}

// Where the states' rows are counted by wall-clock time, the part of an interval that has passed
// counts on.
TEST_F(OutputStateTest, AnIntervalOfWallClockTimeGoesOn) {
    set_stop_patience(HUGE_VAL);
    const std::vector<std::string> overrides{"output={wall_interval = 100}"};
    std::optional<test::SavedState> saved;
    {
        HandRun first(comm, scratch / "wall", EarlierResults::refuse, overrides);
        first.output->start(first.now());
        ++first.run.summary.steps;
        first.output->record(first.now(60), false);
        EXPECT_FALSE(first.output->has_state_of(1));
        saved.emplace(comm, first.registry.save());
    }
    HandRun second(comm, scratch / "wall", EarlierResults::continue_, overrides);
    second.take_up(*saved, 1);
    ++second.run.summary.steps;
    second.output->record(second.now(39), false);
    EXPECT_FALSE(second.output->has_state_of(2));
    ++second.run.summary.steps;
    second.output->record(second.now(41), false);
    EXPECT_TRUE(second.output->has_state_of(3));
}

// A state without an entry: what belongs to it begins anew, the rest goes on.
TEST_F(OutputStateTest, WhatAStateLacksBeginsAnew) {
    set_stop_patience(HUGE_VAL);
    std::optional<test::SavedState> saved;
    {
        HandRun first(comm, scratch / "lacks", EarlierResults::refuse);
        first.output->start(first.now());
        first.steps_until(6);
        saved.emplace(comm, first.registry.save());
        first.output->finish(first.now());
    }
    HandRun second(comm, scratch / "lacks", EarlierResults::continue_);
    std::vector<std::string> names = saved->names();
    std::erase_if(names,
                  [](const std::string& name) { return name.find("/point") != std::string::npos; });
    EXPECT_LT(names.size(), saved->names().size());
    second.run.summary.steps = 6;
    second.puppet->now = 0.6;
    second.registry.load(names, [&](const StateArray& one) { return saved->read(one); });
    second.output->resume(second.now());
    second.steps_until(9);
    second.output->finish(second.now());
    comm.barrier();
    const std::string point = text_of(scratch / "lacks/monitors/point.csv"),
                      number = text_of(scratch / "lacks/monitors/number.csv");
    EXPECT_EQ(std::ranges::count(point, '\n'), 2);  // step 9
    EXPECT_EQ(std::ranges::count(number, '\n'), 11);
    comm.barrier();
}

// Of another window at a restart the averages are those of a run that had it from its start.
TEST_F(OutputStateTest, AveragesFromAnotherTimeBeginAnew) {
    set_stop_patience(HUGE_VAL);
    const std::vector<std::string> later{"average.from=1.05"};
    HandRun whole(comm, scratch / "whole", EarlierResults::refuse, later);
    whole.output->start(whole.now());
    whole.steps_until(20);
    whole.output->finish(whole.now());
    std::optional<test::SavedState> saved;
    {
        HandRun first(comm, scratch / "from", EarlierResults::refuse);
        first.output->start(first.now());
        first.steps_until(8);
        saved.emplace(comm, first.registry.save());
        first.output->finish(first.now());
    }
    HandRun second(comm, scratch / "from", EarlierResults::continue_, later);
    second.take_up(*saved, 8);
    second.steps_until(20);
    second.output->finish(second.now());
    comm.barrier();
    EXPECT_EQ(text_of(scratch / "from/monitors/point_average.csv"),
              text_of(scratch / "whole/monitors/point_average.csv"));
    for (const char* name : {"temperature_mean", "temperature_rms"})
        EXPECT_EQ(second.puppet->quantities().values(name), whole.puppet->quantities().values(name))
            << name;
    comm.barrier();
}

// The time between an end that had come and a later one does not count: trapezoidal rule from 0.3
// to 0.5 and from 1.0 to 1.5.
TEST_F(OutputStateTest, AveragesUntilALaterTimeHaveAGap) {
    set_stop_patience(HUGE_VAL);
    std::optional<test::SavedState> saved;
    {
        HandRun first(comm, scratch / "to", EarlierResults::refuse, {"average.to=0.55"});
        first.output->start(first.now());
        first.steps_until(9);
        saved.emplace(comm, first.registry.save());
        first.output->finish(first.now());
    }
    HandRun second(comm, scratch / "to", EarlierResults::continue_);
    second.take_up(*saved, 9);
    second.steps_until(20);
    const std::vector<double>& found = second.puppet->quantities().values("temperature_mean");
    const auto& positions = second.run.topology().stored().positions;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto value = [&](int step) {
            return positions[i].x + std::sin(3 * positions[i].y + 5 * 0.1 * step);
        };
        double sum = 0;
        for (const int step : {3, 4, 10, 11, 12, 13, 14})
            sum += 0.1 * (value(step) + value(step + 1)) / 2;
        ASSERT_NEAR(found[i], sum / 0.7, 1e-12);
    }
    second.output->finish(second.now());
}

TEST_F(OutputStateTest, AveragesOfOtherColumnsBeginAnew) {
    const fs::path file = scratch / "x_average.csv";
    CaseSettings settings;
    settings.average.emplace();
    TableAverages averages(comm, settings, file);
    for (const double t : {0.0, 1.0}) averages.add({"time", "u", "v"}, CsvRow{t, 2.0, 5.0});
    for (const double t : {2.0, 4.0}) averages.add({"time", "omega"}, CsvRow{t, 7.0});
    averages.write();
    comm.barrier();
    const std::string text = text_of(file);
    EXPECT_TRUE(text.starts_with("column,mean,rms,from,to\nomega,7")) << text;
    EXPECT_EQ(std::ranges::count(text, '\n'), 2) << text;
    comm.barrier();
}

TEST_F(OutputStateTest, RepeatedStepsCountOn) {
    set_stop_patience(HUGE_VAL);
    std::optional<test::SavedState> saved;
    {
        HandRun first(comm, scratch / "repeated", EarlierResults::refuse);
        first.output->start(first.now());
        first.steps_until(2);
        first.run.summary.repeated_steps = 3;
        saved.emplace(comm, first.registry.save());
    }
    HandRun second(comm, scratch / "repeated", EarlierResults::continue_);
    second.take_up(*saved, 2);
    EXPECT_EQ(second.run.summary.repeated_steps, 3);
}

// A run that is stopped at the time of a frame has drawn it already.
TEST_F(OutputStateTest, AFilmHasEachFrameOnce) {
    set_stop_patience(HUGE_VAL);
    HandRun run(comm, scratch / "film", EarlierResults::refuse,
                {"film=[{name=\"film\", every=2, width=64, height=64}]"});
    run.output->start(run.now());
    run.steps_until(4);
    run.output->finish(run.now());
    comm.barrier();
    const fs::path pictures = scratch / "film/pictures";
    if (fs::exists(pictures / "film_0000.png")) {             // where pictures can be drawn
        EXPECT_TRUE(fs::exists(pictures / "film_0002.png"));  // step 4
    }
    EXPECT_FALSE(fs::exists(pictures / "film_0003.png"));
    comm.barrier();
}

}  // namespace
}  // namespace solenoid::output_state_test
