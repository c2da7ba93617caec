// What passes the boundaries of a scalar: values of fluid that enters, and the balance of a step.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "flow/make_flow_solver.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"

namespace solenoid::scalar_balance_test {
namespace {

using test::vector_formula;

Formula formula(const std::string& text) { return Formula(text, "test"); }

struct Carried {
    explicit Carried(const FlowCase& flow, std::size_t cells = 300, double length = 1)
        : comm(Communicator::world()),
          device(test::make_device("cpu")),
          mesh(distribute(comm, comm.is_root()
                                    ? std::optional(box_mesh(
                                          {.dimension = 2, .cells = cells, .high = {length, 1, 0}}))
                                    : std::nullopt)),
          domain(comm, *device, mesh),
          solver(make_flow_solver<double>(domain, flow)) {}

    double content() const {
        const auto values = solver->cell_scalar(0);
        double sum = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            sum += domain.geometry.cell_volume[c] * values[c];
        return comm.sum(sum);
    }
    std::size_t place(const std::string& boundary) const {
        return std::ranges::find(mesh.mesh.boundaries, boundary) - mesh.mesh.boundaries.begin();
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<FlowSolver> solver;
};

// A channel that takes in fluid of T = 300 to 302, with a heater, a flux and sources.
FlowCase heated_channel(const std::string& velocity) {
    FlowCase flow;
    flow.fluid.viscosity = 0.05;
    flow.initial_velocity = vector_formula({"0", "0", "0"});
    ScalarSettings scalar;
    scalar.name = "T";
    scalar.diffusivity = formula("0.02*(1 + 0.5*x)");
    scalar.initial = formula("300 + y");
    scalar.source = formula("2*y*(1 + sin(9*t))");
    flow.scalars = {scalar};
    flow.boundaries = {
        test::boundary("xmin", "inflow", vector_formula({velocity, "0", "0"}),
                       {{"T", {true, formula("300 + 2*y"), true}}}),
        test::boundary("xmax", "outflow", {}, {{"T", {true, formula("290"), true}}}),
        test::boundary("ymin", "wall", {}, {{"T", {true, formula("310 + sin(7*t)")}}}),
        test::boundary("ymax", "wall", {}, {{"T", {false, formula("-0.3*(1 + t)")}}})};
    return flow;
}

double sum_of(const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum;
}

void expect_closed(const ScalarBalance& b, const std::string& words) {
    double largest = std::max({std::abs(b.source), std::abs(b.storage), std::abs(b.divergence)});
    for (const auto* in : {&b.convected_in, &b.diffused_in})
        for (const double value : *in) largest = std::max(largest, std::abs(value));
    EXPECT_NEAR(sum_of(b.convected_in) + sum_of(b.diffused_in) + b.source + b.divergence, b.storage,
                1e-10 * largest)
        << words;
}

// With steps that grow, one of one state alone, and one that is taken back, at the usual
// tolerances. The flow turns round in between.
TEST(ScalarBalance, ClosesByEveryMethodAndScheme) {
    for (const char* method : {"exact", "classical"})
        for (const char* scheme : {"bdf2", "midpoint"})
            for (const char* convection : {"bounded", "central"}) {
                FlowCase flow = heated_channel("4*y*(1-y)*cos(8*t)");
                flow.flow.method = method;
                flow.flow.time_scheme = scheme;
                flow.scalars[0].convection = convection;
                Carried c(flow);
                double length = 0.004;
                for (int step = 0; step < 14; ++step, length *= 1.15) {
                    if (step == 8) c.solver->restart();
                    if (step == 5) {
                        c.solver->keep_state();
                        const ScalarBalance before = c.solver->scalar_balance(0);
                        c.solver->step(length);
                        c.solver->take_back();
                        EXPECT_EQ(c.solver->scalar_balance(0).convected_in, before.convected_in);
                    }
                    const double content = c.content();
                    c.solver->step(length);
                    const ScalarBalance b = c.solver->scalar_balance(0);
                    const std::string words =
                        fmt::format("{}, {}, {}, step {}", method, scheme, convection, step);
                    expect_closed(b, words);
                    // the solve leaves a part of its tolerance
                    EXPECT_NEAR(b.storage, (c.content() - content) / length,
                                1e-4 * (1 + std::abs(b.storage)))
                        << words;
                }
            }
}

// Each column by what is known of it, in the mean over a step.
TEST(ScalarBalance, HasWhatIsGiven) {
    for (const char* convection : {"bounded", "upwind"}) {
        FlowCase flow = heated_channel("0.5");
        flow.scalars[0].convection = convection;
        flow.scalars[0].source = formula("2*y");
        flow.boundaries[0].scalars["T"].value = formula("301");
        flow.boundaries[3].scalars["T"].value = formula("-0.3");
        flow.solvers.scalar.tolerance = 1e-12;
        Carried c(flow);
        for (int step = 0; step < 6; ++step) c.solver->step(0.01 * (1 + 0.1 * step));
        const ScalarBalance b = c.solver->scalar_balance(0);
        EXPECT_NEAR(b.convected_in[c.place("xmin")], 0.5 * 301, 1e-9) << convection;
        EXPECT_NEAR(b.diffused_in[c.place("ymax")], -0.3, 1e-12) << convection;
        EXPECT_NEAR(b.source, 1, 1e-12) << convection;
        for (const char* wall : {"ymin", "ymax"})
            EXPECT_NEAR(b.convected_in[c.place(wall)], 0, 1e-9) << convection;
        EXPECT_LT(b.convected_in[c.place("xmax")], -0.5 * 299) << convection;
        EXPECT_NEAR(b.diffused_in[c.place("xmax")], 0, 1e-9) << convection;
        EXPECT_GT(b.diffused_in[c.place("ymin")], 0.1) << convection;
    }
}

// Where values leave the range of the data the limiter takes off both parts alike.
TEST(ScalarBalance, ClosesWhereFluxesAreLimited) {
    FlowCase flow = heated_channel("4*y*(1-y)");
    flow.scalars[0].diffusivity = formula("1e-5");
    flow.scalars[0].source = Formula(0.0);
    flow.scalars[0].initial = formula("x > 0.3 && x < 0.6 ? 310 : 300");
    flow.boundaries[0].scalars["T"].value = formula("y > 0.5 ? 310 : 300");
    flow.boundaries[3].scalars.clear();
    Carried c(flow);
    for (int step = 0; step < 20; ++step) {
        c.solver->step(0.03);
        const ScalarBalance b = c.solver->scalar_balance(0);
        expect_closed(b, fmt::format("step {}", step));
        EXPECT_NEAR(b.diffused_in[c.place("xmax")], 0, 1e-9);
    }
}

// Plug flow between planes of symmetry, from left to right or back.
FlowCase plug(double speed) {
    FlowCase flow;
    flow.fluid.viscosity = 0.05;
    flow.initial_velocity = vector_formula({fmt::format("{}", speed), "0", "0"});
    ScalarSettings scalar;
    scalar.name = "T";
    scalar.diffusivity = Formula(0.1);
    scalar.source = Formula(1.0);
    flow.scalars = {scalar};
    flow.boundaries = {test::boundary("xmin", "inflow", flow.initial_velocity,
                                      {{"T", {true, Formula(1.0), true}}}),
                       test::boundary("xmax", "outflow", {}, {{"T", {true, Formula(5.0), true}}}),
                       test::boundary("ymin", "symmetry"), test::boundary("ymax", "symmetry")};
    return flow;
}

// u T' = D T'' + S with T given where the fluid enters and T' = 0 where it leaves, whichever end
// that is: the largest error, and the balance.
double error_of_inflow_value(const char* convection, double speed, int cells) {
    FlowCase flow = plug(speed);
    flow.scalars[0].convection = convection;
    Carried c(flow, cells);
    for (int step = 0; step < 150; ++step) c.solver->step(0.04);  // start-up falls as exp(-3.2 t)
    const auto values = c.solver->cell_scalar(0);
    const double d = 0.1;
    double worst = 0;
    for (Index i = 0; i < c.mesh.range(Kind::cell).owned; ++i) {
        const double at = c.domain.geometry.cell_centroid[i].x,
                     s = speed > 0 ? at : 1 - at,  // from where it enters
            exact = (speed > 0 ? 1 : 5) + s + d * (std::exp(-1 / d) - std::exp((s - 1) / d));
        worst = std::max(worst, std::abs(values[i] - exact));
    }
    const ScalarBalance b = c.solver->scalar_balance(0);
    EXPECT_NEAR(b.diffused_in[c.place(speed > 0 ? "xmax" : "xmin")], 0, 1e-9);
    EXPECT_GT(std::abs(b.diffused_in[c.place(speed > 0 ? "xmin" : "xmax")]), 0.05);
    return c.comm.max(worst);
}

TEST(InflowValue, HoldsWhereFluidEntersAlone) {
    for (const char* convection : {"bounded", "central"})
        for (const double speed : {1.0, -1.0}) {
            const double coarse = error_of_inflow_value(convection, speed, 300),
                         fine = error_of_inflow_value(convection, speed, 1200);
            // h^2 T'' / 8 of the finer mesh, where T'' = 1 / D at the end that the fluid leaves by
            EXPECT_LT(fine, 2.0 / 1200 * 10 / 8) << convection << ", speed " << speed;
            EXPECT_GT(coarse / fine, 2.4) << convection << ", speed " << speed;
        }
}

// What leaves has the bits of an outflow without a value.
TEST(InflowValue, IsNothingWhereFluidLeaves) {
    FlowCase flow = plug(1);
    Carried with(flow);
    flow.boundaries[1].scalars.clear();
    Carried without(flow);
    for (int step = 0; step < 5; ++step) {
        with.solver->step(0.02);
        without.solver->step(0.02);
    }
    EXPECT_EQ(with.solver->cell_scalar(0), without.solver->cell_scalar(0));
    EXPECT_EQ(with.solver->node_scalar(0), without.solver->node_scalar(0));
}

}  // namespace
}  // namespace solenoid::scalar_balance_test
