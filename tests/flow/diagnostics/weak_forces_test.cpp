// Forces by the weak form of momentum beside those by the surface's integral: what is exact.
// (Orders: weak_forces_order_test; ranks and devices: flow_devices_test.)
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

}  // namespace
}  // namespace solenoid::weak_forces_test
