// Whole runs of flow cases in time: automatic steps, steady ends, and a signal.
#include "flow_runs.hpp"

namespace solenoid::test::end_to_end_flow_time_test {
namespace {

const Words automatic_step{"--device", "cpu", "--set", "time={end = 0.5, courant = 0.4}"};

TEST(FlowRun, StepsByTheCourantNumberAndLandsOnTheTimesOfOutput) {
    const Flow flow(cavity, joined(automatic_step, {"--set", "output={interval = 0.2}"}));
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    const auto states = flow.states();
    const std::vector<double> times{0, 0.2, 0.4, 0.5};
    ASSERT_EQ(states.size(), times.size());
    for (std::size_t i = 0; i < times.size(); ++i) EXPECT_NEAR(states[i].time, times[i], 1e-12);
    const Table figures = flow.figures();
    double largest = 0;
    for (const auto& value : figures.column("courant")) largest = std::max(largest, *value);
    EXPECT_GT(largest, 0.3);
    EXPECT_LT(largest, 0.6);
    double before = HUGE_VAL;
    for (const auto& value : figures.column("step_length")) {
        EXPECT_LE(*value, 2.41 * before);
        before = *value;
    }
}

// Stokes flow, which it is within thousandths, does not depend on the viscosity. The Courant number
// alone would choose steps through which the pressure does not follow.
TEST(FlowRun, CreepsAlikeAtAnyViscosity) {
    const auto speed = [](const std::string& viscosity, const std::string& time) {
        const Flow flow(cavity, {"--device", "cpu", "--set", "fluid.viscosity=" + viscosity,
                                 "--set", "time=" + time});
        EXPECT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        return flow.summary()["ranges"]["speed"][1].get<double>();
    };
    const double careful = speed("1", "{end=1,step=0.005}");
    for (const char* viscosity : {"1", "100"})
        EXPECT_NEAR(speed(viscosity, "{end=1}"), careful, 0.01 * careful) << viscosity;
}

// At rest, and the lid starts slowly: there is no speed to go by.
TEST(FlowRun, StartsFromRest) {
    const Flow flow(cavity, joined(automatic_step, {"--set", "boundary.ymax.velocity=[\"t\", 0]"}));
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    for (const auto& value : flow.figures().column("courant")) EXPECT_LT(*value, 0.8);
    EXPECT_NEAR(flow.summary()["time"].get<double>(), 0.5, 1e-12);
}

// A wall that swings, and a scalar that spreads in it: the Courant number allows any step.
const std::string slow = R"toml(physics = "flow"
[mesh.box]
cells = 150
dimension = 2
high = [1, 1]
[fluid]
viscosity = 1
[boundary.xmin]
type = "periodic"
partner = "xmax"
[boundary.ymin]
type = "wall"
velocity = ["1e-3*sin(6*t)", 0]
[boundary.ymax]
type = "wall"
[scalar.T]
diffusivity = 0.1
initial = "cos(pi*y)"
[time]
end = 1
[output]
vtk = false
[[monitor]]
type = "point"
name = "near"
at = [0.5, 0.21]
[solver.stream_function]
tolerance = 1e-11
[solver.momentum]
tolerance = 1e-11
[solver.scalar]
tolerance = 1e-11
)toml";

// Local errors go with the cube of a step, those of the run with its square: 4.6 for a decade of
// the tolerance; against steps of a tenth.
TEST(FlowRun, ErrsAsItsToleranceSays) {
    const auto last = [](const Flow& flow, const std::string& column) {
        return *table_in(flow.out() / "monitors/near.csv").column(column).back();
    };
    const Flow small(slow, {"--device", "cpu", "--set", "time.step=5e-4"});
    ASSERT_EQ(small.outcome.code, 0) << small.outcome.err;
    for (const char* time_scheme : {"bdf2", "midpoint"}) {
        std::vector<double> of_u, of_t, steps;
        for (const char* tolerance : {"1e-3", "1e-4", "1e-5"}) {
            const Flow flow(slow,
                            {"--device", "cpu", "--set", std::string("time.tolerance=") + tolerance,
                             "--set", std::string("flow={time_scheme=\"") + time_scheme + "\"}"});
            ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
            of_u.push_back(std::abs(last(flow, "u") - last(small, "u")) / 1e-3);
            of_t.push_back(std::abs(last(flow, "T") - last(small, "T")));
            steps.push_back(flow.summary()["steps"].get<double>());
        }
        EXPECT_LT(of_u[0], 0.01) << time_scheme;
        EXPECT_LT(of_t[0], 0.01) << time_scheme;
        EXPECT_LT(of_u[2], of_u[0] / 10) << time_scheme;
        EXPECT_LT(of_t[2], of_t[0] / 10) << time_scheme;
        EXPECT_LT(steps[0], 100) << time_scheme;
        EXPECT_LT(steps[2], 10 * steps[0]) << time_scheme;
    }
}

// Long steps ask for more iterations than the solver of momentum may take: they are made shorter, a
// fixed one and those of the run's own choice. Each time is told and counted.
TEST(FlowRun, TakesBackStepsThatFail) {
    const Words few{
        "--device", "cpu", "--set",
        "solver.momentum={tolerance = 1e-11, preconditioner = \"jacobi\", max_iterations = 20}"};
    const Words step{"--set", "time={end = 1, step = 0.05, steps = 3}"};
    const std::string failure = "momentum at t = 0.05 s: not converged in 20 iterations";
    const Flow once(slow, joined(joined(few, step), {"--set", "time.retries=0"}));
    EXPECT_EQ(once.outcome.code, 1);
    EXPECT_NE(once.outcome.err.find(failure), std::string::npos) << once.outcome.err;
    EXPECT_EQ(once.summary()["repeated_steps"], 0);
    const Flow fixed(slow, joined(few, step), 2);
    EXPECT_EQ(fixed.outcome.code, 0) << fixed.outcome.err;
    EXPECT_NE(fixed.outcome.err.find("warning: the step of 0.05 s from t = 0 s is taken back and "
                                     "repeated at half its length (1 of 8 times): " +
                                     failure),
              std::string::npos)
        << fixed.outcome.err;
    const auto times = fixed.figures().column("time");
    ASSERT_EQ(times.size(), 3u);
    for (int k = 0; k < 3; ++k) EXPECT_NEAR(*times[k], 0.05 * (k + 1), 1e-15);
    EXPECT_EQ(fixed.summary()["steps"], 3);
    EXPECT_GE(fixed.summary()["repeated_steps"], 3);
    const Flow flow(slow, few), whole(slow, {"--device", "cpu"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_GT(flow.summary()["steps"], whole.summary()["steps"]);
    const auto last = [](const Flow& run) {
        return *table_in(run.out() / "monitors/near.csv").column("u").back();
    };
    EXPECT_NEAR(last(flow), last(whole), 1e-5);
    // A failure that does not go away ends the run.
    const Flow none(
        slow,
        {"--device", "cpu", "--set",
         "solver.momentum={tolerance = 1e-11, preconditioner = \"jacobi\", max_iterations = 1}"});
    EXPECT_EQ(none.outcome.code, 1);
    EXPECT_NE(none.outcome.err.find("solenoid: momentum at t = "), std::string::npos)
        << none.outcome.err;
    EXPECT_NE(none.outcome.err.find("not converged in 1 iterations"), std::string::npos);
    EXPECT_EQ(none.summary()["repeated_steps"], 8);
}

// The initial velocity does not fit the walls, and friction smoothes it in a time that is nothing
// beside the run's end: the Courant number does not say so. Each remedy of the message is tried.
TEST(FlowRun, SaysWhenItsFirstStepsAreLostBesideItsEnd) {
    const auto flow = [](const Words& changes) {
        Words arguments{"--device", "cpu",
                        "--set",    "fluid.viscosity=1000",
                        "--set",    "time={end=1e5}",
                        "--set",    "boundary.ymax.velocity=[0, 0]",
                        "--set",    "initial.velocity=[\"0.5*sin(3*x) - y\", \"x*exp(-y*y)\"]"};
        for (const std::string& change : changes)
            arguments.insert(arguments.end(), {"--set", change});
        return Flow(cavity, arguments);
    };
    const Flow lost = flow({});
    EXPECT_EQ(lost.outcome.code, 1);
    for (const char* words : {"the error of the steps asks for one of", "time.end = 1e+05 s",
                              "initial.velocity that fits", "a time.step"})
        EXPECT_NE(lost.outcome.err.find(words), std::string::npos) << lost.outcome.err;
    for (const char* remedy :
         {"initial.velocity=[0, 0]", "time={end=1e5, step=0.01, steps=20}", "time={end=20}"})
        EXPECT_EQ(flow({remedy}).outcome.code, 0) << remedy;
}

// A temperature in kelvin that is the same everywhere changes nothing: the steps are those of the
// flow without it, where its rounding, far beyond its range, had made them shrink without end.
TEST(FlowRun, StepsPastAUniformScalar) {
    for (const char* method : {"exact", "classical"}) {
        const Words options{"--device", "cpu",
                            "--set",    "time={end = 0.05}",
                            "--set",    "fluid.viscosity=1",
                            "--set",    std::string("flow={method=\"") + method + "\"}"};
        const Flow without(cavity, options),
            with(cavity + "[scalar.T]\ndiffusivity = 0\ninitial = 303.254\n", options);
        ASSERT_EQ(without.outcome.code, 0) << without.outcome.err;
        ASSERT_EQ(with.outcome.code, 0) << with.outcome.err;
        const std::vector<std::optional<double>> expected = without.figures().column("step_length"),
                                                 found = with.figures().column("step_length");
        ASSERT_EQ(found.size(), expected.size()) << method;
        for (std::size_t i = 0; i < found.size(); ++i)
            EXPECT_NEAR(*found[i], *expected[i], 1e-6 * *expected[i]) << method << ", step " << i;
    }
}

TEST(FlowRun, KeepsToTheStepsThatAreGiven) {
    const Flow flow(slow, {"--device", "cpu", "--set", "time.first_step=1e-4", "--set",
                           "time.largest_step=0.02"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    const auto lengths = flow.figures().column("step_length");
    EXPECT_DOUBLE_EQ(*lengths.front(), 1e-4);
    double longest = 0;
    for (const auto& length : lengths) longest = std::max(longest, *length);
    EXPECT_GT(longest, 0.015);
    EXPECT_LE(longest, 0.02 * (1 + 1e-12));
}

TEST(FlowRun, EndsWhereItIsSteady) {
    const Flow flow(cavity, {"--device", "cpu", "--set", "boundary.ymax.velocity=[1, 0]", "--set",
                             "fluid.viscosity=0.1", "--set",
                             "time={end = 100, step = 0.03, steady_tolerance = 1e-3}"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_NE(flow.outcome.out.find("\nsteady   at t = "), std::string::npos) << flow.outcome.out;
    const auto summary = flow.summary();
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["steady"], true);
    EXPECT_LT(summary["time"], 20);
    EXPECT_GT(summary["time"], 0.5);
}

// A channel, its flow developed from the start, whose floor is heated: the temperature is on its
// way for a while.
const std::string heated_floor = R"toml(physics = "flow"
initial.velocity = ["6*y*(1-y)", 0]
scalar.T = {diffusivity = 0.001, initial = 0}
boundary.xmin = {type = "inflow", velocity = ["6*y*(1-y)", 0], T = 0}
boundary.xmax = {type = "outflow"}
boundary.ymin = {type = "wall", T = 1}
boundary.ymax = {type = "wall"}
fluid.viscosity = 0.01
output.vtk = false
monitor = [{type = "nusselt", name = "floor", boundary = "ymin"}]
[mesh.box]
cells = 500
dimension = 2
high = [4, 1]
)toml";

double last(const Flow& flow, const std::string& monitor, const std::string& column) {
    return table_in(flow.out() / ("monitors/" + monitor + ".csv")).column(column).back().value();
}

// Where the velocity alone was asked such a run ended at 3 s with a Nusselt number 25 % too large.
TEST(FlowRun, IsNotSteadyBeforeItsScalarsAre) {
    const Flow followed(heated_floor, {"--device", "cpu", "--set", "time.end=30"});
    for (const int ranks : {1, 2}) {
        const Flow flow(heated_floor,
                        {"--device", "cpu", "--set", "time={end=100, steady_tolerance=1e-4}"},
                        ranks);
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        EXPECT_EQ(flow.summary()["steady"], true);
        EXPECT_LT(flow.summary()["time"], 30);
        EXPECT_NEAR(last(flow, "floor", "nusselt"), last(followed, "floor", "nusselt"),
                    1e-3 * last(followed, "floor", "nusselt"));
    }
    const Flow early(heated_floor,
                     {"--device", "cpu", "--set", "time={end=4, steady_tolerance=1e-4}"});
    EXPECT_NE(early.outcome.err.find(": T changes most, by "), std::string::npos)
        << early.outcome.err;
    EXPECT_NE(early.outcome.err.find(" of its range in a second"), std::string::npos)
        << early.outcome.err;
}

// A fluid at rest has no velocity that could be steady; its scalar has.
TEST(FlowRun, AtRestIsSteadyWhereItsScalarIs) {
    const std::string still =
        cavity + "[scalar.T]\ndiffusivity = 1\ninitial = 0.5\n[output]\nvtk = false\n";
    const Words sides{"--device", "cpu",
                      "--set",    "boundary.ymax={type=\"wall\", T=1}",
                      "--set",    "boundary.ymin={type=\"wall\", T=0}",
                      "--set",    "initial.velocity=[0, 0]"};
    const Flow flow(still,
                    joined(sides, {"--set", "time={end=100, step=0.02, steady_tolerance=1e-5}"}));
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_EQ(flow.summary()["steady"], true);
    // where 1/pi sin(2 pi y) exp(-4 pi^2 t) changes by less than the tolerance
    EXPECT_NEAR(flow.summary()["time"], 0.36, 0.1);
    const Flow nothing(cavity, {"--device", "cpu", "--set", "boundary.ymax.velocity=[0, 0]",
                                "--set", "time={end=0.1, steady_tolerance=1e-5}"});
    EXPECT_NE(nothing.outcome.err.find("nothing moves"), std::string::npos) << nothing.outcome.err;
}

// The pressure of a creeping flow comes to rest long after its velocity: where that alone was asked
// the force on the floor was 4 % off.
TEST(FlowRun, IsNotSteadyBeforeItsPressureIs) {
    const std::string text = cavity +
                             "[[monitor]]\ntype = \"force\"\nname = \"floor\"\nboundaries = "
                             "[\"ymin\"]\n[output]\nvtk = false\n";
    const Words lid{"--device", "cpu",
                    "--set",    "boundary.ymax.velocity=[\"16*x^2*(1-x)^2\", 0]",
                    "--set",    "fluid.viscosity=1"};
    for (const std::string method : {"exact", "classical"}) {
        const Flow followed(text, joined(lid, {"--set", "time={end=1, step=0.002}", "--set",
                                               "flow.method=" + method}));
        const double force = last(followed, "floor", "force_y");
        const Flow flow(text, joined(lid, {"--set", "time={end=100, steady_tolerance=1e-4}",
                                           "--set", "flow.method=" + method}));
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        EXPECT_EQ(flow.summary()["steady"], true);
        EXPECT_NEAR(last(flow, "floor", "force_y"), force, 0.01 * std::abs(force)) << method;
    }
}

// The flow of Couette has no pressure gradient but what solves leave, which keeps no run going.
TEST(FlowRun, IsSteadyWithoutAPressure) {
    const std::string text =
        "physics = \"flow\"\nboundary.xmin = {type = \"periodic\", partner = "
        "\"xmax\"}\nboundary.ymin = {type = \"wall\"}\n"
        "boundary.ymax = {type = \"wall\", velocity = [1, 0]}\noutput.vtk = "
        "false\n[fluid]\nviscosity = 0.1\n[mesh.box]\ncells = 300\ndimension = 2\n";
    const Flow flow(text, {"--device", "cpu", "--set", "time={end=100, steady_tolerance=1e-6}"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_EQ(flow.summary()["steady"], true);
    EXPECT_LT(flow.summary()["time"], 30);
    // the lid doubles its speed when the flow has long come to rest relative to it
    const Flow later(text, {"--device", "cpu", "--set", "time={end=100, steady_tolerance=1e-3}",
                            "--set", "boundary.ymax.velocity=[\"t < 20 ? 1 : 2\", 0]"});
    ASSERT_EQ(later.outcome.code, 0) << later.outcome.err;
    EXPECT_EQ(later.summary()["steady"], true);
    EXPECT_GT(later.summary()["time"], 21);
    EXPECT_LT(later.summary()["time"], 50);
}

// To the end or to its last step without having become steady: it says so.
TEST(FlowRun, SaysWhereItIsNotSteady) {
    struct End {
        std::string time, status, remedy;
    };
    for (const End& end : {End{"end = 0.05", "done", "raise time.end"},
                           End{"end = 100, steps = 3", "stopped", "raise time.steps"}}) {
        const Flow flow(cavity, {"--device", "cpu", "--set",
                                 "time={" + end.time + ", steady_tolerance = 1e-3}"});
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        EXPECT_NE(flow.outcome.err.find("warning: not steady at t = "), std::string::npos)
            << flow.outcome.err;
        EXPECT_NE(flow.outcome.err.find(end.remedy), std::string::npos) << flow.outcome.err;
        EXPECT_EQ(flow.summary()["status"], end.status);
        EXPECT_EQ(flow.summary()["steady"], false);
    }
}

TEST(FlowRun, StopsOnASignal) {
    Folder folder;
    const std::string endless = cavity + "[output]\nvtk = false\n";
    Program program({"run", folder.write("case.toml", endless), "-o", folder / "out", "--device",
                     "cpu", "--set", "time={end = 1e9, step = 0.02}"},
                    {});
    const fs::path figures = folder / "out/monitors/flow.csv";
    for (int i = 0; i < 3000 && program.is_running() && lines_of(contents(figures)).size() < 5; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    program.signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_NE(outcome.out.find("\nstopped "), std::string::npos) << outcome.out;
    EXPECT_EQ(summary_in(folder / "out")["status"], "stopped");
}

}  // namespace
}  // namespace solenoid::test::end_to_end_flow_time_test
