// Whole runs of waves on structured grids, as a user starts them.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "results.hpp"

namespace solenoid::test::end_to_end_wave_grid_test {
namespace {

using std::numbers::pi;
using Words = std::vector<std::string>;

Outcome run_in(const Folder& folder, const Words& more, int ranks = 1) {
    Words words{"run", "case.toml", "-o", "out", "--overwrite"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, {.ranks = ranks, .folder = folder.path});
}

void expect_done(const Outcome& outcome) {
    ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
}

// 4/h^2 sin^2(k h/2)
double eigenvalue(double k, double h) { return std::pow(2 / h * std::sin(k * h / 2), 2); }

// cos(w t) sin(2 pi x) sin(2 pi y) with waves of 1.5 m/s on 2 x 1 between clamped sides.
const std::string mode = R"case(
physics = "wave"
name = "mode"
[grid]
nodes = [33, 17]
high = [2, 1]
[wave]
speed = 1.5
[boundary.default]
type = "fixed"
[initial]
displacement = "sin(2*pi*x)*sin(2*pi*y)"
[time]
end = 1
step = 0.02
[[monitor]]
type = "point"
name = "crest"
at = [0.25, 0.25]
every = 1
)case";

// On each device the mode of the discrete equations, which is near that of the equation.
TEST(WaveOnGrid, StandingModesAreExact) {
    const Folder folder;
    folder.write("case.toml", mode);
    const double h = 1.0 / 16, l = 1.5 * 1.5 * 2 * eigenvalue(2 * pi, h),
                 exact = 3 * pi * std::sqrt(2.0);
    for (const char* device : {"cpu", "compute", "fragment"})
        for (const bool is_explicit : {true, false}) {
            Words words{"--device", device};
            // fewer steps where a device may have no GPU
            const double end = device == std::string("cpu") ? 1 : 0.2;
            words.insert(words.end(), {"--set", "time.end=" + std::to_string(end)});
            if (!is_explicit) words.insert(words.end(), {"--set", "wave.time_scheme=trapezoidal"});
            const Outcome outcome = run_in(folder, words);
            expect_done(outcome);
            const Table crest = table_in(folder / "out/monitors/crest.csv");
            EXPECT_EQ(crest.columns, (Words{"time", "x", "y", "z", "displacement", "velocity"}));
            const auto time = crest.column("time"), y = crest.column("displacement"),
                       v = crest.column("velocity");
            ASSERT_EQ(time.size(), std::lround(end / 0.02) + 1u);
            const double dt = 0.02, root = dt / 2 * std::sqrt(l),
                         angle = 2 * (is_explicit ? std::asin(root) : std::atan(root)),
                         rate = is_explicit ? std::sin(angle) / dt : 2 / dt * std::tan(angle / 2);
            for (std::size_t n = 0; n < time.size(); ++n) {
                EXPECT_NEAR(*time[n], double(n) * dt, 1e-12);
                EXPECT_NEAR(*y[n], std::cos(double(n) * angle), 1e-8) << device << n;
                EXPECT_NEAR(*v[n], -rate * std::sin(double(n) * angle), 1e-7) << device << n;
                EXPECT_NEAR(*y[n], std::cos(*time[n] * exact),
                            1e-9 + (is_explicit ? 0.2 : 0.5) * *time[n]);
            }
            const Table energies = table_in(folder / "out/monitors/wave.csv");
            EXPECT_EQ(energies.columns, (Words{"time", "step_length", "kinetic_energy",
                                               "potential_energy", "energy"}));
            const auto energy = energies.column("energy");
            // of the start: 1/2 c^2 |grad y|^2, discretely
            EXPECT_NEAR(*energy.front(), 0.5 * 0.5 * l, 1e-9);
            EXPECT_NEAR(*energy.back() / *energy[1], 1, 1e-9);
        }
    const auto summary = summary_in(folder / "out");
    EXPECT_EQ(summary["status"], "done");
    EXPECT_TRUE(fs::exists(folder / "out/mode_000000.pvti"));
}

// A pulse along x comes in through the west and leaves through the east, of second order; round a
// periodic direction, and between sides along which it glides.
TEST(WaveOnGrid, AbsorbingSidesLetAPulseThrough) {
    const Folder folder;
    folder.write("case.toml", R"case(
physics = "wave"
name = "pulse"
[grid]
nodes = [65, 9]
high = [1, 0.125]
[wave]
speed = 2
[boundary.west]
type = "absorbing"
incident = "exp(-50*(2*t - x - 0.4)^2)"
[boundary.default]
type = "absorbing"
[time]
end = 0.45
[[monitor]]
type = "line"
name = "line"
from = [0, 0.03]
to = [1, 0.03]
points = 65
)case");
    const std::string glides = "boundary.default.incident=exp(-50*(2*t - x - 0.4)^2)*(x < 0.99)";
    for (const Words& more : {Words{"--set", "grid.periodic=[\"y\"]"}, Words{"--set", glides}})
        for (const bool is_explicit : {true, false})
            for (const double end : {0.45, 1.2}) {
                Words words = more;
                words.insert(words.end(), {"--set", "time.end=" + std::to_string(end)});
                if (!is_explicit)
                    words.insert(words.end(), {"--set", "wave.time_scheme=trapezoidal", "--set",
                                               "time.step=0.005"});
                expect_done(run_in(folder, words));
                const Table line = table_in(folder / "out/monitors/line.csv");
                const auto x = line.column("x"), y = line.column("displacement");
                for (std::size_t k = 0; k < x.size(); ++k)
                    EXPECT_NEAR(*y[k], std::exp(-50 * std::pow(2 * end - *x[k] - 0.4, 2)), 0.02)
                        << end << ", " << *x[k];
            }
}

// Data that jump: y'' = 0 until 0.53 s and then 2, where the exact solution is a parabola of both
// schemes.
TEST(WaveOnGrid, StepsEndWhereDataJump) {
    const Folder folder;
    folder.write("case.toml", mode);
    for (const char* scheme : {"leapfrog", "trapezoidal"}) {
        expect_done(
            run_in(folder, {"--set", "boundary.default.type=free", "--set",
                            "wave.source=t < 0.53 ? 0 : 2", "--set", "initial.displacement=0",
                            "--set", std::string("wave.time_scheme=") + scheme}));
        const Table crest = table_in(folder / "out/monitors/crest.csv");
        const auto time = crest.column("time"), y = crest.column("displacement"),
                   v = crest.column("velocity");
        for (std::size_t n = 0; n < time.size(); ++n) {
            const double since = std::max(*time[n] - 0.53, 0.0);
            EXPECT_NEAR(*y[n], since * since, 1e-8) << scheme << *time[n];
            EXPECT_NEAR(*v[n], 2 * since, 1e-7) << scheme << *time[n];
        }
        EXPECT_NEAR(*time.back(), 1, 1e-12);
    }
}

TEST(WaveOnGrid, BeyondTheExplicitLimitCrankNicolsonKeepsItsEnergy) {
    const Folder folder;
    folder.write("case.toml", mode);
    const double h = 1.0 / 16, limit = 2 / (1.5 * std::sqrt(8 / (h * h)));
    for (const int ranks : {1, 2}) {
        const Outcome outcome = run_in(folder, {"--set", "time.step=0.2"}, ranks);
        EXPECT_EQ(outcome.code, 2) << outcome.out;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        std::ostringstream largest;
        largest.precision(6);
        largest << limit;
        for (const std::string& word :
             {std::string("case.toml"), largest.str(), std::string("trapezoidal")})
            EXPECT_NE(outcome.err.find(word), std::string::npos) << word << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "out"));
    }
    // 100 periods 2 pi / (3 pi sqrt 2) at six times the limit
    for (const char* shore : {"fixed", "free"}) {
        expect_done(run_in(folder, {"--set", "time.step=0.18", "--set", "time.end=47.16", "--set",
                                    "wave.time_scheme=trapezoidal", "--set",
                                    "grid.land=(x - 0.8)^2 + (y - 0.4)^2 < 0.03", "--set",
                                    std::string("boundary.default.type=") + shore, "--set",
                                    "initial.displacement=exp(-40*((x - 1.4)^2 + (y - 0.5)^2))"}));
        const auto energy = table_in(folder / "out/monitors/wave.csv").column("energy");
        ASSERT_EQ(energy.size(), 263u);
        for (std::size_t n = 2; n < energy.size(); ++n)
            EXPECT_NEAR(*energy[n] / *energy[1], 1, 1e-8) << shore;
    }
}

// With cells 1 : 16 lines are smoothed, so that long steps take few iterations.
TEST(WaveOnGrid, StretchedCellsTakeFewIterations) {
    const Folder folder;
    folder.write("case.toml", mode);
    for (const char* nodes : {"[257, 9]", "[17, 129]"}) {
        expect_done(run_in(folder, {"--set", std::string("grid.nodes=") + nodes, "--set",
                                    "wave.time_scheme=trapezoidal", "--set", "time.step=0.5",
                                    "--set", "initial.displacement=x*y*(2 - x)"}));
        const auto solve = summary_in(folder / "out")["solves"][0];
        EXPECT_EQ(solve["count"], 2);
        EXPECT_LE(solve["iterations"].get<int>(), 20) << nodes;
    }
}

// A mapped grid with an island, waves that come in from the west, a wall in the south that moves.
const std::string bay = R"case(
physics = "wave"
name = "bay"
[grid]
nodes = [41, 33]
high = [2, 1]
map = ["x + 0.1*sin(pi*y)", "y + 0.05*sin(2*x)"]
land = "(x - 1)^2 + (y - 0.5)^2 < 0.04"
[wave]
speed = "1 + 0.3*x"
source = "0.1*sin(3*t)*x"
[boundary.west]
type = "absorbing"
incident = "0.1*sin(8*(t - x))"
[boundary.east]
type = "absorbing"
[boundary.south]
type = "fixed"
value = "0.02*sin(5*t)*x"
[boundary.land]
type = "SHORE"
[boundary.default]
type = "free"
[time]
end = 0.4
step = 0.0125
[[monitor]]
type = "line"
name = "across"
from = [0.3, 0.6]
to = [1.9, 0.7]
points = 9
)case";

std::string bay_with(const std::string& shore) {
    std::string text = bay;
    return text.replace(text.find("SHORE"), 5, shore);
}

void expect_near(const Table& one, const Table& other, double bound) {
    ASSERT_EQ(one.columns, other.columns);
    ASSERT_EQ(one.rows.size(), other.rows.size());
    for (std::size_t row = 0; row < one.rows.size(); ++row)
        for (std::size_t k = 0; k < one.columns.size(); ++k)
            ASSERT_NEAR(*one.rows[row][k], *other.rows[row][k], bound)
                << one.columns[k] << ", row " << row;
}

TEST(WaveOnGrid, RanksAgree) {
    for (const bool is_explicit : {true, false}) {
        const Folder folder;
        folder.write("case.toml", bay_with(is_explicit ? "free" : "fixed"));
        Words words;
        if (!is_explicit) words = {"--set", "wave.time_scheme=trapezoidal"};
        const auto tables = [&](int ranks) {
            const Outcome outcome = run_in(folder, words, ranks);
            EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
            EXPECT_NE(outcome.out.find("cells, mapped"), std::string::npos) << outcome.out;
            return std::pair(table_in(folder / "out/monitors/across.csv"),
                             table_in(folder / "out/monitors/wave.csv"));
        };
        const auto expected = tables(1);
        ASSERT_EQ(expected.first.rows.size(), 9u);
        EXPECT_GT(*expected.second.column("energy").back(), 1e-4);
        for (const int ranks : {2, 4}) {
            const auto others = tables(ranks);
            expect_near(expected.first, others.first, is_explicit ? 1e-12 : 1e-7);
            expect_near(expected.second, others.second, is_explicit ? 1e-12 : 1e-7);
        }
    }
}

// Stopped after 17 of 32 steps: the same bits on as many ranks, the same result on others.
TEST(WaveOnGrid, StopsAndGoesOn) {
    for (const bool is_explicit : {true, false}) {
        const Folder folder;
        folder.write("case.toml", bay_with("free"));
        Words words;
        if (!is_explicit) words = {"--set", "wave.time_scheme=trapezoidal"};
        expect_done(run_in(folder, words, 2));
        const std::string whole = contents(folder / "out/monitors/across.csv"),
                          energies = contents(folder / "out/monitors/wave.csv");
        const Table expected = table_in(folder / "out/monitors/across.csv");
        for (const int ranks : {2, 1, 3}) {
            Words first = words;
            first.insert(first.end(), {"--set", "time.steps=17"});
            expect_done(run_in(folder, first, 2));
            EXPECT_EQ(summary_in(folder / "out")["status"], "stopped");
            const Outcome outcome = run_program({"restart", "out", "--set", "time.steps=100"},
                                                {.ranks = ranks, .folder = folder.path});
            expect_done(outcome);
            EXPECT_EQ(summary_in(folder / "out")["status"], "done");
            if (ranks == 2) {
                EXPECT_EQ(contents(folder / "out/monitors/across.csv"), whole);
                EXPECT_EQ(contents(folder / "out/monitors/wave.csv"), energies);
            }
            expect_near(table_in(folder / "out/monitors/across.csv"), expected,
                        is_explicit ? 1e-12 : 1e-7);
        }
    }
}

// [initial] file: of the states of a run, and of its checkpoint, which are those of the mode.
TEST(WaveOnGrid, StartsFromStatesOfOtherRuns) {
    const Folder folder;
    folder.write("case.toml", mode);
    expect_done(run_in(folder, {"--set", "time.steps=9"}));
    const Table before = table_in(folder / "out/monitors/crest.csv");
    fs::rename(folder / "out", folder / "first");
    for (const bool is_checkpoint : {false, true}) {
        fs::path from = folder / "first";
        if (is_checkpoint)
            for (const auto& entry : fs::directory_iterator(folder / "first/checkpoints"))
                if (entry.path().extension() == ".checkpoint") from = entry.path();
        expect_done(run_in(folder, {"--set", "initial={file = \"" + from.string() + "\"}", "--set",
                                    "time.steps=2"}));
        const Table after = table_in(folder / "out/monitors/crest.csv");
        EXPECT_NEAR(*after.column("displacement")[0], *before.column("displacement").back(), 1e-6);
        EXPECT_NEAR(*after.column("velocity")[0], *before.column("velocity").back(), 1e-5);
    }
}

TEST(WaveOnGrid, InitWritesACaseThatRuns) {
    const Folder folder;
    const Outcome init =
        run_program({"init", "--physics", "wave", "-o", "case.toml"}, {.folder = folder.path});
    ASSERT_EQ(init.code, 0) << init.out << init.err;
    expect_done(run_in(folder, {"--set", "grid.nodes=[33, 33]"}));
    EXPECT_GT(fs::file_size(folder / "out/pictures/displacement.png"), 5000u);
}

// One line, with the place and what to change, and code 2; on two ranks, where one alone may find
// it.
TEST(WaveOnGrid, BadInputIsTold) {
    const std::string head = "physics = \"wave\"\n", grid = "[grid]\nnodes = [9, 9]\n",
                      sides = "[boundary.default]\ntype = \"free\"\n",
                      rest = "[wave]\nspeed = 1\n[time]\nend = 1\n";
    const std::string all = head + grid + sides + rest;  // nine lines
    struct Bad {
        std::string text;
        Words words;
        bool is_of_ranks = false;  // found by the ranks that have the nodes; else by the reader
    };
    for (const Bad& bad : std::vector<Bad>{
             {head + sides + rest, {"case.toml", "[mesh] or [grid]"}},
             {head + "[mesh.box]\ncells = 9\n" + grid + sides + rest,
              {"case.toml:4", "either [mesh] or [grid]"}},
             {all + "[boundary.west]\ntype = \"periodic\"\npartner = \"east\"\n",
              {"case.toml:11", "[grid] periodic"}},
             {all + "[boundary.rim]\ntype = \"fixed\"\n",
              {"case.toml:10", "no boundary \"rim\"", "west"}},
             {head + grid + "[boundary.west]\ntype = \"fixed\"\n" + rest,
              {"no condition for the boundary", "east", "[boundary.default]"}},
             {head + grid + "land = \"x < 0.3 && y < 0.3\"\n" + sides +
                  "[boundary.land]\ntype = \"absorbing\"\n" + rest,
              {"case.toml:7", "[boundary.land]", "do not absorb", "\"free\" or \"fixed\""}},
             {head + grid + "land = \"x < 0.3 && y < 0.3\"\n" +
                  "[boundary.default]\ntype = \"absorbing\"\n" + rest,
              {"case.toml:5", "[boundary.land]", "do not absorb"}},
             {all + "[solver.displacement]\ntolerance = 1e-6\n",
              {"case.toml:10", "trapezoidal", "leapfrog solves nothing"}},
             {all + "step = 0.1\n[solver.displacement]\npreconditioner = \"jacobi\"\n",
              {"case.toml", "displacement"}},
             {all + "step = 2\n", {"case.toml", "beyond the limit", "0.08", "trapezoidal"}, true},
             {all + "step = 0.01\nretries = -1\n", {"case.toml:11", "retries"}},
             {head + grid + sides + "[wave]\nspeed = \"x - 0.5\"\n[time]\nend = 1\n",
              {"case.toml:7", "positive"},
              true},
             {head + grid + sides +
                  "[wave]\nspeed = 1\nsource = \"1/(x - 0.5)\"\n[time]\nend = 1\n",
              {"case.toml:8", "1/(x - 0.5)", "infinite"},
              true},
             {all + "[initial]\ndisplacement = \"1/x\"\n", {"case.toml:11"}, true},
             {head + grid + rest + "[boundary.default]\ntype = \"fixed\"\nvalue = \"t/y\"\n",
              {"case.toml:10"},
              true},
             {head + grid + rest + "[boundary.default]\ntype = \"absorbing\"\nincident = \"t/x\"\n",
              {"case.toml:10"},
              true},
             {head + grid + sides +
                  "[wave]\nspeed = 1\ntime_scheme = \"trapezoidal\"\n[time]\nend = 1\n",
              {"case.toml:9", "needs the key \"step\""}},
             {head + grid + sides +
                  "[wave]\nspeed = 1\ntime_scheme = \"trapezoidal\"\n[time]\nend = "
                  "1\nstep = 0.1\n[solver.displacement]\nlevels = 3\n",
              {"case.toml:13", "levels", "unstructured meshes", "leave it out"}},
         }) {
        const Folder folder;
        folder.write("case.toml", bad.text);
        const Outcome outcome = run_in(folder, {}, bad.is_of_ranks ? 2 : 1);
        EXPECT_EQ(outcome.code, 2) << bad.text << outcome.out << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        for (const std::string& word : bad.words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
        EXPECT_FALSE(fs::exists(folder / "out")) << bad.text;
    }
    const Folder folder;
    folder.write("case.toml", all);
    const Outcome mixed = run_in(folder, {"--precision", "mixed"});
    EXPECT_EQ(mixed.code, 2);
    EXPECT_NE(mixed.err.find("take double or single"), std::string::npos) << mixed.err;
}

// A solve that fails is repeated with shorter steps, and then the run ends.
TEST(WaveOnGrid, StepsThatFailAreRepeated) {
    const Folder folder;
    folder.write("case.toml", mode);
    const Words words{
        "--set", "wave.time_scheme=trapezoidal",         "--set", "time.step=0.2",
        "--set", "solver.displacement.max_iterations=1", "--set", "initial.displacement=x*y*(2-x)"};
    const Outcome outcome = run_in(folder, words, 2);
    if (outcome.code != 0) {
        EXPECT_EQ(outcome.code, 1);
        EXPECT_NE(outcome.err.find("displacement at t ="), std::string::npos) << outcome.err;
        EXPECT_NE(outcome.err.find("0.00078125"), std::string::npos) << outcome.err;
    }
    EXPECT_NE((outcome.out + outcome.err).find("repeated"), std::string::npos)
        << outcome.out << outcome.err;
}

}  // namespace
}  // namespace solenoid::test::end_to_end_wave_grid_test
