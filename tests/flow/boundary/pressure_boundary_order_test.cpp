// Boundaries with a given pressure (classical method): orders of Poiseuille's flow between two of
// them, steady and in time.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "pressure_channel.hpp"
#include "support/gmsh.hpp"

namespace solenoid::pressure_boundary_order_test {
namespace {

using test::channel;
using test::classical;
using test::Flow;
using test::loose;
using test::tell;
using test::vector_formula;

struct Errors {
    double velocity, flux, pressure;
};

// From the exact solution, which the pressures must keep; the flux through xmin and the pressures
// of the nodes against theirs.
Errors errors_of(const SimplexMesh& mesh, double viscosity,
                 const std::vector<FlowBoundary>& conditions, const VectorFormula& exact,
                 const std::function<double(double)>& flux, const Formula& pressure, int steps) {
    Flow<> flow(mesh, viscosity, conditions, exact, loose(), "cpu", classical());
    flow.run(steps, 2.0 / steps);
    const auto inflow = flow.solver.boundary_inflow();
    const auto xmin =
        std::find(mesh.boundaries.begin(), mesh.boundaries.end(), "xmin") - mesh.boundaries.begin();
    const auto p = flow.solver.node_pressure();
    double largest = 0;
    for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i)
        largest = std::max(largest, std::abs(p[i] - pressure(flow.mesh.mesh.points[i], 2)));
    const Errors errors{flow.error(exact), std::abs(inflow[xmin] / flux(2) - 1),
                        flow.comm.max(largest)};
    tell("  %6.0f cells: velocity %.3e, flux %.3e, pressure %.3e\n", double(mesh.cell_count()),
         errors.velocity, errors.flux, errors.pressure);
    return errors;
}

void expect_second_order(const std::function<Errors(const SimplexMesh&, double)>& run) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    std::vector<Errors> errors;
    std::vector<double> cells;
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("square", 2, size));
        errors.push_back(run(mesh, size));
        cells.push_back(mesh.cell_count());
    }
    const auto order = [&](double Errors::*of) {
        return test::observed_order(errors.front().*of, errors.back().*of, cells.front(),
                                    cells.back(), 2);
    };
    EXPECT_GE(order(&Errors::velocity), 1.9);
    EXPECT_LT(errors.back().flux, 5e-4);
    EXPECT_LT(errors.back().pressure, 2e-3);
}

// u = 4 y (1 - y), Re = 20; only the difference of the pressures counts.
TEST(PressureBoundaryOrder, OfPoiseuille) {
    const auto exact = vector_formula({"4*y*(1-y)", "0", "0"});
    expect_second_order([&](const SimplexMesh& mesh, double size) {
        return errors_of(
            mesh, 0.05, channel("7.4", "7"), exact, [](double) { return 2.0 / 3; },
            Formula("7.4 - 0.4*x", "test"), static_cast<int>(3 / size));
    });
}

// A drop that fades as exp(-t): u = exp(-t) (cos(m (y - 1/2)) / cos(m / 2) - 1), m^2 = 1 / nu,
// solves du/dt = exp(-t) + nu u''.
TEST(PressureBoundaryOrder, OfADropThatFades) {
    const double m = std::sqrt(1 / 0.2);
    const std::string profile = fmt::format("(cos({0}*(y - 0.5))/cos({0}/2) - 1)", m);
    const auto flux = [m](double t) { return std::exp(-t) * (2 * std::tan(m / 2) / m - 1); };
    expect_second_order([&](const SimplexMesh& mesh, double size) {
        return errors_of(mesh, 0.2, channel("3 + exp(-t)", "3"),
                         vector_formula({"exp(-t)*" + profile, "0", "0"}), flux,
                         Formula("3 + exp(-t)*(1 - x)", "test"), static_cast<int>(4 / size));
    });
}

// The order in time alone, from rest: differences of runs on one mesh, where the drop rises and
// falls and where it is there at once. What lags of the pressure's gradient must not cost an order.
TEST(PressureBoundaryOrder, InTime) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = 300;
    const SimplexMesh mesh = box_mesh(box);
    for (const char* pressure : {"sin(5*t)*(1 + 0.2*y)", "1 + 0.2*y"}) {
        std::vector<std::vector<Vec3>> answers;
        for (const int steps : {40, 80, 160}) {
            Flow<> flow(mesh, 0.05, channel(pressure, "0"), {}, loose(), "cpu", classical());
            flow.run(steps, 0.8 / steps);
            answers.push_back(flow.velocities());
        }
        const auto distance = [&](int i) {
            double square = 0;
            for (std::size_t c = 0; c < answers[i].size(); ++c)
                square +=
                    glm::dot(answers[i][c] - answers[i + 1][c], answers[i][c] - answers[i + 1][c]);
            return std::sqrt(square);
        };
        tell("  %s: differences %.3e, %.3e\n", pressure, distance(0), distance(1));
        EXPECT_GE(std::log2(distance(0) / distance(1)), 1.8) << pressure;
    }
}

}  // namespace
}  // namespace solenoid::pressure_boundary_order_test
