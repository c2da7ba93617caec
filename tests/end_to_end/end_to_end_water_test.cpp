// Whole runs of the Boussinesq model, as a user starts them.
#include <gtest/gtest.h>

#include "results.hpp"

namespace solenoid::test::end_to_end_water_test {
namespace {

using Words = std::vector<std::string>;

// A basin of 64 x 32 m, closed, with a standing wave along x of three half lengths: walls are half
// a cell outside the nodes.
const std::string basin = R"T(
physics = "boussinesq"
name = "basin"
[grid]
nodes = [64, 32]
low = [0.5, 0.5]
high = [63.5, 31.5]
[boussinesq]
depth = 6
[boundary.default]
type = "wall"
[initial]
elevation = "0.1*cos(3*pi*x/64)"
[time]
end = 20
[output]
interval = 10
[solver.psi]
tolerance = 1e-8
[[monitor]]
type = "point"
name = "corner"
at = [0.5, 0.5]
every = 1
[[monitor]]
type = "line"
name = "line"
from = [0.5, 5]
to = [63.5, 20]
points = 21
)T";

// A sea with waves, a mole and a ship, on half a hundred nodes.
const std::string sea = R"T(
physics = "boussinesq"
name = "sea"
[grid]
nodes = [61, 41]
high = [240, 160]
land = "abs(x - 150) < 6 && y < 60"
[boussinesq]
depth = "9 - 0.02*x"
current = [0.2, 0]
[boundary.west]
type = "irregular_waves"
significant_height = 0.5
peak_period = 7
width = 40
rise = 4
[boundary.east]
type = "absorbing"
width = 40
period = 7
[boundary.default]
type = "wall"
[[ship]]
name = "ferry"
length = 40
beam = 16
draught = 1
times = [0, 10, 20]
x = [70, 110, 160]
y = [100, 110, 100]
moves = ["heave", "pitch"]
[[ship]]
name = "tug"
length = 24
beam = 12
draught = 1
at = [60, 50]
heading = 90
speed = 3
turn_rate = -9
[time]
end = 12
[output]
interval = 6
[checkpoint]
interval = 6
[[monitor]]
type = "line"
name = "line"
from = [40, 100]
to = [230, 90]
points = 31
[[picture]]
name = "surface"
field = "elevation"
height_of = "elevation"
width = 100
height = 80
)T";

Outcome run_in(const Folder& folder, const Words& more, int ranks = 1) {
    Words words{"run", "case.toml", "-o", "out", "--overwrite"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, {.ranks = ranks, .folder = folder.path});
}

std::vector<double> numbers(const Table& table, const std::string& column) {
    std::vector<double> values;
    for (const auto& value : table.column(column)) values.push_back(value.value_or(NAN));
    return values;
}

// By omega^2 = g k^2 h (1 + (k h)^2 / 15) / (1 + 2 (k h)^2 / 5).
TEST(Water, AStandingWaveSwingsAsTheFormulaSays) {
    const Folder folder;
    folder.write("case.toml", basin);
    const Outcome outcome = run_in(folder, {});
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    const double pi = std::acos(-1.0), k = 3 * pi / 64, h = 6, kh = k * h,
                 omega = std::sqrt(9.81 * k * k * h * (1 + kh * kh / 15) / (1 + 0.4 * kh * kh));
    const Table corner = table_in(folder / "out/monitors/corner.csv");
    const auto t = numbers(corner, "time"), zeta = numbers(corner, "elevation");
    ASSERT_GT(t.size(), 50u);
    EXPECT_NEAR(t.back(), 20, 1e-9);
    double most = 0;
    for (std::size_t n = 0; n < t.size(); ++n)
        most = std::max(most, std::abs(zeta[n] - 0.1 * std::cos(k * 0.5) * std::cos(omega * t[n])));
    EXPECT_LT(most, 0.1 * 0.02);  // 20 nodes a half length, after six periods
    const auto energy = numbers(table_in(folder / "out/monitors/water.csv"), "energy");
    EXPECT_NEAR(energy.back(), energy.front(), 1e-6 * energy.front());
    EXPECT_NEAR(energy.front(), 9.81 / 2 * 0.01 / 2 * 64 * 32, 0.01 * energy.front());
    EXPECT_TRUE(fs::exists(folder / "out/basin_000000.pvti"));
}

// With all that a case may have: the same on 1, 2 and 4 ranks and on each device, and after it was
// broken off and continued on other ranks.
TEST(Water, RanksDevicesAndRestartsAgree) {
    const Folder folder;
    folder.write("case.toml", sea);
    const auto run = [&](const Words& more, int ranks) {
        const Outcome outcome = run_in(folder, more, ranks);
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        return numbers(table_in(folder / "out/monitors/line.csv"), "elevation");
    };
    const auto expected = run({}, 1);
    const auto ferry = table_in(folder / "out/monitors/ferry.csv"),
               tug = table_in(folder / "out/monitors/tug.csv");
    ASSERT_EQ(expected.size(), 31u);
    const double size = *std::ranges::max_element(expected);
    EXPECT_GT(size, 0.1);
    EXPECT_GT(fs::file_size(folder / "out/pictures/surface.png"), 1000u);
    // on its path, and on a circle to the right: a quarter of a turn in 10 s
    const auto near = [](const Table& table, const std::string& column, double t, double value,
                         double bound) {
        const auto times = numbers(table, "time"), values = numbers(table, column);
        for (std::size_t k = 0; k < times.size(); ++k)
            if (std::abs(times[k] - t) < 0.01) {
                EXPECT_NEAR(values[k], value, bound) << column;
                return;
            }
        ADD_FAILURE() << "no row at " << t;
    };
    const double radius = 3 / (9 * M_PI / 180), turned = 12 * 9 * M_PI / 180;
    near(tug, "x", 12, 60 + radius * (1 - std::cos(turned)), 1e-6);
    near(tug, "y", 12, 50 + radius * std::sin(turned), 1e-6);
    near(tug, "speed", 12, 3, 1e-12);
    EXPECT_GT(numbers(ferry, "x").back(), 110);
    EXPECT_NE(numbers(ferry, "heave").back(), 0);
    EXPECT_EQ(numbers(tug, "heave").back(), 0);
    const auto compare = [&](const std::vector<double>& other, double bound) {
        ASSERT_EQ(other.size(), expected.size());
        for (std::size_t k = 0; k < other.size(); ++k)
            EXPECT_NEAR(other[k], expected[k], bound * size) << k;
    };
    for (const int ranks : {2, 4}) compare(run({}, ranks), 1e-3);
    compare(run({"--device", "compute"}, 1), 1e-3);
    compare(run({"--precision", "single"}, 2), 1e-2);

    run({"--set", "time.end=6"}, 1);
    for (const int ranks : {1, 2}) {
        const std::string copy = "out" + std::to_string(ranks);
        fs::copy(folder / "out", folder / copy, fs::copy_options::recursive);
        const Outcome on = run_program({"restart", copy, "--set", "time.end=12"},
                                       {.ranks = ranks, .folder = folder.path});
        ASSERT_EQ(on.code, 0) << on.out << on.err;
        const auto values = numbers(table_in(folder / copy / "monitors/line.csv"), "elevation");
        compare(values, ranks == 1 ? 0 : 1e-3);
        EXPECT_EQ(table_in(folder / copy / "monitors/ferry.csv").rows.size(), ferry.rows.size());
    }
}

// The same state as without the break, up to the second order of the longer steps before it; the
// waves that come in are those of the shorter steps, too.
TEST(Water, ARestartTakesTheStepThatItIsGiven) {
    const Folder folder;
    folder.write("case.toml", sea);
    const auto elevations = [&] {
        return numbers(table_in(folder / "out/monitors/line.csv"), "elevation");
    };
    ASSERT_EQ(run_in(folder, {"--set", "time.step=0.05"}).code, 0);
    const auto expected = elevations();
    const double size = *std::ranges::max_element(expected);
    ASSERT_EQ(run_in(folder, {"--set", "time.end=6"}).code, 0);
    const auto restart = [&](const Words& sets) {
        Words words{"restart", "out"};
        for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
        return run_program(words, {.folder = folder.path});
    };
    // none of its steps goes into 6 s
    const Outcome refused = restart(
        {"time.end=12.25", "time.step=0.049", "output.interval=0.49", "checkpoint.interval=0.49"});
    EXPECT_EQ(refused.code, 2) << refused.out << refused.err;
    EXPECT_NE(refused.err.find("the time of the checkpoint: 6 s"), std::string::npos)
        << refused.err;
    const Outcome on = restart({"time.end=12", "time.step=0.05"});
    ASSERT_EQ(on.code, 0) << on.out << on.err;
    EXPECT_NE(on.out.find("steps of 0.05 s"), std::string::npos) << on.out;
    const auto t = numbers(table_in(folder / "out/monitors/water.csv"), "time");
    ASSERT_GT(t.size(), 120u);
    EXPECT_NEAR(t.back(), 12, 1e-9);
    EXPECT_NEAR(t.back() - t[t.size() - 2], 0.05, 1e-9);
    EXPECT_NEAR(t[t.size() - 120], 6.05, 1e-9);
    const auto found = elevations();
    ASSERT_EQ(found.size(), expected.size());
    for (std::size_t k = 0; k < found.size(); ++k)
        EXPECT_NEAR(found[k], expected[k], 0.03 * size) << k;
}

// A step that was stable and is not with another gravity.
TEST(Water, ARestartStaysStable) {
    const Folder folder;
    folder.write("case.toml", basin);
    ASSERT_EQ(run_in(folder, {}).code, 0);
    const Outcome on =
        run_program({"restart", "out", "--set", "time.end=30", "--set", "boussinesq.gravity=60"},
                    {.folder = folder.path});
    ASSERT_EQ(on.code, 0) << on.out << on.err;
    for (const double zeta : numbers(table_in(folder / "out/monitors/corner.csv"), "elevation"))
        ASSERT_LT(std::abs(zeta), 0.3);
}

// As fast as that, and uneven, a current makes waves grow without end.
TEST(Water, WavesWithoutBoundAreAFailure) {
    const Folder folder;
    std::string text = basin;
    text.replace(text.find("depth = 6"), 9, "depth = 6\ncurrent = [\"6*sin(pi*x/8)\", 0]");
    folder.write("case.toml", text);
    for (const int ranks : {1, 2}) {
        const Outcome outcome =
            run_in(folder,
                   {"--set", "time.end=400", "--set", "grid.nodes=[33, 9]", "--set",
                    "grid.high=[32, 8]", "--set", "grid.low=[0, 0]", "--set",
                    "initial.elevation=0.1*cos(pi*x/32)", "--set", "monitor=[]"},
                   ranks);
        EXPECT_EQ(outcome.code, 1) << outcome.out << outcome.err;
        EXPECT_NE(outcome.err.find("grow without bound; take slower currents"), std::string::npos)
            << outcome.err;
        EXPECT_EQ(summary_in(folder / "out")["status"], "failed");
    }
}

TEST(Water, InitWritesACaseThatRuns) {
    const Folder folder;
    const Outcome init = run_program({"init", "--physics", "boussinesq", "-o", "case.toml"},
                                     {.folder = folder.path});
    ASSERT_EQ(init.code, 0) << init.out << init.err;
    const Outcome outcome =
        run_in(folder, {"--set", "time.end=10", "--set", "grid.nodes=[81, 41]"});
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

// One line, with the place and what to change, and code 2.
TEST(Water, BadInputIsTold) {
    const auto without = [](std::string text, const std::string& line, const std::string& by = "") {
        const auto at = text.find(line);
        EXPECT_NE(at, text.npos) << line;
        return text.replace(at, line.size(), by);
    };
    struct Bad {
        std::string text;
        Words words;
    };
    const std::string ship = "[[ship]]\nlength = 9\nbeam = 3\ndraught = 1\n";
    for (const Bad& bad : std::vector<Bad>{
             {without(basin, "depth = 6\n"), {"\"depth\" or \"depth_file\""}},
             {without(basin, "depth = 6", "depth = -1"), {"all of it is land"}},
             {without(basin, "depth = 6", "depth = \"t\""), {"case.toml:9", "not on t"}},
             {without(basin, "depth = 6", "depth_file = \"no.asc\""),
              {"case.toml:9", "there is no file"}},
             {without(basin, "depth = 6", "depth_file = \"case.toml\""), {"case.toml:2", "ncols"}},
             {without(basin, "depth = 6", "depth = 6\ndepth_file = \"a.asc\""),
              {"depth", "depth_file"}},
             {without(basin, "depth = 6", "depth = 6\ngravity = 0"), {"case.toml:10", "gravity"}},
             {without(basin, "nodes = [64, 32]", "nodes = [64, 32]\nperiodic = [\"x\"]"),
              {"case.toml:4", "periodic", "leave it out"}},
             {without(basin, "nodes = [64, 32]", "nodes = [64, 32]\nmap = [\"x\", \"y\"]"),
              {"case.toml:4", "map", "leave it out"}},
             {without(basin, "[time]\nend = 20\n"), {"[time]", "no steady state"}},
             {without(basin, "end = 20", "end = 20\nstep = 9"),
              {"step", "longest stable step", "leave it out"}},
             {without(basin, "end = 20", "end = 20\nstep = 0.03"),
              {"not a whole number of steps", "leave time.step out"}},
             {without(basin, "interval = 10", "interval = 2.345678901"),
              {"no whole numbers of one step"}},
             {without(basin, "type = \"wall\"", "type = \"absorbing\""), {"case.toml:10", "width"}},
             {without(basin, "type = \"wall\"", "type = \"absorbing\"\nwidth = 9\nperiod = 0"),
              {"case.toml:13", "period"}},
             {without(basin, "type = \"wall\"",
                      "type = \"regular_waves\"\namplitude = 1\nperiod = 0.01\nwidth = 9"),
              {"case.toml:10", "[boundary.", "too short", "finer grid"}},
             {without(basin, "type = \"wall\"", "type = \"walls\""), {"case.toml:11", "\"wall\""}},
             {basin + ship, {"at"}},
             {basin + ship + "at = [9, 9]\ntimes = [0, 1]\nx = [0, 1]\ny = [0, 1]\n",
              {"at", "steered"}},
             {basin + ship + "times = [0, 1]\nx = [0, 1, 2]\ny = [0, 1]\n", {"x", "3", "2"}},
             {basin + ship + "times = [1, 0]\nx = [0, 1]\ny = [0, 1]\n", {"times"}},
             {basin + ship + "at = [9, 9]\nmoves = [\"yaw\"]\n", {"moves", "\"heave\""}},
             {basin + ship + "at = [9, 9]\n" + ship + "at = [9, 9]\n", {"name", "is taken"}},
             {basin + "[[ship]]\nname = \"water\"" + ship.substr(8) + "at = [9, 9]\n",
              {"case.toml:32", "name", "\"water\""}},
             {basin + "[[ship]]\nname = \"step\"" + ship.substr(8) + "at = [9, 9]\n",
              {"case.toml:32", "name", "\"step\""}},
             {basin + ship + "at = [70, 9]\n",
              {"case.toml:31", "(70, 9)", "outside of the grid", "(64, 32)"}},
             {without(basin, "depth = 6", "depth = \"x < 40 ? 6 : -1\"") + ship + "at = [45, 9]\n",
              {"case.toml:31", "on land"}},
             {without(basin, "depth = 6", "depth = 1") + ship + "at = [9, 9]\n",
              {"case.toml:31", "hull is 1 m deep", "draught"}},
             {without(basin, "depth = 6", "depth = \"x < 9.8 ? 6 : 0.5\"") + ship +
                  "at = [9, 9.5]\n",
              {"case.toml:31", "at (10.5, 9.5)", "0.5 m deep"}},
             {without(basin, "interval = 10", "interval = 10\nfrom = 3.45678901"),
              {"[output] from", "no whole numbers of one step"}},
             {without(basin, "tolerance = 1e-8", "tolerance = 2"),
              {"tolerance", "between 0 and 1"}},
             {without(basin, "0.1*cos(3*pi*x/64)", "1/(x - 0.5)"), {"case.toml:13", "1/(x - 0.5)"}},
         }) {
        const Folder folder;
        folder.write("case.toml", bad.text);
        const Outcome outcome = run_in(folder, {});
        EXPECT_EQ(outcome.code, 2) << bad.text << outcome.out << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        for (const std::string& word : bad.words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
    }
}

}  // namespace
}  // namespace solenoid::test::end_to_end_water_test
