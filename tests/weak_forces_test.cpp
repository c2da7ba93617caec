// Forces by the weak form of momentum beside those by the surface's integral: exact values, orders, ranks and devices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "io/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"
#include "support/boundaries.hpp"

namespace solenoid {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

template <class AFlow>
BoundaryForce force_on(AFlow& flow, const std::string& name) {
    const auto& names = flow.mesh.mesh.boundaries;
    return flow.solver.boundary_forces()[std::find(names.begin(), names.end(), name) - names.begin()];
}

std::vector<FlowBoundary> given_everywhere(const SimplexMesh& mesh, const VectorFormula& velocity) {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries) all.push_back(test::boundary(name, "inflow", velocity));
    return all;
}

struct Study {
    std::vector<double> cells, weak, surface;  // errors
    void add(std::size_t count, double weak_error, double surface_error) {
        cells.push_back(double(count));
        weak.push_back(std::abs(weak_error));
        surface.push_back(std::abs(surface_error));
        tell("  %6.0f cells: weak form %.3e off, surface %.3e\n", cells.back(), weak.back(), surface.back());
    }
    // Of the two finest meshes.
    double order() const { return test::observed_order(weak.end()[-2], weak.back(), cells.end()[-2], cells.back(), 2); }
};

// u_theta = 1 / r - 2 r between two cylinders that turn: a torque of 4 pi nu on each, against one another.
TEST(WeakForces, TurnTaylorAndCouettesCylindersOrder) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.2, torque = 4 * M_PI * nu;
    Study inner, outer;
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("annulus", 2, size));
        const auto exact = vector_formula({"y*(2-1/(x^2+y^2))", "-x*(2-1/(x^2+y^2))"});
        Flow<> flow(mesh, nu, {test::boundary("inner", "wall", vector_formula({"-2*y", "2*x"})), test::boundary("outer", "wall", vector_formula({"y", "-x"}))}, exact);
        flow.run(static_cast<int>(4 / size), 0.25 * size);
        const BoundaryForce within = force_on(flow, "inner"), around = force_on(flow, "outer");
        inner.add(mesh.cell_count(), within.weak_moment.z / -torque - 1, within.moment.z / -torque - 1);
        outer.add(mesh.cell_count(), around.weak_moment.z / torque - 1, around.moment.z / torque - 1);
    }
    for (const Study& study : {inner, outer}) {
        EXPECT_GE(study.order(), 1.9);
        EXPECT_LT(study.weak.back(), 1e-3);
        EXPECT_LT(study.surface.back(), 5e-3);
    }
}

// What presses on the inflow's side: p = -e^(2lx) / 2 up to a constant, du/dx vanishes in the mean.
TEST(WeakForces, PressOnKovasznaysInflowOrder) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double l = 20 - std::sqrt(400 + 4 * M_PI * M_PI), pressure = 0.25 * (std::exp(l) - std::exp(-l)) / l - 0.5 * std::exp(-l);
    const auto exact = vector_formula({fmt::format("1-exp({0}*x)*cos(2*pi*y)", l), fmt::format("{0}/(2*pi)*exp({0}*x)*sin(2*pi*y)", l)});
    Study study;
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("square", 2, size)), [](const Vec3& x) { return x - Vec3(0.5, 0.5, 0); });
        Flow<> flow(mesh, 0.025, given_everywhere(mesh, exact), exact);
        flow.run(static_cast<int>(10 / size), 0.1 * size);
        const BoundaryForce force = force_on(flow, "xmin");
        study.add(mesh.cell_count(), force.weak.x + pressure, force.pressure.x + force.friction.x + pressure);
    }
    EXPECT_GE(study.order(), 1.9);
    EXPECT_LT(study.weak.back(), 2e-3);  // of 0.73
}

// A decaying vortex: du/dt counts. On the side x = 0.3 press p and 2 nu du/dx, and no shear.
TEST(WeakForces, SeeHowTheFlowChangesOrder) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.5, low = 0.3, side = 2, time = 0.4;
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-t)", "sin(x)*cos(y)*exp(-t)"});
    const double cosines = (std::sin(2 * (low + side)) - std::sin(2 * low)) / 2;  // of 2 x, over a side
    const double pressure = std::exp(-2 * time) * (side * std::cos(2 * low) - cosines) / 4;
    const double friction = 2 * nu * std::sin(low) * (std::cos(low) - std::cos(low + side)) * std::exp(-time);
    for (const char* method : {"exact", "classical"}) {
        Study study;
        FlowSettings settings;
        settings.method = method;
        for (const double size : {0.1, 0.05, 0.025}) {
            const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("square", 2, size)), [&](const Vec3& x) { return Vec3(low + side * x.x, low + side * x.y, 0); });
            Flow<> flow(mesh, nu, given_everywhere(mesh, exact), exact, test::tight(), "cpu", settings);
            const int steps = static_cast<int>(2 / size);
            flow.solver.boundary_forces();
            flow.run(steps, time / steps);
            const BoundaryForce force = force_on(flow, "xmin");
            study.add(mesh.cell_count(), force.weak.x - pressure - friction, force.pressure.x + force.friction.x - pressure - friction);
        }
        EXPECT_GE(study.order(), 1.9) << method;
        EXPECT_LT(study.weak.back(), 5e-3) << method;
    }
}

std::vector<FlowBoundary> cavity() {
    std::vector<FlowBoundary> walls;
    for (const char* name : {"xmin", "xmax", "ymin", "ymax"})
        walls.push_back(test::boundary(name, "wall", vector_formula({std::string(name) == "ymax" ? "16*x^2*(1-x)^2" : "0", "0"})));
    return walls;
}

// On the floor of a cavity whose lid moves slowest at its ends: where it moves all at once pressure and friction have no bound.
TEST(WeakForces, AgreeWithTheSurfacesInACavity) {
    for (const std::size_t cells : {1000, 4000}) {
        Flow<> flow(box_mesh({.dimension = 2, .cells = cells}), 0.1, cavity(), vector_formula({"0", "0"}));
        flow.run(static_cast<int>(5 * std::sqrt(double(cells))), 0.5 / std::sqrt(double(cells)));
        const BoundaryForce floor = force_on(flow, "ymin");
        const Vec3 surface = floor.pressure + floor.friction;
        tell("  %zu cells: weak form (%.5f, %.5f), surface (%.5f, %.5f)\n", cells, floor.weak.x, floor.weak.y, surface.x, surface.y);
        EXPECT_LT(glm::length(floor.weak - surface), (cells == 1000 ? 0.05 : 0.02) * glm::length(surface));
    }
}

// Buoyancy and body forces are no force on a boundary: a fluid at rest presses with its weight alone.
TEST(WeakForces, BearTheWeightOfAFluidAtRest) {
    FlowSettings settings;
    settings.body_force = vector_formula({"0", "-2"});
    auto walls = cavity();
    test::move(walls.back(), vector_formula({"0", "0"}));
    Flow<> flow(box_mesh({.dimension = 2, .cells = 300}), 0.1, walls, vector_formula({"0", "0"}), test::tight(), "cpu", settings);
    flow.run(3, 0.1);
    EXPECT_NEAR(force_on(flow, "ymin").weak.y, -1, 1e-9);  // the pressure's mean is zero
    EXPECT_NEAR(force_on(flow, "ymax").weak.y, -1, 1e-9);
}

TEST(WeakForces, DoNotDependOnCutOrDevice) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = box_mesh({.dimension = dimension, .cells = dimension == 2 ? 300u : 600u});
        std::vector<FlowBoundary> conditions{test::boundary("xmin", "inflow", vector_formula({"4*y*(1-y)*(1+sin(t))", "0", "0"})),
                                                     test::boundary("xmax", "outflow"),
                                                     test::boundary("ymin", "wall"),
                                                     test::boundary("ymax", "wall")};
        if (dimension == 3)
            for (const char* name : {"zmin", "zmax"}) conditions.push_back(test::boundary(name, "symmetry"));
        const auto run = [&](auto real, const Communicator& comm, const std::string& device) {
            FlowSolvers solvers;
            solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance = sizeof(real) == 8 ? 1e-12 : 1e-5;
            Flow<decltype(real)> flow(mesh, 0.1, conditions, vector_formula({"4*y*(1-y)", "0", "0"}), solvers, device, {}, comm);
            flow.solver.boundary_forces();
            flow.run(4, 0.02);
            return flow.solver.boundary_forces();
        };
        const auto expected = run(double(), Communicator::self(), "cpu");
        EXPECT_EQ(glm::length(expected[1].weak), 0);  // the outflow
        for (const std::string& device : test::device_names()) {
            const auto doubles = run(double(), Communicator::world(), device), floats = run(float(), Communicator::world(), device);
            for (std::size_t g = 0; g < expected.size(); ++g) {
                EXPECT_LT(glm::length(doubles[g].weak - expected[g].weak), 1e-8) << device;
                EXPECT_LT(glm::length(doubles[g].weak_moment - expected[g].weak_moment), 1e-8) << device;
                EXPECT_LT(glm::length(floats[g].weak - expected[g].weak), 2e-3) << device;
            }
        }
    }
}

}  // namespace
}  // namespace solenoid
