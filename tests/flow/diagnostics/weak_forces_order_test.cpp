// Forces by the weak form of momentum beside those by the surface's integral: orders against exact
// values.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io/mesh/mesh_file.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::weak_forces_order_test {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

struct Study {
    std::vector<double> cells, weak, surface;  // errors
    void add(std::size_t count, double weak_error, double surface_error) {
        cells.push_back(double(count));
        weak.push_back(std::abs(weak_error));
        surface.push_back(std::abs(surface_error));
        tell("  %6.0f cells: weak form %.3e off, surface %.3e\n", cells.back(), weak.back(),
             surface.back());
    }
    // Of the two finest meshes.
    double order() const {
        return test::observed_order(weak.end()[-2], weak.back(), cells.end()[-2], cells.back(), 2);
    }
};

// u_theta = 1 / r - 2 r between two cylinders that turn: a torque of 4 pi nu on each, against one
// another.
TEST(WeakForcesOrder, TurnTaylorAndCouettesCylinders) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.2, torque = 4 * M_PI * nu;
    Study inner, outer;
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("annulus", 2, size));
        const auto exact = vector_formula({"y*(2-1/(x^2+y^2))", "-x*(2-1/(x^2+y^2))"});
        Flow<> flow(mesh, nu,
                    {test::boundary("inner", "wall", vector_formula({"-2*y", "2*x"})),
                     test::boundary("outer", "wall", vector_formula({"y", "-x"}))},
                    exact);
        flow.run(static_cast<int>(4 / size), 0.25 * size);
        const BoundaryForce within = flow.force_on("inner"), around = flow.force_on("outer");
        inner.add(mesh.cell_count(), within.weak_moment.z / -torque - 1,
                  within.moment.z / -torque - 1);
        outer.add(mesh.cell_count(), around.weak_moment.z / torque - 1,
                  around.moment.z / torque - 1);
    }
    for (const Study& study : {inner, outer}) {
        EXPECT_GE(study.order(), 1.9);
        EXPECT_LT(study.weak.back(), 1e-3);
        EXPECT_LT(study.surface.back(), 5e-3);
    }
}

// What presses on the inflow's side: p = -e^(2lx) / 2 up to a constant, du/dx vanishes in the mean.
TEST(WeakForcesOrder, PressOnKovasznaysInflow) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double l = 20 - std::sqrt(400 + 4 * M_PI * M_PI),
                 pressure = 0.25 * (std::exp(l) - std::exp(-l)) / l - 0.5 * std::exp(-l);
    const auto exact = vector_formula({fmt::format("1-exp({0}*x)*cos(2*pi*y)", l),
                                       fmt::format("{0}/(2*pi)*exp({0}*x)*sin(2*pi*y)", l)});
    Study study;
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("square", 2, size)),
                                             [](const Vec3& x) { return x - Vec3(0.5, 0.5, 0); });
        Flow<> flow(mesh, 0.025, test::on_every_side(mesh, "inflow", exact), exact);
        flow.run(static_cast<int>(10 / size), 0.1 * size);
        const BoundaryForce force = flow.force_on("xmin");
        study.add(mesh.cell_count(), force.weak.x + pressure,
                  force.pressure.x + force.friction.x + pressure);
    }
    EXPECT_GE(study.order(), 1.9);
    EXPECT_LT(study.weak.back(), 2e-3);  // of 0.73
}

// A decaying vortex: du/dt counts. On the side x = 0.3 press p and 2 nu du/dx, and no shear.
TEST(WeakForcesOrder, SeeHowTheFlowChanges) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.5, low = 0.3, side = 2, time = 0.4;
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-t)", "sin(x)*cos(y)*exp(-t)"});
    // of 2 x, over a side
    const double cosines = (std::sin(2 * (low + side)) - std::sin(2 * low)) / 2;
    const double pressure = std::exp(-2 * time) * (side * std::cos(2 * low) - cosines) / 4;
    const double friction =
        2 * nu * std::sin(low) * (std::cos(low) - std::cos(low + side)) * std::exp(-time);
    for (const char* method : {"exact", "classical"}) {
        Study study;
        for (const double size : {0.1, 0.05, 0.025}) {
            const SimplexMesh mesh = test::moved(
                read_mesh(test::gmsh_mesh("square", 2, size)),
                [&](const Vec3& x) { return Vec3(low + side * x.x, low + side * x.y, 0); });
            Flow<> flow(mesh, nu, test::on_every_side(mesh, "inflow", exact), exact, test::tight(),
                        "cpu", test::by_method(method));
            const int steps = static_cast<int>(2 / size);
            flow.solver.boundary_forces();
            flow.run(steps, time / steps);
            const BoundaryForce force = flow.force_on("xmin");
            study.add(mesh.cell_count(), force.weak.x - pressure - friction,
                      force.pressure.x + force.friction.x - pressure - friction);
        }
        EXPECT_GE(study.order(), 1.9) << method;
        EXPECT_LT(study.weak.back(), 5e-3) << method;
    }
}

}  // namespace
}  // namespace solenoid::weak_forces_order_test
