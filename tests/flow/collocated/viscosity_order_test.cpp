// Viscosity that varies: manufactured flows with the whole stress nu (grad u + grad u^T), and
// generalised Newtonian fluids in channels and pipes.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <cmath>

#include "flow/viscosity/viscosity_law.hpp"
#include "mesh/box.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"
#include "support/round_pipe.hpp"

namespace solenoid::viscosity_order_test {
namespace {

using test::observed_order;
using test::tell;

std::shared_ptr<const ViscosityLaw> law(const std::string& type, const std::string& keys,
                                        double least, double largest) {
    const toml::table table = toml::parse(keys);
    return kind_of(viscosity_law_kinds(), type)
        .read(TableReader(table, "[viscosity]", "test"), {least, largest});
}

FlowSolvers tolerances() {
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance =
        1e-8;
    return solvers;
}

// Taylor and Green's vortices held by a force against a viscosity of place and time: S_xy = 0, S_xx
// = -S_yy = pi sin(pi x) sin(pi y). f = -div(2 nu S), the rest is the pressure's.
TEST(ViscosityOrder, OfPlaceAndTime) {
    const std::string phase = "(3*x+2*y+4*t)", nu = "0.05*(1+0.8*sin" + phase + ")",
                      s = "(pi*sin(pi*x)*sin(pi*y))";
    const std::string dx = "(0.12*cos" + phase + "*" + s + "+" + nu + "*pi^2*cos(pi*x)*sin(pi*y))",
                      dy = "(0.08*cos" + phase + "*" + s + "+" + nu + "*pi^2*sin(pi*x)*cos(pi*y))";
    const auto exact = test::vector_formula({"-cos(pi*x)*sin(pi*y)", "sin(pi*x)*cos(pi*y)"});
    for (const char* method : {"exact", "classical"}) {
        FlowSettings settings = test::by_method(method);
        settings.body_force = test::vector_formula({"-2*" + dx, "2*" + dy});
        std::vector<double> errors, cells;
        int steps = 20;
        for (const std::size_t count : {400, 1600, 6400}) {
            const SimplexMesh mesh = box_mesh({.dimension = 2, .cells = count, .jitter = 0.2});
            test::Flow<> flow(mesh, Formula(nu, "test"), test::on_every_side(mesh, "inflow", exact),
                              exact, tolerances(), "cpu", settings);
            flow.run(steps, 0.4 / steps);
            errors.push_back(flow.error(exact));
            cells.push_back(mesh.cell_count());
            tell("  %-9s %6.0f triangles: error %.3e\n", method, cells.back(), errors.back());
            steps *= 2;
        }
        EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2),
                  1.85)
            << method;
        EXPECT_LT(errors.front(), 4e-3) << method;
        EXPECT_LT(errors.back(), 3.1e-4) << method;
    }
}

// u = (-dpsi/dz, 0, dpsi/dx)-like columns in three dimensions: the plane flow above, turned to x
// and z, on tets.
TEST(ViscosityOrder, OfPlaceAmongTets) {
    const std::string nu = "0.05*(1+0.8*sin(3*x+2*z+y))", c = "cos(3*x+2*z+y)",
                      s = "(pi*sin(pi*x)*sin(pi*z))";
    const std::string dx = "(0.12*" + c + "*" + s + "+" + nu + "*pi^2*cos(pi*x)*sin(pi*z))",
                      dz = "(0.08*" + c + "*" + s + "+" + nu + "*pi^2*sin(pi*x)*cos(pi*z))";
    const auto exact = test::vector_formula({"-cos(pi*x)*sin(pi*z)", "0", "sin(pi*x)*cos(pi*z)"});
    FlowSettings settings;
    settings.body_force = test::vector_formula({"-2*" + dx, "0", "2*" + dz});
    std::vector<double> errors, cells;
    int steps = 10;
    for (const std::size_t count : {1500, 12000}) {
        const SimplexMesh mesh = box_mesh({.dimension = 3, .cells = count, .jitter = 0.15});
        test::Flow<> flow(mesh, Formula(nu, "test"), test::on_every_side(mesh, "inflow", exact),
                          exact, tolerances(), "cpu", settings);
        flow.run(steps, 0.3 / steps);
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  %6.0f tets: error %.3e\n", cells.back(), errors.back());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 3), 1.8);
}

// A force of 1 along x; the stress is its moment, r / `share` (1 between plates, 2 in a pipe), so
// that du/dr = -(r / (share k))^(1/n).
struct Profile {
    double index, consistency, radius, share;
    double at(double r) const {
        const double p = 1 / index + 1;
        return std::pow(share * consistency, -1 / index) * (std::pow(radius, p) - std::pow(r, p)) /
               p;
    }
};

// Relative root mean square over the cells whose distance from the axis is at least `from`.
double error(test::Flow<>& flow, const Profile& profile, double from,
             const std::function<double(const Vec3&)>& distance) {
    const auto u = flow.solver.cell_velocity();
    const Geometry& g = flow.domain.geometry;
    double square = 0, size = 0;
    for (Index c = 0; c < flow.domain.cells.owned; ++c) {
        const double r = distance(g.cell_centroid[c]);
        if (r < from) continue;
        const double exact = profile.at(r), e = u[c] - exact;
        square += g.cell_volume[c] * e * e;
        size += g.cell_volume[c] * exact * exact;
    }
    return std::sqrt(flow.comm.sum(square) / flow.comm.sum(size));
}

struct Errors {
    double everywhere, off_axis;
};

// Grown from rest in six times the time that the wall's stress needs to spread. Inertia is
// negligible: the Reynolds number is below 0.01.
Errors power_law_errors(const SimplexMesh& mesh, const std::vector<std::string>& walls,
                        const Profile& profile, const std::function<double(const Vec3&)>& distance,
                        int steps) {
    FlowSettings settings;
    settings.body_force = test::vector_formula({"1"});
    std::vector<FlowBoundary> boundaries;
    for (const std::string& wall : walls)
        boundaries.push_back(test::boundary(wall, "wall", test::vector_formula({"0", "0", "0"})));
    const double rate = std::pow(profile.radius / (profile.share * profile.consistency),
                                 1 / profile.index),
                 nu = profile.consistency * std::pow(rate, profile.index - 1);
    const auto fluid =
        law("power_law",
            fmt::format("consistency = {}\nindex = {}", profile.consistency, profile.index),
            nu / 100, nu * 100);
    test::Flow<> flow(test::closed(mesh, "x"), Formula(0.0), boundaries, {}, tolerances(), "cpu",
                      settings, Communicator::world(), Formula(0.0), fluid);
    flow.run(steps, 6 * profile.radius * profile.radius / nu / steps);
    const Errors e{error(flow, profile, 0, distance),
                   error(flow, profile, 0.3 * profile.radius, distance)};
    tell("  n = %.1f, %6.0f cells: error %.3e, off the axis %.3e, change %.1e\n", profile.index,
         double(mesh.cell_count()), e.everywhere, e.off_axis, flow.solver.rate_of_change());
    return e;
}

TEST(ViscosityOrder, OfAPowerLawBetweenPlates) {
    for (const double index : {0.5, 1.5}) {
        const Profile profile{index, 10, 0.5, 1};
        std::vector<Errors> errors;
        std::vector<double> cells;
        const int steps = 60;
        for (const std::size_t count : {900, 3600}) {
            const SimplexMesh mesh = box_mesh({.dimension = 2, .cells = count, .jitter = 0.2});
            errors.push_back(power_law_errors(
                mesh, {"ymin", "ymax"}, profile, [](const Vec3& x) { return std::abs(x.y - 0.5); },
                steps));
            cells.push_back(mesh.cell_count());
        }
        EXPECT_LT(errors.back().everywhere, 0.01) << index;
        EXPECT_GE(observed_order(errors.front().off_axis, errors.back().off_axis, cells.front(),
                                 cells.back(), 2),
                  1.8)
            << index;
    }
}

// By tools/validate long-tests.
TEST(ViscosityOrder, DISABLED_OfAPowerLawInAPipe) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    for (const double index : {0.5, 1.5}) {
        const Profile profile{index, 10, 0.5, 2};
        std::vector<Errors> errors;
        std::vector<double> cells;
        const int steps = 40;
        for (const double size : {0.08, 0.045}) {
            const SimplexMesh mesh = test::round_pipe(size);
            errors.push_back(power_law_errors(
                mesh, {"wall"}, profile, [](const Vec3& x) { return std::hypot(x.y, x.z); },
                steps));
            cells.push_back(mesh.cell_count());
        }
        // With the wall's face of the pressure's gradient fitted: 7.8e-3 and 1.51e-3;
        // without 6.4e-3 and 1.6e-3. At n = 0.5 the velocity goes with the square of the wall's
        // stress.
        EXPECT_LT(errors.back().everywhere, index < 1 ? 8e-3 : 1.55e-3) << index;
        // n = 0.5: 1.59 here, 1.7 from 8 900 to 42 000 tets.
        EXPECT_GE(observed_order(errors.front().off_axis, errors.back().off_axis, cells.front(),
                                 cells.back(), 3),
                  index < 1 ? 1.55 : 1.75)
            << index;
    }
}

}  // namespace
}  // namespace solenoid::viscosity_order_test
