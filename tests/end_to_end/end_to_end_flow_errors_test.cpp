// Whole runs of flow cases that fail or warn: what they say, and what they leave.
#include "flow_runs.hpp"

namespace solenoid::test::end_to_end_flow_errors_test {
namespace {

// Jacobi's preconditioner: multigrid is a direct solver on so few unknowns.
const Words one_iteration{
    "--device", "cpu", "--set",
    "solver.stream_function={max_iterations = 1, preconditioner = \"jacobi\"}"};

void expect_failure(const Flow& flow, std::size_t states) {
    EXPECT_EQ(flow.outcome.code, 1);
    EXPECT_NE(flow.outcome.err.find("stream function at t = "), std::string::npos)
        << flow.outcome.err;
    EXPECT_NE(flow.outcome.err.find("max_iterations"), std::string::npos) << flow.outcome.err;
    EXPECT_EQ(flow.summary()["status"], "failed");
    EXPECT_EQ(flow.states().size(), states);
}

TEST(FlowRun, FailsWhereASolveDoesNotConverge) {
    const Flow flow(
        cavity, joined(one_iteration, {"--set", "boundary.ymax.velocity=[\"t > 0.1 ? 1 : 0\", 0]"}),
        2);
    expect_failure(flow, 1);
    EXPECT_GT(grid_in(flow.states().front().file)->GetNumberOfCells(), 200);
    EXPECT_GT(flow.summary()["steps"], 2);
}

TEST(FlowRun, FailsWhereTheInitialVelocityIsNotProjected) {
    expect_failure(Flow(cavity, joined(one_iteration, {"--set", "initial.velocity=[\"y^2\", 1]"})),
                   0);
}

// Whatever fails: the time, where there is one the cell, and what to change; every state written
// before can be read.
struct Failure {
    Words settings;
    int ranks;
    Words words;
};

TEST(FlowRun, FailsWithTimePlaceAndRemedy) {
    const std::string late = "boundary.ymax.velocity=[\"t > 0.1 ? 1 : 0\", 0]",
                      step = "time={end = 1e4, step = 10}", thin = "fluid.viscosity=1e-5";
    const std::vector<Failure> failures{
        {{late,
          "solver.momentum={max_iterations = 1, tolerance = 1e-12, preconditioner = \"jacobi\"}"},
         2,
         {"momentum at t = 0.1", "raise solver.momentum.max_iterations"}},
        {{late, "flow.method=classical",
          "solver.pressure={max_iterations = 2, preconditioner = \"jacobi\"}"},
         1,
         {"pressure at t = 0.1", "raise solver.pressure.max_iterations"}},
        {{late, "flow.momentum=rotational", "solver.momentum.max_iterations=1"},
         2,
         {"momentum at t = 0.1", "raise solver.momentum.max_iterations"}},
        {{thin, step},
         2,
         {"the step of 10 s to t = ", "in cell ", "convection \"skew-symmetric\"",
          "take a time.step of 0.0"}},
        {{thin, step, "flow.method=classical"},
         1,
         {"the step of 10 s to t = ", "in cell ", "method \"classical\"",
          "take a time.step of 0.0"}},
        {{"scalar.dye={diffusivity = 1, source = \"t > 0.1 ? 1e300 : 0\"}"},
         2,
         {"dye is no longer finite at t = 0.12 s in cell ", "take a smaller time.step"}},
        {{"flow.body_force=[\"t > 0.1 ? y*1e300 : 0\", 0]"},
         2,
         {"velocity is no longer finite at t = 0.12 s in cell ", "take a smaller time.step"}},
    };
    for (const Failure& failure : failures) {
        Words arguments{"--device", "cpu", "--set", "output={every = 1}"};
        for (const std::string& setting : failure.settings)
            arguments.insert(arguments.end(), {"--set", setting});
        arguments.insert(arguments.end(), {"--set", "time.retries=0"});
        const Flow flow(cavity, arguments, failure.ranks);
        EXPECT_EQ(flow.outcome.code, 1) << failure.words[0];
        for (const std::string& word : failure.words)
            EXPECT_NE(flow.outcome.err.find(word), std::string::npos) << word << "\n"
                                                                      << flow.outcome.err;
        const auto summary = flow.summary();
        EXPECT_EQ(summary["status"], "failed");
        const auto states = flow.states();
        EXPECT_EQ(states.size(), summary["steps"].get<std::size_t>() + 1);
        for (const WrittenState& state : states)
            EXPECT_GT(grid_in(state.file)->GetNumberOfCells(), 200);
    }
}

// The rotational scheme in steps at which what passes the boundaries feeds it without bound.
TEST(FlowRun, EndsWhereTheFlowGrowsWithoutBound) {
    for (const int ranks : {1, 2}) {
        const Folder folder;
        const Outcome outcome =
            run_program({"run", source("cases/kovasznay/case.toml"), "-o", folder / "out",
                         "--device", "cpu", "--set", "flow.momentum=rotational", "--set",
                         "mesh.box.cells=250", "--set", "time.step=0.1", "--set",
                         "solver.momentum.tolerance=1e-3", "--set", "output.vtk=false"},
                        {.ranks = ranks});
        EXPECT_EQ(outcome.code, 1) << outcome.out;
        for (const char* word : {"the flow grows without bound: ", " at t = ", " in cell ",
                                 "momentum \"rotational\"", "take a smaller time.step"})
            EXPECT_NE(outcome.err.find(word), std::string::npos) << outcome.err;
        EXPECT_EQ(summary_in(folder / "out")["status"], "failed");
        EXPECT_LT(summary_in(folder / "out")["time"], 10);
    }
}

TEST(FlowRun, RefusesACourantNumberBeyondTheScheme) {
    const Flow flow(cavity, {"--device", "cpu", "--set", "time.courant=3"});
    EXPECT_EQ(flow.outcome.code, 2);
    EXPECT_NE(flow.outcome.err.find("[time] courant = 3 exceeds the limit of the scheme"),
              std::string::npos)
        << flow.outcome.err;
    EXPECT_FALSE(fs::exists(flow.out()));
}

// From rest, by an automatic step: what the pressures differ by counts, and the file has what was
// given.
TEST(FlowRun, IsDrivenByPressures) {
    const Words channel{
        "--device", "cpu",
        "--set",    "flow.method=classical",
        "--set",    "fluid={viscosity = 0.2, density = 2}",
        "--set",    "boundary.ymax.velocity=[0, 0]",
        "--set",    "boundary.xmin={type = \"pressure\", pressure = \"5 + 4.8*(1 - exp(-5*t))\"}",
        "--set",    "boundary.xmax={type = \"pressure\", pressure = 5}",
        "--set",    "time={end = 4}"};
    const Flow flow(cavity, channel, 2);
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    const Table table = table_in(flow.out() / "monitors/boundaries.csv");
    EXPECT_NEAR(table.column("xmin").back().value_or(0), 1, 0.01);  // 4.8 / 2 / (12 nu)
    for (const auto& courant : flow.figures().column("courant")) EXPECT_LT(*courant, 1);
    const auto grid = grid_in(flow.states().back().file);
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
        const double p = grid->GetPointData()->GetArray("pressure")->GetTuple1(i);
        low = std::min(low, p);
        high = std::max(high, p);
    }
    EXPECT_NEAR(low, 5, 0.02);
    EXPECT_NEAR(high, 9.8, 0.02);
    const Flow exact(cavity, joined(channel, {"--set", "flow.method=exact"}));
    EXPECT_EQ(exact.outcome.code, 2);
    EXPECT_NE(exact.outcome.err.find("take flow.method = \"classical\""), std::string::npos)
        << exact.outcome.err;
}

// A box that is periodic across, with sides of equal faces: of a uniform inflow, less its net flux,
// rounding is left.
const std::string stream = R"toml(physics = "flow"
output.vtk = false
fluid.viscosity = 0.01
mesh.box = {cells = 400, dimension = 2, low = [0, 0.1], high = [2, 1.9], jitter = 0}
boundary.xmin = {type = "inflow", velocity = [1, 0]}
boundary.xmax = {type = "outflow"}
boundary.ymin = {type = "periodic", partner = "ymax"}
time = {end = 1, step = 0.005, steps = 2}
)toml";

std::size_t count_of(const std::string& word, const std::string& text) {
    std::size_t count = 0;
    for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++count;
    return count;
}

TEST(FlowRun, TakesAUniformInflowAcrossAPeriod) {
    for (const char* box : {"low = [0, 0.1], high = [2, 1.9]", "low = [0, 0.3], high = [2, 1.9]",
                            "low = [0, 0], high = [2, 1]"})
        for (const int cells : {400, 1000})
            for (const int ranks : {1, 2}) {
                const Flow flow(stream,
                                {"--device", "cpu", "--set",
                                 "mesh.box={cells = " + std::to_string(cells) +
                                     ", dimension = 2, " + box + ", jitter = 0}"},
                                ranks);
                ASSERT_EQ(flow.outcome.code, 0) << box << cells << flow.outcome.err;
                EXPECT_EQ(flow.outcome.err.find("warning: "), std::string::npos)
                    << flow.outcome.err;
                const Table table = table_in(flow.out() / "monitors/boundaries.csv");
                const auto in = table.column("xmin").back(), out = table.column("xmax").back();
                EXPECT_NEAR(in.value_or(0) + out.value_or(0), 0, 1e-12);
            }
}

TEST(FlowRun, SaysWhereAnInflowLeavesBesideAnOutflow) {
    for (const char* velocity : {"[-1, 0]", "[\"-0.1 - t\", 0]"}) {
        const Flow flow(
            stream, {"--device", "cpu", "--set", std::string("boundary.xmin.velocity=") + velocity},
            2);
        EXPECT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        EXPECT_EQ(count_of("[boundary.xmin] the velocity of this inflow points out of the domain",
                           flow.outcome.err),
                  1u)
            << flow.outcome.err;
        EXPECT_NE(flow.outcome.err.find("case.toml:5: "), std::string::npos) << flow.outcome.err;
    }
}

// A boundary that follows the flow is open, too. What leaves through an open boundary is nobody's
// mistake.
TEST(FlowRun, SaysWhereAnInflowLeavesBesideAConvectiveBoundary) {
    const auto warnings = [](const std::vector<std::string>& sets, const std::string& of) {
        std::vector<std::string> words{"--device", "cpu"};
        for (const std::string& set : sets) words.insert(words.end(), {"--set", set});
        const Flow flow(stream, words, 2);
        EXPECT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        return count_of(of + "] the velocity of this inflow points out of the domain",
                        flow.outcome.err);
    };
    const std::string convective = "boundary.xmax.type=convective",
                      wall = "boundary.ymin={type = \"wall\"}",
                      open = "boundary.ymax={type = \"outflow\"}";
    EXPECT_EQ(warnings({convective, "boundary.xmin.velocity=[-1, 0]"}, "[boundary.xmin"), 1u);
    EXPECT_EQ(warnings({convective}, "[boundary.x"), 0u);
    EXPECT_EQ(warnings({convective, wall, open, "initial.velocity=[1, 0]"}, "[boundary.x"), 0u);
}

TEST(FlowRun, SaysOnceWhereAWallMovesAcrossItself) {
    const auto warnings = [](const std::string& velocity) {
        const Flow flow(cavity,
                        {"--device", "cpu", "--set", "time.steps=3", "--set",
                         "boundary.ymax.velocity=" + velocity},
                        2);
        EXPECT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        return flow.outcome.err;
    };
    for (const char* velocity : {"[1, 0.25]", "[1, \"0.25*cos(0*t)\"]"}) {
        const std::string said = warnings(velocity);
        EXPECT_EQ(count_of("[boundary.ymax] a wall moves along itself only", said), 1u) << said;
        EXPECT_NE(said.find("up to 0.25 m/s at t = 0 s"), std::string::npos) << said;
    }
    EXPECT_EQ(warnings("[1, 0]"), "");
}

TEST(FlowRun, NamesWhatIsTooLarge) {
    const std::vector<std::pair<Words, Words>> cases{
        {{"boundary.ymax.velocity=[1e308, 0]"}, {"boundary.ymax.velocity", "1e+30 at most"}},
        {{"boundary.ymax.velocity=[\"1e308\", 0]"},
         {"boundary.ymax.velocity", "the formula \"1e308\" is 1e+308", "1e+30 at most"}},
        {{"initial.velocity=[\"1e300*y\", 0]"},
         {"initial.velocity", "the formula \"1e300*y\"", "1e+30 at most"}},
        {{"fluid.viscosity=1e300"}, {"fluid.viscosity", "1e+30 at most"}},
    };
    for (const auto& [settings, words] : cases)
        for (const int ranks : {1, 3}) {
            Words arguments{"--device", "cpu"};
            for (const std::string& setting : settings)
                arguments.insert(arguments.end(), {"--set", setting});
            const Flow flow(cavity, arguments, ranks);
            EXPECT_EQ(flow.outcome.code, 2) << flow.outcome.err;
            for (const std::string& word : words)
                EXPECT_NE(flow.outcome.err.find(word), std::string::npos) << word << "\n"
                                                                          << flow.outcome.err;
        }
}

TEST(FlowRun, RefusesMoreInflowThanOutflow) {
    for (const char* method : {"exact", "classical"})
        for (const int ranks : {1, 3}) {
            const Flow flow(cavity,
                            {"--device", "cpu", "--set", std::string("flow.method=") + method,
                             "--set", "boundary.xmin={type = \"inflow\", velocity = [1, 0]}"},
                            ranks);
            EXPECT_EQ(flow.outcome.code, 2);
            for (const char* word :
                 {"at t = 0 s the inflow does not equal the outflow: 1 enters through \"xmin\"",
                  "\"outflow\""})
                EXPECT_NE(flow.outcome.err.find(word), std::string::npos) << flow.outcome.err;
            EXPECT_FALSE(fs::exists(flow.out()));
        }
}

}  // namespace
}  // namespace solenoid::test::end_to_end_flow_errors_test
