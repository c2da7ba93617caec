// Incompressible flow: what is exact, divergence, bounds. (Orders: flow_order_test;
// devices: flow_devices_test.)
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/box.hpp"
#include "support/exact_flows.hpp"
#include "support/flows.hpp"

namespace solenoid::flow_test {
namespace {

using test::by_method;
using test::Flow;
using test::largest_divergence;
using test::tell;
using test::tight;
using test::vector_formula;

class FlowExact : public testing::TestWithParam<const char*> {};
const auto methods = testing::Values("exact", "classical");
const auto name_of_method = [](const auto& info) { return std::string(info.param); };
INSTANTIATE_TEST_SUITE_P(Methods, FlowExact, methods, name_of_method);

// What output shows between the cells. The cells' least squares alone have six times the error.
TEST_P(FlowExact, KovasznayAtNodes) {
    const auto exact = test::kovasznay();
    std::vector<double> errors;
    for (const std::size_t cells : {1000, 4000}) {
        const SimplexMesh mesh =
            test::placed(box_mesh({.dimension = 2, .cells = cells}), Vec3(-0.5, -0.5, 0), 1);
        Flow<double> flow(mesh, 0.025, test::on_every_side(mesh, "inflow", exact), exact, tight(),
                          "cpu", by_method(GetParam()));
        const Mesh& m = flow.mesh.mesh;
        const auto u = flow.solver.node_velocity();
        double square = 0, size = 0;
        for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i)
            for (int k = 0; k < 2; ++k) {
                const double value = exact[k](m.points[i], 0);
                square += std::pow(u[k * m.nodes() + i] - value, 2);
                size += value * value;
            }
        errors.push_back(std::sqrt(flow.comm.sum(square) / flow.comm.sum(size)));
        tell("  Kovasznay at nodes, %5zu triangles: error %.3e\n", cells, errors.back());
    }
    EXPECT_LT(errors[1], 3e-4);
}

// Near the steady state a step changes little of the velocity, less than a loose tolerance of the
// whole: it must count all the same. Kovasznay's flow creeps from its formula to the mesh's own
// solution.
TEST(FlowSteady, ALooseToleranceLosesNoSlowChange) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = 400;
    box.low = Vec3(-0.5, -0.5, 0);
    box.high = Vec3(1, 1.5, 0);
    const SimplexMesh mesh = box_mesh(box);
    const auto exact = test::kovasznay();
    const auto run = [&](double momentum_tolerance, int steps) {
        FlowSolvers solvers = tight();
        solvers.momentum.tolerance = momentum_tolerance;
        Flow<double> flow(mesh, 1.0 / 40, test::on_every_side(mesh, "inflow", exact), exact,
                          solvers);
        flow.run(steps, 1e-4);
        return flow.solver.cell_velocity();
    };
    const auto before = run(1e-10, 0), tight_answer = run(1e-10, 50), loose_answer = run(1e-3, 50);
    double change = 0, difference = 0;
    for (std::size_t i = 0; i < before.size(); ++i) {
        change = std::max(change, std::abs(tight_answer[i] - before[i]));
        difference = std::max(difference, std::abs(tight_answer[i] - loose_answer[i]));
    }
    EXPECT_GT(change, 1e-4);
    EXPECT_LT(difference, 0.01 * change);
}

// Cells stretched five times lie oblique to most faces: what is explicit of diffusion and pressure
// must not grow. Without forces but the lid's the kinetic energy stays below the lid's own.
TEST_P(FlowExact, StretchedCellsStayBounded) {
    for (const double viscosity : {0.01, 1.0, 10.0}) {
        BoxSettings box;
        box.dimension = 2;
        box.cells = 1000;
        SimplexMesh mesh = box_mesh(box);
        for (Vec3& x : mesh.points) x.x *= 5;
        std::vector<FlowBoundary> walls;
        for (const std::string& name : mesh.boundaries)
            walls.push_back(
                test::boundary(name, "wall", vector_formula({name == "ymax" ? "1" : "0", "0"})));
        FlowSolvers solvers = tight();
        solvers.stream_function.tolerance = solvers.pressure.tolerance = 1e-6;
        Flow<double> flow(mesh, viscosity, walls, vector_formula({"0", "0"}), solvers, "cpu",
                          by_method(GetParam()));
        double largest = 0;
        for (int n = 0; n < 100; ++n) {
            flow.solver.step(0.015);
            largest = std::max(largest, flow.solver.kinetic_energy());
            ASSERT_LT(largest, 2.5) << "step " << n;
        }
        tell("  viscosity %.2f: largest kinetic energy %.3e\n", viscosity, largest);
        EXPECT_LT(flow.solver.max_divergence(), largest_divergence<double>(GetParam(), solvers));
    }
}

// A body at rest stays at rest, and a uniform stream a uniform stream, to the solver's tolerance.
TEST_P(FlowExact, AUniformStreamStays) {
    for (int dimension : {2, 3}) {
        BoxSettings box;
        box.dimension = dimension;
        box.cells = 800;
        const auto stream = vector_formula({"1", "-0.5", dimension == 2 ? "0" : "0.25"});
        const SimplexMesh mesh = box_mesh(box);
        Flow<double> flow(mesh, 0.01, test::on_every_side(mesh, "inflow", stream), stream, tight(),
                          "cpu", by_method(GetParam()));
        flow.run(5, 0.01);
        EXPECT_LT(flow.error(stream), 1e-9);
    }
}

}  // namespace
}  // namespace solenoid::flow_test
