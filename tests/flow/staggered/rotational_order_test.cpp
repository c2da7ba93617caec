// The exact fractional step with rotational momentum: orders in space and time.
#include <gtest/gtest.h>

#include <cmath>

#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/exact_flows.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::rotational_order_test {
namespace {

using test::observed_order;
using test::tell;
using test::vector_formula;

FlowSettings rotational(const std::string& diffusion = "implicit") {
    FlowSettings settings;
    settings.momentum = "rotational";
    settings.diffusion = diffusion;
    return settings;
}

SimplexMesh gmsh_square(double size, const Vec3& low, double length) {
    return test::placed(read_mesh(test::gmsh_mesh("square", 2, size)), low, length);
}

// Of a plane flow: relative root mean square of the stream function's error at the nodes, its mean
// left out.
template <class Real>
double stream_function_error(test::Flow<Real>& flow, const std::string& exact) {
    const auto s = flow.solver.stream_function();
    const Formula formula(exact, "test");
    const Mesh& m = flow.mesh.mesh;
    double e1 = 0, e2 = 0, x1 = 0, x2 = 0;
    const Index n = flow.mesh.range(Kind::node).owned;
    for (Index i = 0; i < n; ++i) {
        const double x = formula(m.points[i], flow.solver.time()), e = s[i] - x;
        e1 += e;
        e2 += e * e;
        x1 += x;
        x2 += x * x;
    }
    std::array<double, 5> sums{e1, e2, x1, x2, double(n)};
    flow.comm.sum(sums);
    return std::sqrt((sums[1] - sums[0] * sums[0] / sums[4]) /
                     (sums[3] - sums[2] * sums[2] / sums[4]));
}

TEST(RotationalOrder, TaylorGreenOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact =
        vector_formula({"-cos(x)*sin(y)*exp(-0.02*t)", "sin(x)*cos(y)*exp(-0.02*t)"});
    std::vector<double> errors, cells;
    int steps = 20;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = gmsh_square(size, Vec3(0.3, 0.1, 0), 2 * M_PI);
        test::Flow<double> flow(mesh, 0.01, test::on_every_side(mesh, "inflow", exact), exact,
                                test::tight(), "cpu", rotational());
        flow.run(steps, 2.0 / steps);
        EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        errors.push_back(stream_function_error(flow, "cos(x)*cos(y)*exp(-0.02*t)"));
        cells.push_back(mesh.cell_count());
        tell("  Taylor-Green %6.0f triangles: stream function %.3e, velocity %.3e, nodes %.3e\n",
             cells.back(), errors.back(), flow.error(exact), flow.node_error(exact));
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

TEST(RotationalOrder, KovasznayOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const std::string lambda = test::kovasznay_lambda;
    const auto exact = test::kovasznay();
    std::vector<double> errors, cells;
    int steps = 150;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = gmsh_square(size, Vec3(-0.5, -0.5, 0), 1);
        test::Flow<double> flow(mesh, 1.0 / 40, test::on_every_side(mesh, "inflow", exact), exact,
                                {}, "cpu", rotational());
        flow.run(steps, 3.0 / steps);
        errors.push_back(stream_function_error(flow, "y-exp(" + lambda + "*x)*sin(2*pi*y)/(2*pi)"));
        cells.push_back(mesh.cell_count());
        tell(
            "  Kovasznay %6.0f triangles: stream function %.3e, velocity %.3e, nodes %.3e, change "
            "%.1e\n",
            cells.back(), errors.back(), flow.error(exact), flow.node_error(exact),
            flow.solver.rate_of_change());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Ethier & Steinman 1994: unsteady, all terms of the equations, on tets.
TEST(RotationalOrder, EthierSteinmanOnTets) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact = test::ethier_steinman(0.05);
    std::vector<double> errors, cells;
    int steps = 4;
    for (double size : {0.25, 0.17, 0.11}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("cube", 3, size)),
                                             [](const Vec3& x) { return 2.0 * x - Vec3(1); });
        test::Flow<double> flow(mesh, 0.05, test::on_every_side(mesh, "inflow", exact), exact, {},
                                "cpu", rotational());
        flow.run(steps, 0.1 / steps);
        EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  Ethier-Steinman %6.0f tets: velocity %.3e, nodes %.3e\n", cells.back(),
             errors.back(), flow.node_error(exact));
        steps = steps * 3 / 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 3), 0.9);
}

TEST(RotationalTime, SecondOrder) {
    const SimplexMesh mesh =
        test::moved(box_mesh({.dimension = 2, .cells = 600}),
                    [](const Vec3& x) { return Vec3(0.3 + 2 * x.x, 0.1 + 2 * x.y, 0); });
    // An exact solution, so that boundary values and equations agree from the start; the mesh's
    // error is the same in all.
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-0.2*t)", "sin(x)*cos(y)*exp(-0.2*t)"});
    for (const std::string diffusion : {"implicit", "explicit"}) {
        std::vector<std::vector<double>> finals;
        for (int steps : {10, 20, 40, 320}) {
            const double finer = diffusion == "implicit" ? 1 : 20;  // explicit: below its limit
            test::Flow<double> flow(mesh, 0.1, test::on_every_side(mesh, "inflow", exact), exact,
                                    test::tight(), "cpu", rotational(diffusion));
            flow.run(steps, 1.0 / (finer * steps));
            finals.push_back(flow.solver.cell_velocity());
        }
        const auto distance = [&](int i) {
            double sum = 0;
            for (std::size_t k = 0; k < finals[i].size(); ++k)
                sum += std::pow(finals[i][k] - finals.back()[k], 2);
            return std::sqrt(Communicator::world().sum(sum));
        };
        for (int i = 0; i < 2; ++i)
            tell("  %s diffusion, %d steps: order in time %.2f\n", diffusion.c_str(), 10 << i,
                 std::log2(distance(i) / distance(i + 1)));
        EXPECT_GE(std::log2(distance(0) / distance(2)) / 2, 1.8);
    }
}

}  // namespace
}  // namespace solenoid::rotational_order_test
