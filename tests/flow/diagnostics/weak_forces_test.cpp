// Forces by the weak form of momentum beside those by the surface's integral: what is exact, ranks
// and devices. (Orders: weak_forces_order_test.)
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "mesh/box.hpp"
#include "support/flows.hpp"

namespace solenoid::weak_forces_test {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

std::vector<FlowBoundary> cavity() {
    std::vector<FlowBoundary> walls;
    for (const char* name : {"xmin", "xmax", "ymin", "ymax"})
        walls.push_back(test::boundary(
            name, "wall",
            vector_formula({std::string(name) == "ymax" ? "16*x^2*(1-x)^2" : "0", "0"})));
    return walls;
}

// On the floor of a cavity whose lid moves slowest at its ends: where it moves all at once pressure
// and friction have no bound.
TEST(WeakForces, AgreeWithTheSurfacesInACavity) {
    for (const std::size_t cells : {1000, 4000}) {
        Flow<> flow(box_mesh({.dimension = 2, .cells = cells}), 0.1, cavity(),
                    vector_formula({"0", "0"}));
        flow.run(static_cast<int>(5 * std::sqrt(double(cells))), 0.5 / std::sqrt(double(cells)));
        const BoundaryForce floor = flow.force_on("ymin");
        const Vec3 surface = floor.pressure + floor.friction;
        tell("  %zu cells: weak form (%.5f, %.5f), surface (%.5f, %.5f)\n", cells, floor.weak.x,
             floor.weak.y, surface.x, surface.y);
        EXPECT_LT(glm::length(floor.weak - surface),
                  (cells == 1000 ? 0.05 : 0.02) * glm::length(surface));
    }
}

// Buoyancy and body forces are no force on a boundary: a fluid at rest presses with its weight
// alone.
TEST(WeakForces, BearTheWeightOfAFluidAtRest) {
    FlowSettings settings;
    settings.body_force = vector_formula({"0", "-2"});
    auto walls = cavity();
    test::move(walls.back(), vector_formula({"0", "0"}));
    Flow<> flow(box_mesh({.dimension = 2, .cells = 300}), 0.1, walls, vector_formula({"0", "0"}),
                test::tight(), "cpu", settings);
    flow.run(3, 0.1);
    EXPECT_NEAR(flow.force_on("ymin").weak.y, -1, 1e-9);  // the pressure's mean is zero
    EXPECT_NEAR(flow.force_on("ymax").weak.y, -1, 1e-9);
}

TEST(WeakForces, DoNotDependOnCutOrDevice) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh =
            box_mesh({.dimension = dimension, .cells = dimension == 2 ? 300u : 600u});
        std::vector<FlowBoundary> conditions{
            test::boundary("xmin", "inflow", vector_formula({"4*y*(1-y)*(1+sin(t))", "0", "0"})),
            test::boundary("xmax", "outflow"), test::boundary("ymin", "wall"),
            test::boundary("ymax", "wall")};
        if (dimension == 3)
            for (const char* name : {"zmin", "zmax"})
                conditions.push_back(test::boundary(name, "symmetry"));
        const auto run = [&](auto real, const Communicator& comm, const std::string& device) {
            FlowSolvers solvers;
            solvers.stream_function.tolerance = solvers.pressure.tolerance =
                solvers.momentum.tolerance = sizeof(real) == 8 ? 1e-12 : 1e-5;
            Flow<decltype(real)> flow(mesh, 0.1, conditions,
                                      vector_formula({"4*y*(1-y)", "0", "0"}), solvers, device, {},
                                      comm);
            flow.solver.boundary_forces();
            flow.run(4, 0.02);
            return flow.solver.boundary_forces();
        };
        const auto expected = run(double(), Communicator::self(), "cpu");
        EXPECT_EQ(glm::length(expected[1].weak), 0);  // the outflow
        for (const std::string& device : test::device_names()) {
            const auto doubles = run(double(), Communicator::world(), device),
                       floats = run(float(), Communicator::world(), device);
            for (std::size_t g = 0; g < expected.size(); ++g) {
                EXPECT_LT(glm::length(doubles[g].weak - expected[g].weak), 1e-8) << device;
                EXPECT_LT(glm::length(doubles[g].weak_moment - expected[g].weak_moment), 1e-8)
                    << device;
                EXPECT_LT(glm::length(floats[g].weak - expected[g].weak), 2e-3) << device;
            }
        }
    }
}

}  // namespace
}  // namespace solenoid::weak_forces_test
