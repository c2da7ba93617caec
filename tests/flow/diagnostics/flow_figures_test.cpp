// What a flow tells of itself - integrals of the velocity's gradient, the Q-criterion, net fluxes -
// and the schemes of convection by name.
#include <gtest/gtest.h>

#include "flow/diagnostics/vorticity.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"

namespace solenoid::flow_figures_test {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

SimplexMesh box(int dimension, std::size_t cells, const Vec3& low, double size) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    return test::moved(box_mesh(settings), [&](const Vec3& x) {
        return Vec3(low.x + size * x.x, low.y + size * x.y,
                    dimension == 2 ? 0 : low.z + size * x.z);
    });
}

std::vector<FlowBoundary> inflow_everywhere(const SimplexMesh& mesh,
                                            const VectorFormula& velocity) {
    std::vector<FlowBoundary> boundaries;
    for (const std::string& name : mesh.boundaries)
        boundaries.push_back(test::boundary(name, "inflow", velocity));
    return boundaries;
}

FlowSettings settings(const std::string& momentum, const std::string& convection = "central") {
    FlowSettings s;
    s.momentum = momentum;
    s.convection = convection;
    return s;
}

// Of the recovered node velocity.
std::vector<double> q_criterion(Flow<>& flow) {
    return q_criterion_at_nodes(flow.mesh.mesh, geometry(flow.mesh.mesh),
                                flow.solver.node_velocity());
}

// ---- figures

// A rigid rotation, u = (-y, x, 0): the gradient is the same everywhere, and each operator exact
// for it.
TEST(Figures, OfARigidRotationAreExact) {
    const auto rotation = vector_formula({"-y", "x", "0"});
    for (const int dimension : {2, 3})
        for (const std::string& device : test::devices_on(Communicator::world().size())) {
            const SimplexMesh mesh = box(dimension, 300, Vec3(0.5, -1, 0), 2);
            const double volume = dimension == 2 ? 4 : 8;
            Flow<> flow(mesh, 0.1, inflow_everywhere(mesh, rotation), rotation, test::tight(),
                        device);
            const GradientIntegrals g = flow.solver.gradient_integrals();
            EXPECT_NEAR(g.enstrophy, 2 * volume, 1e-8) << device;
            EXPECT_NEAR(g.dissipation, 0, 1e-8) << device;
            const auto q = q_criterion(flow);
            for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i)
                ASSERT_NEAR(q[i], 1, 1e-7) << device;
        }
}

// u = (-cos x sin y, sin x cos y) over its period: enstrophy 2 pi^2, 2 S : S 4 pi^2, Q = cos^2
// cos^2 - sin^2 sin^2.
TEST(Figures, OfTaylorGreenConvergeWithSecondOrder) {
    const auto vortices = vector_formula({"-cos(x)*sin(y)", "sin(x)*cos(y)"});
    for (const char* momentum : {"collocated", "rotational"}) {
        std::vector<std::array<double, 3>> errors;
        for (const std::size_t cells : {2000, 8000}) {
            const SimplexMesh mesh = box(2, cells, Vec3(0.4, 0.2, 0), 2 * M_PI);
            Flow<> flow(mesh, 0.1, inflow_everywhere(mesh, vortices), vortices, test::tight(),
                        "cpu", settings(momentum));
            const GradientIntegrals g = flow.solver.gradient_integrals();
            const auto q = q_criterion(flow);
            double square = 0;
            for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i) {
                const Vec3& x = flow.mesh.mesh.points[i];
                const double exact = std::pow(std::cos(x.x) * std::cos(x.y), 2) -
                                     std::pow(std::sin(x.x) * std::sin(x.y), 2);
                square += std::pow(q[i] - exact, 2);
            }
            square = std::sqrt(flow.comm.sum(square) /
                               flow.comm.sum(double(flow.mesh.range(Kind::node).owned)));
            errors.push_back({std::abs(g.enstrophy / (2 * M_PI * M_PI) - 1),
                              std::abs(g.dissipation / (0.4 * M_PI * M_PI) - 1), square});
            tell("  %s, %zu triangles: enstrophy off by %.2e, dissipation %.2e, Q %.2e\n", momentum,
                 cells, errors.back()[0], errors.back()[1], errors.back()[2]);
        }
        for (const int k : {0, 1})
            EXPECT_GT(std::log2(errors[0][k] / errors[1][k]), 1.7) << momentum << k;
        EXPECT_GT(std::log2(errors[0][2] / errors[1][2]), 0.9) << momentum;
        for (const double error : errors[1]) EXPECT_LT(error, 0.05) << momentum;
    }
}

// Through the sides of a square in a shear flow: u = y enters at x = 0 and leaves at x = 1.
TEST(Figures, NetFluxesAreWhatEntersAndLeaves) {
    const auto shear = vector_formula({"y", "0"});
    const SimplexMesh mesh = box(2, 300, Vec3(0), 1);
    for (const char* momentum : {"collocated", "rotational"}) {
        Flow<> flow(mesh, 0.1, inflow_everywhere(mesh, shear), shear, test::tight(), "cpu",
                    settings(momentum));
        flow.run(2, 0.01);
        const auto inflow = flow.solver.boundary_inflow();
        for (std::size_t b = 0; b < inflow.size(); ++b) {
            const std::string& name = flow.mesh.mesh.boundaries[b];
            EXPECT_NEAR(inflow[b], name == "xmin" ? 0.5 : name == "xmax" ? -0.5 : 0, 1e-12) << name;
        }
    }
}

// ---- convection by name

TEST(Convection, OrderOfEachScheme) {
    const auto exact =
        vector_formula({"-cos(x)*sin(y)*exp(-0.02*t)", "sin(x)*cos(y)*exp(-0.02*t)"});
    for (const auto& [name, least] : std::vector<std::pair<std::string, double>>{
             {"central", 1.9}, {"upwind", 1.9}, {"blended", 1.6}}) {
        std::vector<double> errors;
        for (const int refined : {0, 1}) {
            const SimplexMesh mesh = box(2, 1000 << 2 * refined, Vec3(0.3, 0.1, 0), 2 * M_PI);
            Flow<> flow(mesh, 0.01, inflow_everywhere(mesh, exact), exact, test::tight(), "cpu",
                        settings("collocated", name));
            flow.run(10 << refined, 1.0 / (10 << refined));
            errors.push_back(flow.error(exact));
        }
        const double order = std::log2(errors[0] / errors[1]);
        tell("  %s: errors %.2e, %.2e, order %.2f\n", name.c_str(), errors[0], errors[1], order);
        EXPECT_GT(order, least) << name;
    }
}

// The range of a dye that was 0 or 1, carried by a uniform stream without diffusion.
std::array<double, 2> range_of_dye(const std::string& convection) {
    const auto comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const SimplexMesh whole = box(2, 2000, Vec3(0), 1);
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    FlowCase flow;
    flow.fluid.viscosity = 0.01;
    flow.flow = settings("collocated", convection);
    flow.solvers = test::tight();
    flow.initial_velocity = vector_formula({"1", "0.3"});
    ScalarSettings dye;
    dye.name = "dye";
    dye.convection = convection;
    dye.initial = Formula("x < 0.3 && y < 0.6 ? 1 : 0", "test");
    flow.scalars = {dye};
    for (FlowBoundary b : inflow_everywhere(whole, flow.initial_velocity)) {
        if (b.name == "xmax" || b.name == "ymax") test::change(b, "outflow");
        if (b.name == "xmin") b.scalars["dye"] = {true, Formula("y < 0.6 ? 1 : 0", "test")};
        if (b.name == "ymin") b.scalars["dye"] = {true, Formula("x < 0.3 ? 1 : 0", "test")};
        flow.boundaries.push_back(b);
    }
    const Domain domain(comm, *device, mesh);
    const auto solver = make_flow_solver<double>(domain, flow);
    std::array<double, 2> range{0, 0};  // least, largest
    for (int step = 0; step < 40; ++step) {
        solver->step(0.005);
        for (const double value : solver->cell_scalar(0))
            range = {std::min(range[0], value), std::max(range[1], value)};
    }
    return {-comm.max(-range[0]), comm.max(range[1])};
}

TEST(Convection, BlendedMakesHardlyNewExtrema) {
    const auto central = range_of_dye("central"), upwind = range_of_dye("upwind"),
               blended = range_of_dye("blended");
    tell("  a dye of 0 and 1: central %.3f to %.3f, upwind %.3f to %.3f, blended %.3f to %.3f\n",
         central[0], central[1], upwind[0], upwind[1], blended[0], blended[1]);
    EXPECT_GT(central[1], 1.05);
    EXPECT_LT(blended[1], 1.02);
    EXPECT_GT(blended[0], -0.02);
}

}  // namespace
}  // namespace solenoid::flow_figures_test
