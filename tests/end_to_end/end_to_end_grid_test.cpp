// Whole runs on structured grids, as a user starts them: boundary-value problems.
#include <gtest/gtest.h>

#include <complex>

#include "results.hpp"

namespace solenoid::test::end_to_end_grid_test {
namespace {

using Words = std::vector<std::string>;

const std::string plate = source("cases/heated-plate/case.toml"),
                  profile = source("cases/profile/case.toml");

Outcome run_in(const Folder& folder, const Words& more, int ranks = 1) {
    Words words{"run", "case.toml", "-o", "out", "--overwrite"};
    words.insert(words.end(), more.begin(), more.end());
    return run_program(words, {.ranks = ranks, .folder = folder.path});
}

double value_of(const Table& table, const std::string& column) {
    return table.column(column).back().value_or(NAN);
}

// U = 5 + x on a square whose sides along x let nothing through, on each device.
TEST(Grid, LinearFunctionsAreExact) {
    const Folder folder;
    folder.write("case.toml", R"(
physics = "poisson"
name = "square"
[grid]
nodes = [18, 33]
high = [2, 1]
[poisson]
conductivity = 3
[boundary.west]
type = "value"
value = 5
[boundary.east]
type = "value"
value = "5 + x"
[boundary.default]
type = "slope"
[[monitor]]
type = "line"
name = "line"
from = [0.1, 0.2]
to = [2, 1]
points = 11
[[picture]]
name = "U"
field = "U"
width = 80
height = 60
)");
    for (const Words& more :
         {Words{}, Words{"--device", "compute"}, Words{"--device", "fragment"}}) {
        const Outcome outcome = run_in(folder, more);
        ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        EXPECT_NE(outcome.out.find(" m each"), std::string::npos) << outcome.out;
        const Table line = table_in(folder / "out/monitors/line.csv");
        ASSERT_EQ(line.rows.size(), 11u);
        const auto x = line.column("x"), u = line.column("U"), slope = line.column("gradient_x"),
                   across = line.column("gradient_y"), flux = line.column("flux_x"),
                   curl_x = line.column("curl_x"), curl_y = line.column("curl_y");
        for (std::size_t k = 0; k < 11; ++k) {
            EXPECT_NEAR(*u[k], 5 + *x[k], 1e-9);
            EXPECT_NEAR(*slope[k], 1, 1e-8);
            EXPECT_NEAR(*across[k], 0, 1e-8);
            EXPECT_NEAR(*flux[k], -3, 3e-8);
            EXPECT_NEAR(*curl_x[k], 0, 1e-8);
            EXPECT_NEAR(*curl_y[k], -1, 1e-8);
        }
        const Table flows = table_in(folder / "out/monitors/boundaries.csv");
        EXPECT_NEAR(value_of(flows, "west"), -3, 1e-8);
        EXPECT_NEAR(value_of(flows, "east"), 3, 1e-8);
        EXPECT_NEAR(value_of(flows, "imbalance"), 0, 1e-8);
        EXPECT_GT(fs::file_size(folder / "out/pictures/U.png"), 500u);
        EXPECT_TRUE(fs::exists(folder / "out/square_000000.pvti"));
    }
}

// Of a plate with a hole and two materials: the same on 1, 2 and 4 ranks and by every method; what
// flows in, is made and flows out balances.
TEST(Grid, RanksAndMethodsAgree) {
    const Folder folder;
    folder.write("case.toml", contents(plate));
    const auto run = [&](const Words& more, int ranks) {
        Words words{"--set", "grid.nodes=[65, 57]"};
        words.insert(words.end(), more.begin(), more.end());
        const Outcome outcome = run_in(folder, words, ranks);
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        const Table flows = table_in(folder / "out/monitors/boundaries.csv");
        EXPECT_NEAR(value_of(flows, "imbalance"), 0, 1e-9 * 400);
        EXPECT_GT(value_of(flows, "west"), 1);
        EXPECT_LT(value_of(flows, "east"), -1);
        return table_in(folder / "out/monitors/above_the_hole.csv").column("U");
    };
    const auto expected = run({}, 1);
    ASSERT_EQ(expected.size(), 101u);
    const auto compare = [&](const std::vector<std::optional<double>>& other, double bound) {
        ASSERT_EQ(other.size(), expected.size());
        for (std::size_t k = 0; k < other.size(); ++k) EXPECT_NEAR(*other[k], *expected[k], bound);
    };
    for (const int ranks : {2, 4}) compare(run({}, ranks), 1e-7);
    compare(run({"--set", "solver.U.method=cycles"}, 1), 1e-7);
    compare(run({"--set", "solver.U.method=cycles", "--set", "solver.U.cycle=W", "--set",
                 "solver.U.smoother=lines"},
                2),
            1e-7);
    compare(run({"--set", "solver.U.smoother=jacobi", "--set", "solver.U.before=2", "--set",
                 "solver.U.after=2"},
                1),
            1e-7);
    const Outcome single =
        run_in(folder, {"--set", "grid.nodes=[65, 57]", "--precision", "single"});
    EXPECT_EQ(single.code, 0) << single.out << single.err;
    compare(table_in(folder / "out/monitors/above_the_hole.csv").column("U"), 0.05);
}

// Parts of the domain that land cuts off, where nothing says where U is zero: U = x but for a
// constant, by slopes on both sides, has the mean 0 over the nodes of each.
TEST(Grid, PartsThatLandCutsOffHaveTheMeanZero) {
    const Folder folder;
    const std::string text = R"(
physics = "poisson"
name = "basins"
[grid]
nodes = [33, 33]
land = "abs(x - 0.5) < 0.03"
[boundary.west]
WEST
[boundary.east]
type = "slope"
slope = 1
[boundary.land]
type = "slope"
slope = "x > 0.5 ? -1 : SLOPE"
[boundary.default]
type = "slope"
[[monitor]]
type = "line"
name = "west"
from = [0, 0.4]
to = [0.46, 0.4]
points = 5
[[monitor]]
type = "line"
name = "east"
from = [0.54, 0.4]
to = [1, 0.4]
points = 5
)";
    const auto edited = [&](const std::string& west, const std::string& slope) {
        std::string result = text;
        result.replace(result.find("WEST"), 4, west);
        result.replace(result.find("SLOPE"), 5, slope);
        return result;
    };
    const auto check = [&](const std::string& line, double slope, double at_zero) {
        const Table table = table_in(folder / ("out/monitors/" + line + ".csv"));
        const auto x = table.column("x"), u = table.column("U");
        ASSERT_EQ(x.size(), 5u);
        for (std::size_t k = 0; k < 5; ++k)
            EXPECT_NEAR(u[k].value_or(NAN), at_zero + slope * *x[k], 1e-7) << line;
    };
    const auto run = [&](const std::string& method, int ranks) {
        const Outcome outcome = run_in(folder, {"--set", "solver.U.method=" + method}, ranks);
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        return outcome.out;
    };
    for (const int ranks : {1, 2}) {
        folder.write("case.toml", edited("type = \"value\"\nvalue = 5", "0"));
        const std::string held = run(ranks == 1 ? "cycles" : "cg", ranks);
        EXPECT_NE(held.find("land cuts off 1 part "), std::string::npos) << held;
        check("west", 0, 5);
        check("east", 1, -(17 + 32) / 2.0 / 32);  // columns 17 to 32
        folder.write("case.toml", edited("type = \"slope\"\nslope = -1", "1"));
        const std::string basins = run(ranks == 1 ? "cg" : "cycles", ranks);
        EXPECT_NE(basins.find("land cuts off 2 parts "), std::string::npos) << basins;
        check("west", 1, -15 / 2.0 / 32);  // columns 0 to 15
        check("east", 1, -(17 + 32) / 2.0 / 32);
    }
}

// Full multigrid goes on with cycles until at most 1e-3 of the right-hand side is left, and fails
// where they do not reach that.
TEST(Grid, FullMultigridHasAnAnswer) {
    const Folder folder;
    folder.write("case.toml", R"(
physics = "poisson"
[grid]
nodes = [65, 65]
[poisson]
source = 1
conductivity = "x + y < 0.77 ? 1 : 1e6"
[boundary.default]
type = "value"
value = 0
[[monitor]]
type = "line"
name = "line"
from = [0.1, 0]
to = [0.1, 1]
points = 33
)");
    const auto values = [&](const std::string& method) {
        const Outcome outcome = run_in(folder, {"--set", "solver.U.method=" + method});
        EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        return table_in(folder / "out/monitors/line.csv").column("U");
    };
    const auto expected = values("cg"), full = values("full");
    EXPECT_LE(summary_in(folder / "out")["solves"][0]["residual"].get<double>(), 1e-3);
    ASSERT_EQ(full.size(), 33u);
    double most = 0;
    for (const auto& value : expected) most = std::max(most, value.value_or(NAN));
    for (std::size_t k = 0; k < full.size(); ++k)
        EXPECT_NEAR(full[k].value_or(NAN), *expected[k], 0.02 * most);

    const Words stretched{"--set", "grid.high=[1e3, 1]",   "--set", "poisson.conductivity=1",
                          "--set", "solver.U.method=full", "--set", "solver.U.smoother=jacobi"};
    const auto with = [&](const char* more, int ranks = 1) {
        Words words = stretched;
        words.insert(words.end(), {"--set", more});
        return run_in(folder, words, ranks);
    };
    const auto check = [](const Outcome& outcome, const Words& words) {
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        for (const std::string& word : words)
            EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
    };
    const Words remedies{"full multigrid", "smoother = \"automatic\"", "method = \"cg\""};
    check(with("solver.U.max_iterations=100000"), remedies);
    for (const int ranks : {1, 2}) {
        const Outcome outcome = with("solver.U.max_iterations=3", ranks);
        check(outcome, remedies);
        check(outcome, {"3 more cycles", "raise solver.U.max_iterations"});
    }
    EXPECT_EQ(with("solver.U.smoother=automatic").code, 0);
    EXPECT_EQ(with("solver.U.method=cg").code, 0);
}

// The speed in front of the profile, by the conformal map: of second order.
TEST(Grid, FlowRoundAProfileIsExact) {
    using Complex = std::complex<double>;
    const double pi = std::acos(-1.0), a = 1.12, attack = 5 * pi / 180;
    const Complex centre(-0.0655, 0.1);
    const double g = 2 * a * std::sin(attack + std::asin(0.1 / a));
    const auto speed = [&](const Complex& z) {
        const Complex root = std::sqrt(z * z - 4.0), one = (z + root) / 2.0, two = (z - root) / 2.0;
        const Complex s = std::abs(one - centre) > std::abs(two - centre) ? one : two;
        const Complex w = s - centre, by_attack = std::polar(1.0, -attack);
        return (by_attack - a * a / (w * w) / by_attack + Complex(0, g) / w) /
               (1.0 - 1.0 / (s * s));
    };
    const Folder folder;
    folder.write("case.toml", contents(profile));
    double before = 0;
    for (const char* nodes : {"[128, 65]", "[256, 129]"}) {
        const Outcome outcome = run_in(folder, {"--set", std::string("grid.nodes=") + nodes}, 2);
        ASSERT_EQ(outcome.code, 0) << outcome.out << outcome.err;
        const auto files = fs::directory_iterator(folder / "out");
        EXPECT_TRUE(std::any_of(begin(files), end(files), [](const fs::directory_entry& entry) {
            return entry.path().extension() == ".pvts";
        }));
        const Table line = table_in(folder / "out/monitors/upstream.csv");
        const auto x = line.column("x"), y = line.column("y"), u = line.column("curl_x"),
                   v = line.column("curl_y");
        double most = 0;
        for (std::size_t k = 0; k < x.size(); ++k) {
            const Complex exact = std::conj(speed({*x[k], *y[k]}));
            most = std::max(most, std::abs(Complex(*u[k], *v[k]) - exact));
        }
        EXPECT_LT(most, before == 0 ? 0.02 : before / 3);
        before = most;
    }
}

TEST(Grid, InitWritesACaseThatRuns) {
    const Folder folder;
    const Outcome init =
        run_program({"init", "--physics", "poisson", "-o", "case.toml"}, {.folder = folder.path});
    ASSERT_EQ(init.code, 0) << init.out << init.err;
    EXPECT_EQ(run_in(folder, {}).code, 0);
    const Outcome without = run_program({"init", "-o", "heat.toml"}, {.folder = folder.path});
    EXPECT_EQ(without.code, 2);
    EXPECT_NE(without.err.find("MESH is missing"), std::string::npos) << without.err;
    const Outcome with = run_program(
        {"init", source("meshes/plate.msh"), "--physics", "poisson", "-o", "other.toml"},
        {.folder = folder.path});
    EXPECT_EQ(with.code, 2);
    EXPECT_NE(with.err.find("leave MESH out"), std::string::npos) << with.err;
}

// Of more nodes than any machine holds, at once and on all ranks.
TEST(Grid, ThatNoMachineHoldsIsRefused) {
    const Folder folder;
    const std::string grid = "[grid]\nnodes = [9, 9]\n", end = "[time]\nend = 1\n";
    for (const std::string& text :
         {"physics = \"poisson\"\n" + grid + "[boundary.default]\ntype = \"value\"\nvalue = 0\n",
          "physics = \"wave\"\n" + grid + "[boundary.default]\ntype = \"free\"\n" +
              "[wave]\nspeed = 1\n" + end,
          "physics = \"boussinesq\"\n" + grid + "[boundary.default]\ntype = \"wall\"\n" +
              "[boussinesq]\ndepth = 1\n" + end})
        for (const int ranks : {1, 3}) {
            folder.write("case.toml", text);
            const Outcome outcome =
                run_in(folder, {"--set", "grid.nodes=[1000000, 1000000]"}, ranks);
            EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
            EXPECT_NE(outcome.err.find("case.toml:2: [grid] nodes: 1000000 x 1000000 nodes"),
                      outcome.err.npos)
                << outcome.err;
            EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
            EXPECT_FALSE(fs::exists(folder / "out"));
        }
    const std::string memory = contents("/proc/meminfo");
    const std::size_t at = memory.find("MemAvailable:"), swap = memory.find("SwapFree:");
    ASSERT_TRUE(at != memory.npos && swap != memory.npos) << memory;
    if (std::stod(memory.substr(at + 13)) + std::stod(memory.substr(swap + 9)) > 45e6)
        return;  // [KiB]: it may hold the largest box
    folder.write("case.toml",
                 "[mesh.box]\ncells = 60\n[material.default]\nconductivity = 1\n"
                 "[boundary.default]\ntype = \"insulated\"\n");
    const Outcome outcome = run_in(folder, {"--set", "mesh.box.cells=500000000"}, 2);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    EXPECT_NE(
        outcome.err.find("[mesh.box] cells: 500000000 cells take at least 50 GB of memory, and"),
        outcome.err.npos)
        << outcome.err;
}

// One line, with the place and what to change, and code 2; some of it found by all ranks.
TEST(Grid, BadInputIsTold) {
    const std::string head = "physics = \"poisson\"\n", grid = "[grid]\nnodes = [9, 9]\n",
                      sides = "[boundary.default]\ntype = \"value\"\nvalue = 0\n",
                      slopes = "[boundary.default]\ntype = \"slope\"\n",
                      west = "[boundary.west]\ntype = \"value\"\nvalue = 0\n" + slopes;
    struct Bad {
        std::string text;
        Words words;
        bool is_of_ranks = false;
    };
    for (const Bad& bad : std::vector<Bad>{
             {head + sides, {"case.toml", "needs the key \"grid\""}},
             {head + "[mesh.box]\ncells = 9\n" + grid + sides,
              {"case.toml:2", "mesh", "not for physics = \"poisson\"", "[grid]"}},
             {"physics = \"heat\"\n" + grid, {"case.toml:2", "grid", "[mesh]"}},
             {head + "[grid]\n" + sides, {"case.toml:2", "[grid]", "nodes"}},
             {head + "[grid]\nnodes = [9]\n" + sides, {"case.toml:3", "nodes", "2"}},
             {head + "[grid]\nnodes = [9, 1]\n" + sides, {"case.toml:3", "from 2 to", "found 1"}},
             {head + "[grid]\nnodes = [9, 2.5]\n" + sides, {"case.toml:3", "whole numbers"}},
             {head + "[grid]\nnodes = [2, 9]\nperiodic = [\"x\"]\n" + sides,
              {"case.toml:3", "3 (in a periodic direction)"}},
             {head + grid + "periodic = [\"z\"]\n" + sides, {"case.toml:4", "\"x\" and \"y\""}},
             {head + grid + "low = [2, 0]\n" + sides, {"case.toml:4", "empty in x"}},
             {head + grid + "high = [1, 1, 1]\n" + sides, {"case.toml:4", "third coordinate"}},
             {head + grid + "map = [\"x\", \"t\"]\n" + sides, {"case.toml:4", "not on t"}},
             {head + grid + "map = [\"y\", \"x\"]\n" + sides,
              {"case.toml:2", "cell (0, 0)", "folded", "exchange x or y"},
              true},
             {head + grid + "then = [\"x\", \"y\"]\n" + sides, {"case.toml:4", "follows \"map\""}},
             {head + grid + "land = \"x < 2\"\n" + sides,
              {"case.toml:2", "all of it is land"},
              true},
             {head + grid + "land = \"x <\"\n" + sides, {"case.toml:4", "cannot read the formula"}},
             {head + grid + "nods = 3\n" + sides, {"case.toml:4", "nodes"}},
             {head + grid + "[boundary.west]\ntype = \"value\"\nvalue = 0\n",
              {"no condition for the boundary", "east", "[boundary.default]"}},
             {head + grid + sides + "[boundary.left]\ntype = \"slope\"\n",
              {"case.toml:7", "no boundary \"left\"", "west"}},
             {head + grid + "[boundary.west]\ntype = \"periodic\"\npartner = \"east\"\n" + sides,
              {"case.toml:5", "[grid] periodic"}},
             {head + grid + "[boundary.default]\ntype = \"mixed\"\nalpha = 1\n",
              {"case.toml:4", "beta"}},
             {head + grid + "[boundary.default]\ntype = \"slope\"\nslope = 1\n",
              {"case.toml", "no solution", "type \"value\" or \"mixed\""},
              true},
             {head + grid + "land = \"abs(x - 0.5) < 0.1\"\n" + west +
                  "[poisson]\nsource = \"x > 0.5 ? 1 : 0\"\n",
              {"case.toml", "no solution", "land cuts off", "(0.625, 0)", "0.375",
               "type \"value\" or \"mixed\""},
              true},
             {head + grid + "land = \"abs(x - 0.5) < 0.1\"\n" + slopes +
                  "[poisson]\nsource = \"x > 0.5 ? 1 : -1\"\n",
              {"case.toml", "no solution", "land cuts off", "(0, 0)", "-0.375"},
              true},
             {head + grid + sides + "[poisson]\nconductivity = 0\n", {"case.toml:8", "positive"}},
             {head + grid + sides + "[poisson]\nconductivity = \"x - 0.5\"\n",
              {"case.toml:8", "must be positive"},
              true},
             {head + grid + sides + "[poisson]\nreaction = -1\n", {"case.toml:8", "at least 0"}},
             {head + grid + sides + "[time]\nend = 1\n", {"case.toml:7", "no time"}},
             {head + grid + sides + "[solver.U]\nmethod = \"full\"\ntolerance = 0.1\n",
              {"case.toml:9", "\"full\" has none"}},
             {head + grid + sides + "[solver.U]\nbefore = 2\n", {"case.toml:8", "symmetric"}},
             {head + grid + sides + "[solver.U]\nsmoother = \"line\"\n",
              {"case.toml:8", "lines-x"}},
         })
        for (const int ranks : bad.is_of_ranks ? std::vector{1, 2} : std::vector{1}) {
            const Folder folder;
            folder.write("case.toml", bad.text);
            const Outcome outcome = run_in(folder, {}, ranks);
            EXPECT_EQ(outcome.code, 2) << bad.text << outcome.out << outcome.err;
            EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
            for (const std::string& word : bad.words)
                EXPECT_NE(outcome.err.find(word), std::string::npos) << word << "\n" << outcome.err;
            EXPECT_FALSE(fs::exists(folder / "out")) << bad.text;
        }
    const Folder folder;
    folder.write("case.toml", head + grid + sides);
    const Outcome mixed = run_in(folder, {"--precision", "mixed"});
    EXPECT_EQ(mixed.code, 2);
    EXPECT_NE(mixed.err.find("take double or single"), std::string::npos) << mixed.err;
    const Outcome crowded = run_in(folder, {"--set", "grid.nodes=[2, 3]"}, 4);
    EXPECT_EQ(crowded.code, 2) << crowded.out;
    EXPECT_NE(crowded.err.find("[grid]"), std::string::npos) << crowded.err;
}

}  // namespace
}  // namespace solenoid::test::end_to_end_grid_test
