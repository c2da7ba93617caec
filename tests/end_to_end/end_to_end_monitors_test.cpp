// When a run records what, its averages, and where its time goes.
#include <gtest/gtest.h>

#include <numeric>

#include "flow_runs.hpp"

namespace solenoid::test::end_to_end_monitors_test {
namespace {

const std::string more_monitors = R"toml(
[[monitor]]
type = "point"
name = "each"
at = [0.4, 0.6]
every = 1
fields = ["velocity"]

[[monitor]]
type = "force"
name = "window"
boundaries = ["ymax"]
from = 0.1
to = 0.2

[[monitor]]
type = "force"
name = "sparse"
boundaries = ["ymax"]
interval = 0.15

[[monitor]]
type = "line"
name = "early"
from = [0, 0.5]
to = [1, 0.5]
points = 3
to_time = 0.1
interval = 0.05
)toml";

std::vector<double> times_of(const Table& table) {
    std::vector<double> times;
    for (const auto& time : table.column("time")) times.push_back(*time);
    return times;
}

void expect_times(const Table& table, const std::vector<double>& expected) {
    const std::vector<double> times = times_of(table);
    ASSERT_EQ(times.size(), expected.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(times[i], expected[i], 1e-12);
}

TEST(FlowMonitors, RecordWhenTheyAreDueWithoutStatesAndPictures) {
    const Flow run(cavity + more_monitors, {"--set", "output.vtk=false"});
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    const auto monitor = [&](const std::string& name) {
        return table_in(run.out() / "monitors" / (name + ".csv"));
    };
    const std::vector<double> steps = times_of(run.figures());
    std::vector<double> from_start{0};
    from_start.insert(from_start.end(), steps.begin(), steps.end());
    EXPECT_EQ(times_of(monitor("each")), from_start);
    EXPECT_EQ(monitor("each").columns,
              (std::vector<std::string>{"time", "x", "y", "z", "u", "v", "w"}));
    EXPECT_EQ(times_of(monitor("middle")), (std::vector{0.0, steps.back()}));
    std::vector<double> within;
    for (const double t : steps)
        if (t > 0.1 - 1e-9 && t < 0.2 + 1e-9) within.push_back(t);
    EXPECT_GE(within.size(), 5u);
    EXPECT_EQ(times_of(monitor("window")), within);
    // steps end at the times of intervals, and the last state counts
    expect_times(monitor("sparse"), {0.15, 0.3, steps.back()});
    for (const double due : {0.05, 0.1, 0.15, 0.3})
        EXPECT_TRUE(std::ranges::any_of(steps, [&](double t) { return std::abs(t - due) < 1e-12; }))
            << due;
    EXPECT_FALSE(fs::exists(run.out() / "pictures"));
    EXPECT_TRUE(run.states().empty());
    // of 0.1 s, not of the end
    EXPECT_NE(monitor("early").column("u"), monitor("vertical").column("u"));
    EXPECT_EQ(monitor("early").rows.size(), 3u);
}

// A point recorded at each step takes no values at all nodes, another one at the same place does.
TEST(FlowMonitors, APointAtEachStepHasTheValuesOfTheStates) {
    const std::string points = R"toml(
[[monitor]]
type = "point"
name = "each"
at = [0.31, 0.87]
every = 1

[[monitor]]
type = "point"
name = "with_states"
at = [0.31, 0.87]
)toml";
    for (const int ranks : {1, 3}) {
        const Flow run(cavity + points,
                       {"--set", "output.every=10", "--set", "solver.pressure.tolerance=1e-10"},
                       ranks);
        ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
        const Table each = table_in(run.out() / "monitors/each.csv"),
                    with_states = table_in(run.out() / "monitors/with_states.csv");
        ASSERT_EQ(each.columns, with_states.columns);
        ASSERT_EQ(times_of(each).size(), 21u);
        ASSERT_EQ(times_of(with_states).size(), 3u);
        for (const std::string& column : each.columns)
            for (const std::size_t row : {0, 1, 2}) {
                const double expected = *with_states.column(column)[row];
                EXPECT_NEAR(*each.column(column)[10 * row], expected,
                            1e-9 * std::max(1.0, std::abs(expected)))
                    << column << " of row " << row << ", " << ranks << " ranks";
                if (row == 2 && column != "z" && column != "w") {
                    EXPECT_GT(std::abs(expected), 1e-4) << column;
                }
            }
    }
}

TEST(FlowMonitors, PicturesAndStatesHaveTimesOfTheirOwn) {
    const Flow run(cavity + "[[picture]]\nname = \"p\"\nwidth = 64\nheight = 64\nevery = 8\n",
                   {"--set", "output.every=5", "--set", "output.from=0.1"});
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    std::vector<double> times;
    for (const WrittenState& state : run.states()) times.push_back(state.time);
    ASSERT_EQ(times.size(), 4u);  // steps 5, 10, 15, 20
    EXPECT_NEAR(times.front(), 0.1, 1e-12);
    for (const char* name : {"p_0000.png", "p_0001.png", "p_0002.png", "p.png"})
        EXPECT_TRUE(fs::exists(run.out() / "pictures" / name)) << name;  // steps 0, 8, 16, 20
    EXPECT_FALSE(fs::exists(run.out() / "pictures/p_0003.png"));
}

TEST(FlowMonitors, AndPicturesOfWhatAMethodLacksAreRefused) {
    const std::string picture = "[[picture]]\nname = \"p\"\nfield = \"pressure\"\n",
                      average = "[average]\nfields = [\"pressure\"]\n",
                      point =
                          "[[monitor]]\ntype = \"point\"\nname = \"q\"\nat = [0.5, 0.5]\n"
                          "fields = [\"pressure\"]\n";
    for (const std::string& more : {picture, average, point}) {
        const Flow run(cavity + more, {"--set", "flow.momentum=rotational"});
        EXPECT_EQ(run.outcome.code, 2);
        EXPECT_NE(
            run.outcome.err.find("the field \"pressure\" does not exist with the keys of this "
                                 "case: take \"speed\", \"velocity\""),
            std::string::npos)
            << run.outcome.err;
    }
}

// ---- averages

// The mean and the fluctuation of a function linear between samples, by Simpson's rule, which is
// exact for its square.
struct Moments {
    double mean = 0, rms = 0;
};
Moments moments_of(const std::vector<double>& time, const std::vector<double>& value) {
    const double whole = time.back() - time.front();
    Moments m;
    for (std::size_t i = 1; i < time.size(); ++i)
        m.mean += (time[i] - time[i - 1]) * (value[i] + value[i - 1]) / (2 * whole);
    double square = 0;
    for (std::size_t i = 1; i < time.size(); ++i) {
        const double a = value[i - 1] - m.mean, b = value[i] - m.mean, middle = (a + b) / 2;
        square += (time[i] - time[i - 1]) * (a * a + 4 * middle * middle + b * b) / 6;
    }
    m.rms = std::sqrt(square / whole);
    return m;
}

const std::string averaged = cavity +
                             "[[monitor]]\ntype = \"force\"\nname = \"lid\"\nboundaries = "
                             "[\"ymax\"]\n[average]\nfrom = 0.13\nto = 0.33\n"
                             "fields = [\"velocity\", \"pressure\"]\n";

TEST(Averages, OfAMonitorAreThoseOfItsRows) {
    const Flow run(averaged, {});
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    const Table rows = table_in(run.out() / "monitors/lid.csv");
    std::vector<double> time;
    std::map<std::string, std::vector<double>> of_column;
    for (const auto& row : rows.rows) {
        if (*row[0] < 0.13 - 1e-9 || *row[0] > 0.33 + 1e-9) continue;
        time.push_back(*row[0]);
        for (std::size_t k = 1; k < row.size(); ++k) of_column[rows.columns[k]].push_back(*row[k]);
    }
    EXPECT_NEAR(time.front(), 0.13, 1e-12);  // steps end there
    EXPECT_NEAR(time.back(), 0.33, 1e-12);
    const auto lines = lines_of(contents(run.out() / "monitors/lid_average.csv"));
    ASSERT_EQ(lines.size(), rows.columns.size());
    EXPECT_EQ(lines[0], "column,mean,rms,from,to");
    bool moves = false;
    for (std::size_t k = 1; k < lines.size(); ++k) {
        const std::string& name = rows.columns[k];
        const Moments expected = moments_of(time, of_column[name]);
        std::istringstream line(lines[k]);
        std::string cell;
        std::getline(line, cell, ',');
        EXPECT_EQ(cell, name);
        std::vector<double> found;
        while (std::getline(line, cell, ',')) found.push_back(std::stod(cell));
        ASSERT_EQ(found.size(), 4u);
        const double scale = std::abs(expected.mean) + expected.rms;
        EXPECT_NEAR(found[0], expected.mean, 1e-12 * scale) << name;
        EXPECT_NEAR(found[1], expected.rms, 1e-11 * scale) << name;
        EXPECT_EQ(found[2], time.front());
        EXPECT_EQ(found[3], time.back());
        moves |= expected.rms > 1e-3 * scale;
    }
    EXPECT_TRUE(moves);
}

TEST(Averages, OfFieldsAreThoseOfTheStates) {
    const Flow run(averaged, {"--set", "output.every=1"}, 2);
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    std::vector<double> time;
    std::map<std::string, std::vector<std::vector<double>>> of_state;  // for each state all values
    vtkSmartPointer<vtkUnstructuredGrid> last;
    for (const WrittenState& state : run.states()) {
        last = grid_in(state.file);
        if (state.time < 0.13 - 1e-9 || state.time > 0.33 + 1e-9) continue;
        time.push_back(state.time);
        for (const char* name : {"velocity", "pressure"}) {
            vtkDataArray* array = last->GetPointData()->GetArray(name);
            std::vector<double> values;
            for (vtkIdType i = 0; i < array->GetNumberOfValues(); ++i)
                values.push_back(array->GetVariantValue(i).ToDouble());
            of_state[name].push_back(values);
        }
    }
    for (const std::string name : {"velocity", "pressure"}) {
        vtkDataArray *mean = last->GetPointData()->GetArray((name + "_mean").c_str()),
                     *rms = last->GetPointData()->GetArray((name + "_rms").c_str());
        ASSERT_TRUE(mean && rms);
        double largest = 0;
        for (vtkIdType i = 0; i < mean->GetNumberOfValues(); ++i) {
            std::vector<double> values;
            for (const auto& state : of_state[name]) values.push_back(state[i]);
            const Moments expected = moments_of(time, values);
            ASSERT_NEAR(mean->GetVariantValue(i).ToDouble(), expected.mean, 1e-12) << name;
            ASSERT_NEAR(rms->GetVariantValue(i).ToDouble(), expected.rms, 1e-12) << name;
            largest = std::max(largest, expected.rms);
        }
        EXPECT_GT(largest, 1e-3) << name;
    }
}

TEST(Averages, AreRefusedWhereTheyCountNothing) {
    for (const auto& [change, words] : std::vector<std::pair<std::string, std::string>>{
             {"time.end=0.1", "is not before [time] end = 0.1 s (--set time.end)"},
             {"average.to=0.1", "to is not after from"},
             {"average.fields=[\"speeed\"]", "has \"speeed\": it takes \"velocity\""}}) {
        const Flow run(averaged, {"--set", change});
        EXPECT_EQ(run.outcome.code, 2);
        EXPECT_NE(run.outcome.err.find(words), std::string::npos) << run.outcome.err;
    }
}

// ---- where the time goes

TEST(FlowRun, TellsWhereItsTimeGoes) {
    const Flow run(
        cavity +
            "[[monitor]]\ntype = \"force\"\nname = \"lid\"\nboundaries = "
            "[\"ymax\"]\n[[picture]]\nname = \"p\"\nwidth = 400\nheight = 400\n",
        {"--set", "mesh.box.cells=2000", "--set", "time.step=0.005", "--set", "output.every=4"});
    ASSERT_EQ(run.outcome.code, 0) << run.outcome.err;
    const auto seconds = run.summary()["seconds"];
    double sum = 0;
    for (const auto& [phase, value] : seconds.items())
        if (phase != "total" && phase != "other") sum += value.get<double>();
    const double total = seconds["total"];
    EXPECT_GE(sum, 0.97 * total) << seconds;
    EXPECT_NEAR(sum + seconds["other"].get<double>(), total, 1e-3 * total) << seconds;
    for (const char* phase : {"start", "read", "setup", "solve", "monitors", "output", "pictures"})
        EXPECT_GT(seconds[phase].get<double>(), 0) << phase;
}

}  // namespace
}  // namespace solenoid::test::end_to_end_monitors_test
