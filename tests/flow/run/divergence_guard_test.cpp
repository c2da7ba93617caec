// What ends a flow's run early, and what does not: a solver that says what the test wants, on a
// real mesh and real settings.
#include "flow/run/divergence_guard.hpp"

#include <gtest/gtest.h>

#include "flow/run/flow_steps.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "run/eta.hpp"
#include "run/simplices/simplices.hpp"
#include "support/boundaries.hpp"

namespace solenoid::divergence_guard_test {
namespace {

// At a tenth of its speed everywhere but in the seventh cell.
class Puppet final : public FlowSolver {
  public:
    explicit Puppet(const DistributedMesh& mesh) : mesh_(mesh) {}

    void step(double dt) override { now += dt; }
    double time() const override { return now; }
    double courant(double dt) const override { return dt * rate; }
    double courant_limit() const override { return 1; }
    double max_divergence() override { return 0; }
    double rate_of_change() const override { return 0; }
    double largest_speed() const override { return speed; }
    double kinetic_energy() override { return 0.005 * speed * speed; }
    GradientIntegrals gradient_integrals() override { return {}; }
    std::vector<double> boundary_inflow() override { return {}; }
    std::vector<double> node_velocity() override { return {}; }
    std::vector<double> cell_velocity() override { return of_cells(2, speed); }
    std::vector<double> face_flux() override {
        return std::vector<double>(mesh_.range(Kind::face).all, 0.01);
    }
    std::vector<double> stream_function() override { return {}; }
    std::vector<double> node_scalar(int) override { return {}; }
    std::vector<double> cell_scalar(int) override {
        return of_cells(1, scalar[1] > -scalar[0] ? scalar[1] : scalar[0]);
    }
    std::vector<double> scalar_diffused_in(int) override { return {}; }
    std::array<double, 2> scalar_range(int) override { return scalar; }
    std::vector<std::pair<std::string, SolveTotals>> solves() const override { return {}; }

    double now = 0, speed = 0, rate = 1;
    std::array<double, 2> scalar{0, 0};

  private:
    std::vector<double> of_cells(int columns, double value) const {
        std::vector<double> values(std::size_t(columns) * mesh_.range(Kind::cell).all, 0.1 * value);
        for (std::size_t c = 0; c < mesh_.range(Kind::cell).owned; ++c)
            if (mesh_.mesh.cell_number[c] == 6) values[c] = value;
        return values;
    }
    const DistributedMesh& mesh_;
};

ScalarSettings carried(const std::string& name, const Formula& initial) {
    ScalarSettings scalar;
    scalar.name = name;
    scalar.initial = initial;
    return scalar;
}

class DivergenceGuardTest : public testing::Test {
  protected:
    DivergenceGuardTest() : comm(Communicator::world()), run(comm, options) {
        BoxSettings box;
        box.cells = 100;
        box.dimension = 2;
        box.high.z = 0;
        run.mesh = std::make_unique<Simplices>(
            distribute(comm, comm.is_root() ? std::optional(box_mesh(box)) : std::nullopt));
        run.settings.place = "case.toml";
        run.settings.time.end = 1000;
        run.settings.own = FlowCase{};
        for (const char* side : {"xmin", "xmax", "ymin", "ymax"})
            flow().boundaries.push_back(test::boundary(side, "wall"));
    }
    FlowCase& flow() { return settings_of<FlowCase>(run.settings); }
    FlowBoundary& side(int i) { return flow().boundaries[i]; }

    // The message of a run of so many steps at the speeds that `speed` gives at their ends; ""
    // where nothing is amiss.
    template <class State>
    std::string ending(int steps, double length, const State& state) {
        Puppet puppet(simplices_of(run).mesh);
        state(puppet);
        FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
        DivergenceGuard watch(run, puppet, data);
        try {
            for (int i = 0; i < steps; ++i) {
                watch.before_step(length, length, puppet.rate);
                puppet.step(length);
                state(puppet);
                watch.after_step(length, puppet.rate, puppet.kinetic_energy());
            }
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 1);
            return error.what();
        }
        return "";
    }
    static auto at_speed(double factor, double power) {
        return [=](Puppet& p) { p.speed = factor * std::pow(p.now, power); };
    }
    static void expect_words(const std::string& message, const std::vector<std::string>& words) {
        for (const std::string& word : words)
            EXPECT_NE(message.find(word), std::string::npos)
                << '"' << word << "\" is not in: " << message;
    }

    Communicator comm;
    RunOptions options;
    solenoid::Run run;  // testing::Test has one of its own
};

TEST_F(DivergenceGuardTest, EnergyOfALid) {
    test::move(side(3), test::vector_formula({"2", "0"}));
    EXPECT_EQ(ending(100, 0.1, at_speed(2, 0)), "");
    EXPECT_EQ(ending(100, 0.1, at_speed(5, 0)), "");
    expect_words(ending(100, 0.1, [](Puppet& p) { p.speed = std::exp(2 * p.now); }),
                 {"the flow grows without bound: ", " m/s at t = 2.2 s in cell 7 at (",
                  "account for 2.236 m/s", "convection \"skew-symmetric\"",
                  "flow.convection = \"blended\"", "a smaller time.courant"});
    flow().flow.convection = "blended";
    expect_words(ending(100, 0.1, [](Puppet& p) { p.speed = std::exp(2 * p.now); }),
                 {"convection \"blended\"): take a smaller time.courant, or a finer mesh"});
}

TEST_F(DivergenceGuardTest, EnergyOfWhatEverDrivesTheFlow) {
    const double most = 25;  // times what drives it
    EXPECT_EQ(ending(10, 0.1, at_speed(0, 0)), "");
    flow().flow.body_force[0] = Formula(3.0);
    EXPECT_EQ(ending(1000, 0.1, at_speed(3, 1)), "");
    EXPECT_NE(ending(1000, 0.1, at_speed(3 * most, 1.5)), "");
    flow().flow.body_force[0] = Formula("3*sin(t)", "test");
    EXPECT_EQ(ending(1000, 0.1, [](Puppet& p) { p.speed = 3 * (1 - std::cos(p.now)); }), "");
    flow().flow.body_force[0] = Formula(0.0);
    for (int i : {0, 1}) test::change(side(i), "pressure");
    test::press(side(0), Formula("8*min(t, 1)", "test"));
    EXPECT_EQ(ending(100, 0.1, [](Puppet& p) { p.speed = 4 * std::sqrt(std::min(p.now, 1.0)); }),
              "");
    EXPECT_NE(ending(100, 0.1, at_speed(4 * 1.5 * most, 0.5)), "");
}

// A contraction: the flow inside is fifty times as fast as where it enters, from the first step on.
TEST_F(DivergenceGuardTest, EnergyOfAContraction) {
    test::change(side(0), "inflow");
    test::change(side(1), "outflow");
    test::move(side(0), test::vector_formula({"min(t, 1)", "0"}));
    EXPECT_EQ(ending(100, 0.1, [](Puppet& p) { p.speed = 50 * std::min(p.now, 1.0); }), "");
    EXPECT_NE(
        ending(100, 0.1, [](Puppet& p) { p.speed = std::min(p.now, 1.0) * (p.now > 2 ? 50 : 1); }),
        "");
}

// Another boundary moves from the start, before which there is no contraction, and faster.
TEST_F(DivergenceGuardTest, EnergyOfAContractionBesideAMovingWall) {
    test::move(side(2), test::vector_formula({"1", "0"}));
    test::change(side(0), "inflow");
    test::change(side(1), "outflow");
    test::move(side(0), test::vector_formula({"min(t, 1)", "0"}));
    const auto speed = [](double later) {
        return [=](Puppet& p) { p.speed = (p.now > 2 ? later : 1) * 50 * std::min(p.now, 1.0); };
    };
    EXPECT_EQ(ending(100, 0.1, speed(1)), "");
    EXPECT_NE(ending(100, 0.1, speed(50)), "");
}

TEST_F(DivergenceGuardTest, EnergyOfBuoyancy) {
    ScalarSettings scalar = carried("temperature", Formula(0.5));
    scalar.expansion = 0.1;
    scalar.reference = 0.5;
    flow().fluid.gravity = {0, -10, 0};
    side(0).scalars["temperature"] = {true, Formula(1.0)};
    flow().scalars.push_back(scalar);
    const auto state = [](double factor) {
        return [=](Puppet& p) {
            p.scalar = {0.5, 1};
            p.speed = factor * 0.5 * p.now;
        };
    };
    EXPECT_EQ(ending(100, 0.1, state(1)), "");
    EXPECT_NE(ending(100, 0.1, state(40)), "");
}

TEST_F(DivergenceGuardTest, ScalarsWithinTheirData) {
    ScalarSettings scalar = carried("dye", Formula("x > 0.5 ? 1 : 0", "test"));
    flow().scalars.push_back(scalar);
    const auto state = [](double least, double greatest) {
        return [=](Puppet& p) { p.scalar = {least * p.now, greatest * p.now}; };
    };
    EXPECT_EQ(ending(10, 0.1, state(-0.9, 1.9)), "");
    expect_words(ending(10, 0.1, state(0, 2.5)),
                 {"dye is 2.25 at t = 0.9 s in cell 7 at (", "beyond 0 to 1,",
                  "flow.convection = \"blended\""});
    expect_words(ending(10, 0.1, state(-2.5, 0)),
                 {"dye is -1.25 at t = 0.5 s in cell 7 at (", "beyond 0 to 1,"});
    flow().scalars[0].source = Formula("2*t", "test");
    EXPECT_EQ(ending(100, 0.1, [](Puppet& p) { p.scalar = {0, 1 + p.now * p.now}; }), "");
    flow().scalars[0].source = Formula(0.0);
    side(2).scalars["dye"] = {true, Formula("1 + t", "test")};
    EXPECT_EQ(ending(100, 0.1, state(0, 2)), "");
    EXPECT_NE(ending(100, 0.1, state(0, 3)), "");
    // fills a cell of an edge of 0.14 by 14 a second
    side(2).scalars["dye"] = {false, Formula(1.0)};
    EXPECT_EQ(ending(10, 0.1, state(0, 10)), "");
    EXPECT_NE(ending(10, 0.1, state(-40, 10)), "");
}

TEST_F(DivergenceGuardTest, ACourantNumberThatTheSchemeTakes) {
    for (int i : {0, 1}) test::change(side(i), "inflow");
    for (int i : {0, 1}) test::move(side(i), test::vector_formula({"max(0, t - 5)", "0"}));
    run.settings.time.step = 0.5;
    const auto rate = [](double value) {
        return [=](Puppet& p) {
            p.rate = value;
            p.speed = std::max(0.0, p.now - 5);
        };
    };
    EXPECT_EQ(ending(10, 0.5, rate(2)), "");
    expect_words(ending(10, 0.5, rate(2.1)),
                 {"the step of 0.5 s to t = 0.5 s is too long: the Courant number is 1.05 in cell ",
                  "convection \"skew-symmetric\") is 1;", "take a time.step of 0.28 s or less"});
    // what enters passes its cells
    expect_words(ending(100, 0.5, rate(0)), {"the step of 0.5 s to t = 5.5 s"});
    run.settings.time.step.reset();
    EXPECT_EQ(ending(10, 0.5, rate(2.1)), "");
    expect_words(ending(10, 0.5, rate(210)),
                 {"Courant number is 105", "take a smaller time.courant"});
    Puppet puppet(simplices_of(run).mesh);
    EXPECT_NO_THROW(check_courant(run, puppet));
    flow().courant = 1.1;
    try {
        check_courant(run, puppet);
        ADD_FAILURE() << "accepted";
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        expect_words(error.what(), {"case.toml: [time] courant = 1.1", "take 1 or less"});
    }
}

TEST_F(DivergenceGuardTest, StepsThatFallWithTheFlowAlone) {
    test::move(side(3), test::vector_formula({"t > 2 ? 1000 : 0.001", "0"}));
    const auto fall = [&](double from) {
        Puppet puppet(simplices_of(run).mesh);
        FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
        DivergenceGuard watch(run, puppet, data);
        double step = 1;
        for (int i = 0; i < 8; ++i) {
            watch.before_step(step, step, 1);
            puppet.step(step);
            watch.after_step(step, 1, 0);
            if (puppet.now >= from) step /= 10;
        }
    };
    EXPECT_NO_THROW(fall(2.5));  // the lid is a million times as fast
    EXPECT_THROW(fall(0.5), AgreedError);
}

TEST_F(DivergenceGuardTest, AFirstStepThatWhatDrivesTheFlowAllows) {
    const auto first = [&] {
        FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
        return FlowSteps(comm, data, run.settings.time, flow().courant, false)
            .next(0, 1000, 0, HUGE_VAL);
    };
    EXPECT_EQ(first(), 1000);
    flow().flow.body_force[0] = Formula("sin(t)", "test");  // none at first
    const double by_force = first();
    EXPECT_LT(by_force, 1);
    EXPECT_GT(by_force, 0.01);
    flow().flow.body_force[0] = Formula(0.0);
    ScalarSettings scalar = carried("temperature", Formula(0.0));
    scalar.expansion = 1;
    flow().fluid.gravity = {0, -10, 0};
    side(0).scalars["temperature"] = {false, Formula(1.0)};
    flow().scalars.push_back(scalar);
    EXPECT_LT(first(), 0.2);
    EXPECT_GT(first(), 0.01);
}

// A lid that starts late is met by a short step.
TEST_F(DivergenceGuardTest, StepsThatExpectWhatComes) {
    test::move(side(3), test::vector_formula({"t > 5 ? 1 : 0", "0"}));
    FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
    FlowSteps steps(comm, data, run.settings.time, flow().courant, false);
    double time = 0, length = 0, longest = 0;
    for (int i = 0; i < 200 && time <= 5; ++i) {
        length = steps.next(time, 1000, 0, HUGE_VAL);
        longest = std::max(longest, length);
        time += length;
    }
    EXPECT_GT(longest, 1);
    EXPECT_GT(time, 5);
    EXPECT_LT(length * data.boundary_rate(6), 1);
}

// Of steps whose error goes with their cube.
TEST_F(DivergenceGuardTest, StepsAsLongAsTheirErrorsAllow) {
    FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
    run.settings.time.first_step = 0.5;
    run.settings.time.largest_step = 3;
    FlowSteps steps(comm, data, run.settings.time, flow().courant, true);
    EXPECT_EQ(steps.next(0, 1000, 0, HUGE_VAL), 0.5);
    EXPECT_TRUE(steps.starts());
    EXPECT_TRUE(steps.accepts(0.5, 1e-3, 1));
    EXPECT_NEAR(steps.next(0.5, 1000, 0, HUGE_VAL), 0.75, 1e-12);  // half as much again
    EXPECT_FALSE(steps.starts());
    EXPECT_FALSE(steps.accepts(0.75, 8, 2));
    EXPECT_NEAR(steps.next(0.5, 1000, 0, HUGE_VAL), 0.55 * 0.375, 1e-12);
    EXPECT_TRUE(steps.accepts(0.55 * 0.375, 0.8, 2));
    EXPECT_NEAR(steps.next(0.8, 1000, 0, HUGE_VAL), 0.55 * 0.55 * 0.375 / std::cbrt(0.8), 1e-12);
    EXPECT_NEAR(steps.next(0.9, 1000, 1, HUGE_VAL), 0.55 * 0.55 * 0.375 / std::cbrt(0.8), 1e-12);
    double length = 0, time = 1;
    for (int i = 0; i < 40; ++i, time += length) {
        length = steps.next(time, 1000, 0, HUGE_VAL);
        EXPECT_TRUE(steps.accepts(length, 1e-9, 2));
    }
    EXPECT_EQ(length, 3);
    EXPECT_LE(steps.next(time, 1000, 2, HUGE_VAL), 0.3);  // the Courant number
    EXPECT_TRUE(steps.accepts(0.3, 1e-9, 2));
    EXPECT_EQ(steps.next(time, 1000, 0, 0.01), 0.01);
}

// A step that is cut short by a time of output tells nothing of the flow.
TEST_F(DivergenceGuardTest, StepsThatEndAtOnceAreNoCollapse) {
    run.settings.time.end = 1000;
    FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
    for (const bool controls : {false, true}) {
        FlowSteps steps(comm, data, run.settings.time, flow().courant, controls);
        double time = 0, asked = 0;
        for (int i = 0; i < 60; ++i) {
            time += steps.next(time, time + 1, 1, HUGE_VAL);
            steps.accepts(1, 1e-9, 2);
            asked = std::max(asked, steps.asked());
        }
        for (const double way : {1e-9, 1e-11, 1e-12}) {
            double length = steps.next(time, time + way, 1, HUGE_VAL);
            EXPECT_LE(length, 1.001 * way);  // up to the rounding of the time
            EXPECT_GE(length, 0.4 * way);
            EXPECT_GT(steps.asked(), 0.5 * asked);
            steps.accepts(length, 1e-9, 2);
        }
        EXPECT_NO_THROW(steps.next(time, time + 1, 1, HUGE_VAL));
        EXPECT_GT(steps.asked(), 0.5 * asked);
    }
}

// Where steps are not less wrong for being shorter they are left as they are.
TEST_F(DivergenceGuardTest, StepsAreNotShortenedForNothing) {
    FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
    FlowSteps steps(comm, data, run.settings.time, flow().courant, true);
    double time = 0, shortest = HUGE_VAL;
    int trials = 0;
    for (int i = 0; i < 100; ++i) {
        double length = steps.next(time, 1000, 0, 1);
        for (; !steps.accepts(length, 5, 2); ++trials) length = steps.next(time, 1000, 0, 1);
        time += length;
        shortest = std::min(shortest, length);
    }
    EXPECT_GT(shortest, 0.9);
    EXPECT_LT(trials, 60);
}

// One that fails is halved; the next ones grow from there.
TEST_F(DivergenceGuardTest, StepsThatFail) {
    FlowData data(comm, simplices_of(run).mesh, geometry(simplices_of(run).mesh.mesh), flow());
    for (const bool controls : {false, true}) {
        FlowSteps steps(comm, data, run.settings.time, flow().courant, controls);
        double length = steps.next(0, 1000, 0, 1);
        for (int i = 0; i < 5; ++i) {
            steps.shortens(length);
            const double shorter = steps.next(0, 1000, 0, 1);
            EXPECT_EQ(shorter, length / 2);
            length = shorter;
        }
        steps.stays();
        EXPECT_NEAR(steps.next(length, 1000, 10, 1), 1.2 * length, 1e-12);
    }
}

TEST(Eta, FollowsTheLastSteps) {
    Eta eta;
    double wall = 0, time = 0;
    for (int i = 0; i < 100; ++i) eta.note(wall += 0.1, time += 0.01);
    EXPECT_NEAR(eta.left(2), 10, 1e-9);
    EXPECT_NEAR(eta.left(2, 5), 0.5, 1e-9);
    for (int i = 0; i < 400; ++i) eta.note(wall += 0.1, time += 1e-5);
    EXPECT_NEAR(eta.left(2) / (0.1 * (2 - time) / 1e-5), 1, 0.01);
}

}  // namespace
}  // namespace solenoid::divergence_guard_test
