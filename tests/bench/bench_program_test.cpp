// solenoid-bench as a user starts it: every benchmark on two devices, its files, and mistakes of
// usage.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "end_to_end/program.hpp"

namespace solenoid::test::bench_program_test {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells(1);
    bool is_quoted = false;
    for (const char c : line) {
        if (c == '"')
            is_quoted = !is_quoted;
        else if (c == ',' && !is_quoted)
            cells.emplace_back();
        else
            cells.back() += c;
    }
    return cells;
}

// A row's numbers are finite and none is negative; times and rates are positive.
void expect_sound(const Json& row) {
    for (const auto& [name, value] : row.items()) {
        if (!value.is_number()) continue;
        const double number = value.get<double>();
        EXPECT_TRUE(std::isfinite(number)) << name;
        EXPECT_GE(number, 0) << name;
        const bool is_positive = name.find("second") != std::string::npos ||
                                 name.find("per_s") != std::string::npos || name == "bytes";
        EXPECT_TRUE(number > 0 || !is_positive) << name << " in " << row;
    }
}

// The CSV says the same as the rows.
void expect_same(const std::string& csv, const Json& all) {
    const auto lines = lines_of(csv);
    ASSERT_EQ(lines.size(), 1 + all.at("rows").size()) << csv;
    const auto names = cells_of(lines.front());
    ASSERT_EQ(std::set<std::string>(names.begin(), names.end()).size(), names.size());
    for (std::size_t k = 1; k < lines.size(); ++k) {
        const auto cells = cells_of(lines[k]);
        ASSERT_EQ(cells.size(), names.size()) << lines[k];
        for (const auto& [name, value] : all.at("rows").at(k - 1).items()) {
            if (value.is_structured()) continue;
            const auto at =
                std::size_t(std::find(names.begin(), names.end(), name) - names.begin());
            ASSERT_LT(at, names.size()) << name;
            const bool is_same =
                value.is_number()
                    ? std::stod(cells[at]) == value.get<double>()
                    : cells[at] == (value.is_string() ? value.get<std::string>() : value.dump());
            EXPECT_TRUE(is_same) << name << ": " << cells[at] << ", " << value;
        }
    }
}

// What a benchmark leaves, checked. Throws, which fails the test, where it leaves nothing.
Json measured(std::vector<std::string> arguments, const std::string& device, int ranks = 1) {
    const Folder folder;
    for (const std::string& word :
         {std::string("--device"), device, std::string("--csv"), (folder / "rows.csv").string(),
          std::string("--json"), (folder / "all.json").string()})
        arguments.push_back(word);
    const Outcome outcome = run_program(
        arguments,
        {.ranks = ranks, .folder = folder.path, .environment = {{"SOLENOID_GL_SOFTWARE", "1"}}});
    if (outcome.code != 0)
        throw std::runtime_error(fmt::format("{} ended with {} after {:.0f} s\n{}{}",
                                             arguments.front(), outcome.code, outcome.seconds,
                                             outcome.out, outcome.err));
    EXPECT_EQ(outcome.err, "");
    const Json all = Json::parse(contents(folder / "all.json"));
    EXPECT_EQ(all.at("benchmark"), arguments.front());
    EXPECT_EQ(all.at("device"), arguments.front() == "checkpoint" ? "" : device);  // uses none
    EXPECT_EQ(all.at("ranks"), ranks);
    EXPECT_FALSE(all.at("rows").empty());
    for (const Json& row : all.at("rows")) expect_sound(row);
    expect_same(contents(folder / "rows.csv"), all);
    return all;
}

std::set<std::string> values_of(const Json& all, const std::string& column) {
    std::set<std::string> values;
    for (const Json& row : all.at("rows"))
        if (row.contains(column))
            values.insert(row.at(column).is_string() ? row.at(column).get<std::string>()
                                                     : row.at(column).dump());
    return values;
}

using Names = std::set<std::string>;

class OnDevice : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(All, OnDevice, testing::Values("cpu", "compute"),
                         [](const auto& info) { return std::string(info.param); });

TEST_P(OnDevice, Memory) {
    const Json all = measured({"memory", "--size", "1000,2e3", "--repeats", "2"}, GetParam());
    EXPECT_EQ(all.at("rows").size(), 8u);
    EXPECT_EQ(values_of(all, "operation"), (Names{"copy", "scale", "axpy", "triad"}));
    for (const Json& row : all.at("rows")) {
        const int arrays = row.at("operation") == "copy" || row.at("operation") == "scale" ? 2 : 3;
        EXPECT_EQ(row.at("bytes").get<double>(), arrays * 8 * row.at("numbers").get<double>());
        EXPECT_NEAR(row.at("gb_per_s").get<double>(),
                    row.at("bytes").get<double>() / row.at("seconds").get<double>() * 1e-9, 1e-9);
    }
}

TEST_P(OnDevice, Operators) {
    const Json all = measured({"operators", "--size", "300,600", "--repeats", "1", "--stages",
                               "operators", "--precision", "single"},
                              GetParam());
    int operators = 0, kernels = 0;
    for (const Json& row : all.at("rows")) {
        (row.at("what") == "operator" ? operators : kernels) += 1;
        if (row.at("what") == "operator") continue;
        const double of_copy =
            row.at("gb_per_s").get<double>() / row.at("copy_gb_per_s").get<double>();
        EXPECT_NEAR(row.at("fraction_of_copy").get<double>(), of_copy, 1e-6 * of_copy);
    }
    EXPECT_EQ(operators, 2 * 6);
    EXPECT_GE(kernels, 7);
    EXPECT_GT(all.at("not_launched").size(), 10u);
}

TEST_P(OnDevice, Reductions) {
    const Json all = measured(
        {"reductions", "--size", "1000,5000", "--repeats", "2", "--threads", "2"}, GetParam());
    EXPECT_EQ(all.at("threads"), 2);
    EXPECT_EQ(values_of(all, "scheme"), (Names{"sum", "dot in one pass", "dot in two passes"}));
    EXPECT_EQ(all.at("rows").size(), 6u);
}

TEST_P(OnDevice, Cg) {
    const Json all =
        measured({"cg", "--size", "500", "--repeats", "1", "--iterations", "5"}, GetParam());
    EXPECT_EQ(values_of(all, "on"), (Names{"nodes", "cells", "momentum", "edges"}));
    for (const Json& row : all.at("rows")) {
        EXPECT_EQ(row.at("iterations"), 5);
        EXPECT_EQ(row.at("columns"), row.at("on") == "momentum" ? 3 : 1);
    }
}

TEST_P(OnDevice, Poisson) {
    const Json row =
        measured({"poisson", "--on", "cells", "--size", "1000", "--repeats", "1"}, GetParam())
            .at("rows")
            .at(0);
    EXPECT_LE(row.at("true_residual"), 1e-8);
    EXPECT_GE(row.at("levels").size(), 1u);
}

TEST_P(OnDevice, Grid) {
    const Json all = measured({"grid", "--size", "33", "--repeats", "1", "--of",
                               "factors,jumps,full,mapped,sweeps,cycles,kernels"},
                              GetParam());
    const Json& first = all.at("rows").at(0);
    EXPECT_EQ(first.at("cycle"), "V(1,1)");
    EXPECT_LE(first.at("factor"), 0.13);
    EXPECT_GT(first.at("factor"), 0.01);
    for (const Json& row : all.at("rows")) EXPECT_TRUE(row.value("has_converged", true)) << row;
}

TEST_P(OnDevice, Rrb) {
    const Json all = measured({"rrb", "--size", "32,64", "--repeats", "1"}, GetParam());
    EXPECT_EQ(all.at("rows").size(), 2u);
    EXPECT_NEAR(all.at("rows").at(1).at("iterations"), 16, 2);
    EXPECT_EQ(all.at("rows").at(1).at("levels"), 5);
}

TEST_P(OnDevice, LinearAlgebra) {
    const Json all = measured({"algebra", "--size", "1024", "--surface", "600", "--repeats", "1",
                               "--frames", "2", "--tolerance", "1e-6"},
                              GetParam());
    EXPECT_EQ(values_of(all, "measured"),
              (Names{"vector reduction", "vector operation", "waves, explicit", "waves, implicit",
                     "product by rows", "product by batches", "surface, reduction",
                     "surface, conjugate gradients"}));
    for (const Json& row : all.at("rows"))
        if (row.contains("iterations")) {
            EXPECT_LE(row.at("iterations"), 64) << row;
        }
}

TEST(OnFragments, ProductsByPoints) {
    const Json all = measured({"algebra", "--size", "256", "--surface", "300", "--repeats", "1",
                               "--frames", "1", "--precision", "single"},
                              "fragment");
    EXPECT_TRUE(values_of(all, "measured").contains("product by points"));
}

TEST(OnTheCpu, LinearAlgebraBesideItsStudy) {
    const Json all = measured({"algebra", "--size", "65536", "--surface", "0", "--repeats", "1",
                               "--frames", "1", "--precision", "single"},
                              "cpu");
    EXPECT_EQ(all.at("rows").size(), 4u);
    EXPECT_EQ(all.at("rows").at(0).at("seconds_there"), 0.14e-3);  // of table 44-1
    EXPECT_EQ(all.at("rows").at(3).at("frames_per_s_there"), 335);
}

void expect_solved(const Json& all) {
    EXPECT_EQ(values_of(all, "measured").size(), 4u);
    for (const Json& row : all.at("rows")) {
        const bool is_one_cycle = row.at("measured") == "full multigrid, one cycle a level";
        EXPECT_LE(row.at("true_residual"), is_one_cycle ? 0.1 : 1e-6) << row;
        EXPECT_GT(row.at("true_residual"), 1e-10) << row;
        EXPECT_LE(row.at("iterations"), 25) << row;
    }
}

TEST_P(OnDevice, SolversOfOneSystem) {
    expect_solved(
        measured({"rrb", "--size", "63", "--repeats", "1", "--of", "solvers"}, GetParam()));
}

TEST(Solvers, SolveOneSystemOnFourRanks) {
    expect_solved(measured({"rrb", "--size", "63", "--repeats", "1", "--of", "solvers"}, "cpu", 4));
}

TEST_P(OnDevice, RrbOfTheWaveStudy) {
    const Json all = measured({"rrb", "--size", "60", "--repeats", "1", "--frames", "3", "--of",
                               "frames,routines,levels,strides"},
                              GetParam());
    const Names names = values_of(all, "measured");
    EXPECT_EQ(names.size(), 3u + 4 + 5 + 10);
    for (const char* name : {"river", "preconditioner", "level 5", "stride 32"})
        EXPECT_TRUE(names.contains(name)) << name;
    double percent = 0, iterations = 0;
    for (const Json& row : all.at("rows")) {
        percent += row.value("percent", 0.0);
        iterations += row.value("iterations", 0.0);
        EXPECT_GT(row.at("seconds"), 0) << row;
    }
    EXPECT_NEAR(percent, 100, 0.01);
    EXPECT_GT(iterations, 1);
}

TEST_P(OnDevice, Surface) {
    const Json all = measured({"surface", "--size", "2000", "--repeats", "1"}, GetParam());
    EXPECT_EQ(all.at("rows").size(), 5u);
    for (const char* name : {"product", "reduction", "entries", "solve", "step"})
        EXPECT_TRUE(values_of(all, "measured").contains(name)) << name;
    for (const Json& row : all.at("rows")) {
        EXPECT_EQ(row.at("elements"), 2000) << row;
        EXPECT_GT(row.at("seconds"), 0) << row;
        if (row.at("measured") == "solve") {
            EXPECT_GT(row.at("iterations"), 5) << row;
            EXPECT_LT(row.at("iterations"), 60) << row;
        }
    }
}

TEST_P(OnDevice, Boussinesq) {
    const Json all = measured(
        {"boussinesq", "--size", "6144", "--frames", "2", "--precision", "single"}, GetParam());
    const Json& row = all.at("rows").at(0);
    EXPECT_EQ(row.at("nodes"), 96 * 64);
    EXPECT_GT(row.at("iterations"), 1);
    EXPECT_LE(row.at("iterations"), 12);
    // a step of zeta and phi alone reads and writes 15 arrays of four bytes
    EXPECT_GT(row.at("bytes_per_frame"), 15 * 4 * 6144);
}

TEST_P(OnDevice, Tonemap) {
    const Json all = measured(
        {"tonemap", "--size", "3000,12000", "--repeats", "1", "--precision", "single"}, GetParam());
    ASSERT_EQ(all.at("rows").size(), 2u);
    for (const Json& row : all.at("rows")) {
        const double pixels = row.at("width").get<double>() * row.at("height").get<double>();
        EXPECT_NEAR(row.at("megapixels").get<double>(), 1e-6 * pixels, 1e-9);
        EXPECT_GT(row.at("bytes_of_device").get<double>(), 4 * 15 * pixels);
    }
    EXPECT_EQ(all.at("rows").at(1).at("width"), 126);
}

TEST_P(OnDevice, Step) {
    const Json all =
        measured({"step", "--size", "300", "--dimension", "2", "--steps", "2"}, GetParam());
    ASSERT_EQ(all.at("rows").size(), 2u);
    EXPECT_GT(all.at("rows").at(0).at("iterations_stream_function"), 0);
    EXPECT_GT(all.at("rows").at(1).at("iterations_pressure"), 0);
}

TEST_P(OnDevice, Halo) {
    const Json all =
        measured({"halo", "--size", "1,100", "--repeats", "1", "--columns", "3"}, GetParam(), 2);
    EXPECT_EQ(all.at("rows").size(), 8u);
    EXPECT_EQ(all.at("rows").at(1).at("bytes"), 100 * 3 * 8);
    EXPECT_EQ(values_of(all, "operation"), (Names{"exchange", "sum"}));
    EXPECT_EQ(values_of(all, "transport"), (Names{"MPI", "shared memory"}));
}

TEST_P(OnDevice, Stress) {
    const Json all =
        measured({"stress", "--sums", "300", "--exchanges", "40", "--halos", "6", "--size", "100"},
                 GetParam(), 2);
    EXPECT_EQ(values_of(all, "operation"), (Names{"sum by the host", "exchange"}));
    EXPECT_EQ(all.at("rows").at(0).at("count"), 300);
    EXPECT_EQ(all.at("rows").at(1).at("count"), 40);
    EXPECT_EQ(values_of(all, "wrong"), Names{"0"});
}

TEST(Checkpoint, IsWrittenBesidePlainWrites) {
    const Folder folder;
    const Json all = measured(
        {"checkpoint", "--size", "100,300", "--repeats", "1", "--folder", folder.path.string()},
        "cpu", 2);
    EXPECT_EQ(values_of(all, "operation"), (Names{"write", "plain write", "verify and read"}));
    EXPECT_EQ(all.at("rows").size(), 6u);
    EXPECT_GT(all.at("rows").at(3).at("bytes"), 300 * 12 * 8);
    EXPECT_TRUE(fs::is_empty(folder.path));
}

TEST(Stress, EndsAfterSomeTime) {
    const Json all = measured({"stress", "--sums", "100000000", "--exchanges", "0", "--halos", "1",
                               "--transport", "mpi", "--seconds", "0.1"},
                              "cpu", 2);
    EXPECT_EQ(values_of(all, "transport"), Names{"MPI"});
    EXPECT_LT(all.at("rows").at(0).at("count"), 100000000);
}

TEST(Ring, EveryRankOfThreeHasTwoNeighbours) {
    EXPECT_EQ(
        measured({"halo", "--size", "10", "--repeats", "1"}, "cpu", 3).at("rows").at(0).at("bytes"),
        2 * 10 * 8);
}

// All kernels but those of curved walls and some others that no flow in a box asks for; the two of
// iterations in single precision within a solve in double only in double.
TEST(Kernels, NearlyAllAreLaunchedInABox) {
    for (const bool is_double : {true, false}) {
        const Json all = measured({"operators", "--size", "800", "--repeats", "1", "--precision",
                                   is_double ? "double" : "single"},
                                  "cpu");
        const std::set<std::string> curved{"curved_slip_velocity", "curved_slip_transport",
                                           "curved_wall_gradient", "curved_wall_second",
                                           "wall_rise"};
        std::size_t others = 0;
        for (const std::string name : all.at("not_launched")) others += !curved.contains(name);
        EXPECT_LE(others, is_double ? 5u : 7u) << all.at("not_launched");
    }
}

// The sweep of R_min: the same sums by other layouts.
TEST(Fragment, ReducesWithAnyLeastSide) {
    const Json all = measured(
        {"reductions", "--size", "100,20000", "--repeats", "1", "--r-min", "16,128"}, "fragment");
    EXPECT_EQ(all.at("rows").size(), 12u);
    EXPECT_EQ(values_of(all, "r_min"), (Names{"16", "128"}));
}

// Alone and in parallel, for unknowns of every kind.
TEST(Poisson, SolvesOnEntitiesOfEveryKind) {
    for (const std::string on : {"cells", "nodes", "edges"})
        for (const int ranks : {1, 2}) {
            const Json row =
                measured({"poisson", "--on", on, "--size", "2000", "--repeats", "1"}, "cpu", ranks)
                    .at("rows")
                    .at(0);
            EXPECT_EQ(row.at("on"), on);
            EXPECT_GT(row.at("unknowns"), on == "nodes" ? 200 : 1500);
            EXPECT_LT(row.at("iterations"), 30);
            EXPECT_LE(row.at("true_residual"), 1e-8);
            EXPECT_LE(row.at("operator_complexity"), 1.8);
        }
}

// Beside another program, or told that it was built without.
TEST(Poisson, ComparesWithHypreWhereItIs) {
    const Folder folder;
    const std::string file = (folder / "all.json").string();
    const Outcome outcome =
        run_program({"poisson", "--on", "cells", "--size", "1000", "--repeats", "1", "--device",
                     "cpu", "--against", "hypre", "--json", file});
    if (outcome.code == 2) {
        EXPECT_NE(outcome.err.find("built without hypre"), std::string::npos) << outcome.err;
        return;
    }
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json rows = Json::parse(contents(file)).at("rows");
    ASSERT_EQ(rows.size(), 3u);
    for (const Json& row : rows) EXPECT_LE(row.at("true_residual"), 1.01e-8);
}

TEST(Poisson, TellsWhatItsKernelsCost) {
    const std::vector<std::string> command{"poisson", "--on",      "cells", "--size",
                                           "2000",    "--repeats", "1",     "--kernels"};
    const Outcome outcome = run_program(joined(command, {"--device", "cpu"}));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    for (const char* word :
         {"operator_complexity", "launches", "chebyshev_last", "spmv", "cg_step"})
        EXPECT_NE(outcome.out.find(word), std::string::npos) << word << " is missing in\n"
                                                             << outcome.out;
    const Json row = measured(command, "cpu", 2).at("rows").at(0);
    double seconds = 0;
    for (const auto& kernel : row.at("kernels")) seconds += kernel.at("seconds").get<double>();
    EXPECT_GT(seconds, 0);
    EXPECT_LT(seconds, row.at("solve_seconds"));
}

TEST(Usage, EveryBenchmarkExplainsItself) {
    for (const std::string name :
         {"memory", "operators", "reductions", "cg", "poisson", "grid", "rrb", "boussinesq",
          "surface", "step", "halo", "stress", "checkpoint"}) {
        const Outcome outcome = run_program({name, "--help"});
        EXPECT_EQ(outcome.code, 0);
        for (const char* option :
             {"--device", "--precision", "--size", "--repeats", "--csv", "--json"})
            EXPECT_NE(outcome.out.find(option), std::string::npos) << name << option;
    }
}

TEST(Usage, MistakesTakeOneLine) {
    const std::vector<std::pair<std::vector<std::string>, std::string>> cases{
        {{}, "A subcommand is required"},
        {{"memry"},
         "there is no benchmark memry: did you mean memory? (see solenoid-bench --help)"},
        {{"memory", "more"}, "more (see solenoid-bench memory --help)"},
        {{"memory", "--size", "0"}, "from 1 to 5e8"},
        {{"memory", "--size", "1000,x"}, "found x"},
        {{"memory", "--precision", "mixed"}, "{single,double}"},
        {{"memory", "--device", "gpu"}, "{auto,cpu,compute,fragment,cuda}"},
        {{"memory", "--repeats", "0"}, "--repeats"},
        {{"memory", "--threads", "0"}, "--threads"},
        {{"memory", "--size", "10", "--device", "cpu", "--json", "/nowhere/x.json"},
         "there is no directory /nowhere"},
        {{"poisson", "--size", "100"}, "--on"},
        {{"poisson", "--on", "cells", "--mesh", "no.msh", "--device", "cpu"}, "no.msh"},
        {{"reductions", "--device", "cpu", "--r-min", "32"}, "fragment"},
        {{"halo", "--device", "cpu"}, "two ranks"}};
    for (const auto& [arguments, words] : cases) {
        const Outcome outcome = run_program(arguments);
        EXPECT_EQ(outcome.code, 2) << outcome.err;
        EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
        EXPECT_EQ(outcome.err.find("solenoid-bench: "), 0u) << outcome.err;
        EXPECT_NE(outcome.err.find(words), std::string::npos) << outcome.err;
    }
}

}  // namespace
}  // namespace solenoid::test::bench_program_test
