// Incompressible flow against exact solutions: orders in space and time.
#include <gtest/gtest.h>

#include <cmath>

#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/exact_flows.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::flow_order_test {
namespace {

using test::by_method;
using test::Flow;
using test::largest_divergence;
using test::observed_order;
using test::tell;
using test::tight;
using test::vector_formula;

class FlowOrder : public testing::TestWithParam<const char*> {};
class FlowTime : public testing::TestWithParam<const char*> {};
const auto methods = testing::Values("exact", "classical");
const auto name_of_method = [](const auto& info) { return std::string(info.param); };
INSTANTIATE_TEST_SUITE_P(Methods, FlowOrder, methods, name_of_method);
INSTANTIATE_TEST_SUITE_P(Methods, FlowTime, methods, name_of_method);

TEST_P(FlowOrder, TaylorGreenOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.01;
    const auto exact =
        vector_formula({"-cos(x)*sin(y)*exp(-0.02*t)", "sin(x)*cos(y)*exp(-0.02*t)"});
    std::vector<double> errors, cells;
    int steps = 20;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = test::placed(read_mesh(test::gmsh_mesh("square", 2, size)),
                                              Vec3(0.3, 0.1, 0), 2 * M_PI);
        Flow<double> flow(mesh, nu, test::on_every_side(mesh, "inflow", exact), exact, tight(),
                          "cpu", by_method(GetParam()));
        flow.run(steps, 2.0 / steps);
        EXPECT_LT(flow.solver.max_divergence(), largest_divergence<double>(GetParam(), tight()));
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  Taylor-Green %6.0f triangles: error %.3e\n", cells.back(), errors.back());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Kovasznay 1948, Re = 40: a steady flow behind a grid, reached in time.
TEST_P(FlowOrder, KovasznayOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact = test::kovasznay();
    std::vector<double> errors, cells;
    int steps = 200;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh =
            test::placed(read_mesh(test::gmsh_mesh("square", 2, size)), Vec3(-0.5, -0.5, 0), 1);
        Flow<double> flow(mesh, 1.0 / 40, test::on_every_side(mesh, "inflow", exact), exact,
                          tight(), "cpu", by_method(GetParam()));
        flow.run(steps, 3.0 / steps);
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  Kovasznay %6.0f triangles: error %.3e, change %.1e\n", cells.back(), errors.back(),
             flow.solver.rate_of_change());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Taylor & Couette: between turning cylinders, reached in time from rest. What flows round between
// them is no curl of a stream function that vanishes on both.
TEST(FlowOrder, TaylorCouetteOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    // u_theta = a r + b / r with u_theta = 1 at r = 1/2 and -1 at r = 1.
    const auto exact = vector_formula({"y*(2-1/(x^2+y^2))", "-x*(2-1/(x^2+y^2))"});
    std::vector<double> errors, cells;
    int steps = 20;
    for (double size : {0.2, 0.1, 0.05}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("annulus", 2, size));
        std::vector<FlowBoundary> walls{
            test::boundary("inner", "wall", vector_formula({"-2*y", "2*x"})),
            test::boundary("outer", "wall", vector_formula({"y", "-x"}))};
        Flow<double> flow(mesh, 0.2, walls, vector_formula({"0", "0"}));
        for (int n = 0; n < steps; ++n) {
            flow.solver.step(2.0 / steps);
            EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        }
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  Taylor-Couette %6.0f triangles: error %.3e, change %.1e\n", cells.back(),
             errors.back(), flow.solver.rate_of_change());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Ethier & Steinman 1994: unsteady, all terms of the equations, on tets.
TEST_P(FlowOrder, EthierSteinmanOnTets) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.05;
    const auto exact = test::ethier_steinman(nu);
    std::vector<double> errors, cells;
    int steps = 8;
    for (double size : {0.25, 0.17, 0.11}) {
        const SimplexMesh mesh =
            test::placed(read_mesh(test::gmsh_mesh("cube", 3, size)), Vec3(-1, -1, -1), 2);
        Flow<double> flow(mesh, nu, test::on_every_side(mesh, "inflow", exact), exact, tight(),
                          "cpu", by_method(GetParam()));
        flow.run(steps, 0.1 / steps);
        EXPECT_LT(flow.solver.max_divergence(), largest_divergence<double>(GetParam(), tight()));
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  Ethier-Steinman %6.0f tets: error %.3e\n", cells.back(), errors.back());
        steps = steps * 3 / 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 3), 1.9);
}

void expect_second_order_in_time(const std::string& method, const Formula& pressure) {
    const SimplexMesh mesh =
        test::placed(box_mesh({.dimension = 2, .cells = 600}), Vec3(0.3, 0.1, 0), 2);
    // An exact solution, so that boundary values and equations agree from the start; the mesh's
    // error is the same in all.
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-t)", "sin(x)*cos(y)*exp(-t)"});
    std::vector<std::vector<Vec3>> finals;
    for (int steps : {5, 10, 20, 40, 640}) {
        Flow<> flow(mesh, 0.5, test::on_every_side(mesh, "inflow", exact), exact, tight(), "cpu",
                    by_method(method), Communicator::world(), pressure);
        flow.run(steps, 1.0 / steps);
        finals.push_back(flow.velocities());
    }
    const auto distance = [&](int i) { return test::root_mean_square(finals[i], finals.back()); };
    for (int i = 0; i < 3; ++i)
        tell("  step 1/%d: order in time %.2f\n", 5 << i, std::log2(distance(i) / distance(i + 1)));
    EXPECT_GE(std::log2(distance(0) / distance(3)) / 3, 1.8);
}

TEST_P(FlowTime, SecondOrder) { expect_second_order_in_time(GetParam(), Formula(0.0)); }
// The first step is then made once.
TEST(FlowTimeOfClassical, SecondOrderFromTheInitialPressure) {
    expect_second_order_in_time("classical", Formula("-(cos(2*x) + cos(2*y))/4", "test"));
}

}  // namespace
}  // namespace solenoid::flow_order_test
