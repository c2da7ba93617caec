// Whole runs of flow cases in time: automatic steps, steady ends, and a signal.
#include "flow_runs.hpp"

namespace solenoid::test {
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

// At rest, and the lid starts slowly: there is no speed to go by.
TEST(FlowRun, StartsFromRest) {
    const Flow flow(cavity, joined(automatic_step, {"--set", "boundary.ymax.velocity=[\"t\", 0]"}));
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    for (const auto& value : flow.figures().column("courant")) EXPECT_LT(*value, 0.8);
    EXPECT_NEAR(flow.summary()["time"].get<double>(), 0.5, 1e-12);
}

TEST(FlowRun, EndsWhereItIsSteady) {
    const Flow flow(
        cavity, {"--device", "cpu", "--set", "boundary.ymax.velocity=[1, 0]", "--set", "fluid.viscosity=0.1",
                 "--set", "time={end = 100, step = 0.03, steady_tolerance = 1e-3}"});
    ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
    EXPECT_NE(flow.outcome.out.find("\nsteady   at t = "), std::string::npos) << flow.outcome.out;
    const auto summary = flow.summary();
    EXPECT_EQ(summary["status"], "done");
    EXPECT_EQ(summary["steady"], true);
    EXPECT_LT(summary["time"], 20);
    EXPECT_GT(summary["time"], 0.5);
}

// To the end or to its last step without having become steady: it says so.
TEST(FlowRun, SaysWhereItIsNotSteady) {
    struct End {
        std::string time, status, remedy;
    };
    for (const End& end : {End{"end = 0.05", "done", "raise time.end"}, End{"end = 100, steps = 3", "stopped", "raise time.steps"}}) {
        const Flow flow(cavity, {"--device", "cpu", "--set", "time={" + end.time + ", steady_tolerance = 1e-3}"});
        ASSERT_EQ(flow.outcome.code, 0) << flow.outcome.err;
        EXPECT_NE(flow.outcome.err.find("warning: not steady at t = "), std::string::npos) << flow.outcome.err;
        EXPECT_NE(flow.outcome.err.find(end.remedy), std::string::npos) << flow.outcome.err;
        EXPECT_EQ(flow.summary()["status"], end.status);
        EXPECT_EQ(flow.summary()["steady"], false);
    }
}

TEST(FlowRun, StopsOnASignal) {
    Folder folder;
    const std::string endless = cavity + "[output]\nvtk = false\n";
    Program program({"run", folder.write("case.toml", endless), "-o", folder / "out", "--device", "cpu",
                     "--set", "time={end = 1e9, step = 0.02}"},
                    {});
    const fs::path figures = folder / "out/monitors/flow.csv";
    for (int i = 0; i < 3000 && program.is_running() && lines_of(contents(figures)).size() < 5; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    program.signal(SIGINT);
    const Outcome outcome = program.wait();
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("\nstopped "), std::string::npos) << outcome.out;
    EXPECT_EQ(summary_in(folder / "out")["status"], "stopped");
}

}  // namespace
}  // namespace solenoid::test
