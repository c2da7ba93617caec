// Incompressible flow against exact solutions: orders in space and time, divergence, ranks and devices.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "io/mesh_file.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "flow/flow_solver.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/gmsh.hpp"
#include "support/boundaries.hpp"

namespace solenoid {
namespace {

VectorFormula vector_formula(const std::vector<std::string>& components) {
    VectorFormula v;
    for (std::size_t k = 0; k < components.size(); ++k) v[k] = Formula(components[k], "test");
    return v;
}

// Moves and scales the unit square or cube.
SimplexMesh placed(SimplexMesh mesh, const Vec3& low, double size) {
    for (Vec3& x : mesh.points) x = low + size * x;
    if (mesh.dimension == 2)
        for (Vec3& x : mesh.points) x.z = 0;
    return mesh;
}

std::vector<FlowBoundary> inflow_everywhere(const SimplexMesh& mesh, const VectorFormula& velocity) {
    std::vector<FlowBoundary> boundaries;
    for (const std::string& name : mesh.boundaries) boundaries.push_back(test::boundary(name, "inflow", velocity));
    return boundaries;
}

FlowSolvers tight() {
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance = 1e-10;
    return solvers;
}

FlowSettings of_method(const std::string& method) {
    FlowSettings flow;
    flow.method = method;
    return flow;
}

// Round-off where the flux is a curl, else what the pressure solve may leave.
template <class Real>
double largest_divergence(const std::string& method, const FlowSolvers& solvers) {
    return method == "exact" ? (sizeof(Real) == 8 ? 1e-13 : 1e-5) : *solvers.pressure.tolerance;
}

template <class Real>
struct Flow {
    Flow(const SimplexMesh& whole, double viscosity, const std::vector<FlowBoundary>& boundaries, const VectorFormula& initial,
         const std::string& method, const FlowSolvers& solvers = tight(), const std::string& device_name = "cpu", const Formula& pressure = Formula(0.0))
        : comm(Communicator::world()), device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh), made(make_flow_solver<Real>(domain, {{viscosity, 1}, of_method(method), boundaries, initial, solvers, pressure})), solver(*made) {}

    // Relative root mean square of the cell velocities' error.
    double error(const VectorFormula& exact) {
        const auto u = solver.cell_velocity();
        const auto g = geometry(mesh.mesh);
        const std::size_t n = mesh.range(Kind::cell).all;
        double square = 0, size = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < mesh.mesh.dimension; ++k) {
                const double e = exact[k](g.cell_centroid[c], solver.time());
                square += g.cell_volume[c] * (u[k * n + c] - e) * (u[k * n + c] - e);
                size += g.cell_volume[c] * e * e;
            }
        return std::sqrt(comm.sum(square) / comm.sum(size));
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<FlowSolver> made;
    FlowSolver& solver;
};

// One line of a convergence study, printed by the root.
template <class... T>
void tell(const Communicator& comm, const char* format, T... values) {
    if (comm.is_root()) printf(format, values...);
}

double observed_order(double coarse, double fine, double cells_coarse, double cells_fine, int dimension) {
    return dimension * std::log(coarse / fine) / std::log(cells_fine / cells_coarse);
}

class FlowOrder : public testing::TestWithParam<const char*> {};
class FlowTime : public testing::TestWithParam<const char*> {};
class FlowDevices : public testing::TestWithParam<const char*> {};
class FlowExact : public testing::TestWithParam<const char*> {};
const auto methods = testing::Values("exact", "classical");
const auto name_of_method = [](const auto& info) { return std::string(info.param); };
INSTANTIATE_TEST_SUITE_P(Methods, FlowOrder, methods, name_of_method);
INSTANTIATE_TEST_SUITE_P(Methods, FlowTime, methods, name_of_method);
INSTANTIATE_TEST_SUITE_P(Methods, FlowDevices, methods, name_of_method);
INSTANTIATE_TEST_SUITE_P(Methods, FlowExact, methods, name_of_method);

TEST_P(FlowOrder, TaylorGreenOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.01;
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-0.02*t)", "sin(x)*cos(y)*exp(-0.02*t)"});
    std::vector<double> errors, cells;
    int steps = 20;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = placed(read_mesh(test::gmsh_mesh("square", 2, size)), Vec3(0.3, 0.1, 0), 2 * M_PI);
        Flow<double> flow(mesh, nu, inflow_everywhere(mesh, exact), exact, GetParam());
        for (int n = 0; n < steps; ++n) flow.solver.step(2.0 / steps);
        EXPECT_LT(flow.solver.max_divergence(), largest_divergence<double>(GetParam(), tight()));
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell(flow.comm, "  Taylor-Green %6.0f triangles: error %.3e\n", cells.back(), errors.back());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Kovasznay 1948, Re = 40: a steady flow behind a grid, reached in time.
TEST_P(FlowOrder, KovasznayOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const std::string lambda = "(20-sqrt(400+4*pi^2))";
    const auto exact = vector_formula({"1-exp(" + lambda + "*x)*cos(2*pi*y)", lambda + "/(2*pi)*exp(" + lambda + "*x)*sin(2*pi*y)"});
    std::vector<double> errors, cells;
    int steps = 200;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = placed(read_mesh(test::gmsh_mesh("square", 2, size)), Vec3(-0.5, -0.5, 0), 1);
        Flow<double> flow(mesh, 1.0 / 40, inflow_everywhere(mesh, exact), exact, GetParam());
        for (int n = 0; n < steps; ++n) flow.solver.step(3.0 / steps);
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell(flow.comm, "  Kovasznay %6.0f triangles: error %.3e, change %.1e\n", cells.back(), errors.back(), flow.solver.rate_of_change());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Taylor & Couette: between turning cylinders, reached in time from rest. What flows round between them is no curl of a
// stream function that vanishes on both.
// What output shows between the cells. The cells' least squares alone have six times the error.
TEST_P(FlowOrder, KovasznayAtNodes) {
    const std::string lambda = "(20-sqrt(400+4*pi^2))";
    const auto exact = vector_formula({"1-exp(" + lambda + "*x)*cos(2*pi*y)", lambda + "/(2*pi)*exp(" + lambda + "*x)*sin(2*pi*y)"});
    std::vector<double> errors;
    for (const std::size_t cells : {1000, 4000}) {
        const SimplexMesh mesh = placed(box_mesh({.dimension = 2, .cells = cells}), Vec3(-0.5, -0.5, 0), 1);
        Flow<double> flow(mesh, 0.025, inflow_everywhere(mesh, exact), exact, GetParam());
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
        tell(flow.comm, "  Kovasznay at nodes, %5zu triangles: error %.3e\n", cells, errors.back());
    }
    EXPECT_LT(errors[1], 3e-4);
}

TEST(FlowOrder, TaylorCouetteOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    // u_theta = a r + b / r with u_theta = 1 at r = 1/2 and -1 at r = 1.
    const auto exact = vector_formula({"y*(2-1/(x^2+y^2))", "-x*(2-1/(x^2+y^2))"});
    std::vector<double> errors, cells;
    int steps = 20;
    for (double size : {0.2, 0.1, 0.05}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("annulus", 2, size));
        std::vector<FlowBoundary> walls{test::boundary("inner", "wall", vector_formula({"-2*y", "2*x"})),
                                                test::boundary("outer", "wall", vector_formula({"y", "-x"}))};
        Flow<double> flow(mesh, 0.2, walls, vector_formula({"0", "0"}), "exact");
        for (int n = 0; n < steps; ++n) {
            flow.solver.step(2.0 / steps);
            EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        }
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell(flow.comm, "  Taylor-Couette %6.0f triangles: error %.3e, change %.1e\n", cells.back(), errors.back(), flow.solver.rate_of_change());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Ethier & Steinman 1994: unsteady, all terms of the equations, on tets.
TEST_P(FlowOrder, EthierSteinmanOnTets) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.05;
    const std::string decay = "*exp(-0.05*(pi/2)^2*t)", a = "(pi/4)", d = "(pi/2)";
    const auto component = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "-" + a + "*(exp(" + a + "*" + x + ")*sin(" + a + "*" + y + "+" + d + "*" + z + ")+exp(" + a + "*" + z + ")*cos(" + a + "*" + x + "+" + d + "*" + y + "))" + decay;
    };
    const auto exact = vector_formula({component("x", "y", "z"), component("y", "z", "x"), component("z", "x", "y")});
    std::vector<double> errors, cells;
    int steps = 8;
    for (double size : {0.25, 0.17, 0.11}) {
        const SimplexMesh mesh = placed(read_mesh(test::gmsh_mesh("cube", 3, size)), Vec3(-1, -1, -1), 2);
        Flow<double> flow(mesh, nu, inflow_everywhere(mesh, exact), exact, GetParam());
        for (int n = 0; n < steps; ++n) flow.solver.step(0.1 / steps);
        EXPECT_LT(flow.solver.max_divergence(), largest_divergence<double>(GetParam(), tight()));
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell(flow.comm, "  Ethier-Steinman %6.0f tets: error %.3e\n", cells.back(), errors.back());
        steps = steps * 3 / 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 3), 1.9);
}

void expect_second_order_in_time(const std::string& method, const Formula& pressure) {
    const SimplexMesh mesh = [&] {
        BoxSettings box;
        box.dimension = 2;
        box.cells = 600;
        return placed(box_mesh(box), Vec3(0.3, 0.1, 0), 2);
    }();
    // An exact solution, so that boundary values and equations agree from the start; the mesh's error is the same in all.
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-t)", "sin(x)*cos(y)*exp(-t)"});
    std::vector<std::vector<double>> finals;
    for (int steps : {5, 10, 20, 40, 640}) {
        Flow<double> flow(mesh, 0.5, inflow_everywhere(mesh, exact), exact, method, tight(), "cpu", pressure);
        for (int n = 0; n < steps; ++n) flow.solver.step(1.0 / steps);
        finals.push_back(flow.solver.cell_velocity());
    }
    const auto distance = [&](int i) {
        double sum = 0;
        for (std::size_t k = 0; k < finals[i].size(); ++k) sum += std::pow(finals[i][k] - finals.back()[k], 2);
        return std::sqrt(sum);
    };
    for (int i = 0; i < 3; ++i) tell(Communicator::world(), "  step 1/%d: order in time %.2f\n", 5 << i, std::log2(distance(i) / distance(i + 1)));
    EXPECT_GE(std::log2(distance(0) / distance(3)) / 3, 1.8);
}

TEST_P(FlowTime, SecondOrder) { expect_second_order_in_time(GetParam(), Formula(0.0)); }
// The first step is then made once.
TEST(FlowTimeOfClassical, SecondOrderFromTheInitialPressure) { expect_second_order_in_time("classical", Formula("-(cos(2*x) + cos(2*y))/4", "test")); }

// A closed cavity with a moving lid, on every device and in both precisions against the CPU in double.
TEST_P(FlowDevices, GiveTheSameVelocities) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = 300;
    const SimplexMesh mesh = box_mesh(box);
    std::vector<FlowBoundary> walls;
    for (const std::string& name : mesh.boundaries)
        walls.push_back(test::boundary(name, "wall", vector_formula({name == "ymax" ? "1" : "0", "0"})));
    const auto run = [&](auto real, const std::string& device) {
        using Real = decltype(real);
        FlowSolvers solvers;
        solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;
        Flow<Real> flow(mesh, 0.01, walls, vector_formula({"0", "0"}), GetParam(), solvers, device);
        for (int n = 0; n < 20; ++n) {
            flow.solver.step(0.01);
            EXPECT_LT(flow.solver.max_divergence(), largest_divergence<Real>(GetParam(), solvers)) << device;
        }
        return flow.solver.cell_velocity();
    };
    const auto reference = run(double(), "cpu");
    for (const std::string& device : test::device_names()) {
        const auto doubles = run(double(), device), floats = run(float(), device);
        for (std::size_t i = 0; i < reference.size(); ++i) {
            ASSERT_NEAR(doubles[i], reference[i], 1e-9) << device;
            ASSERT_NEAR(floats[i], reference[i], 1e-3) << device;
        }
    }
}

// Near the steady state a step changes little of the velocity, less than a loose tolerance of the whole: it must count
// all the same. Kovasznay's flow creeps from its formula to the mesh's own solution.
TEST(FlowSteady, ALooseToleranceLosesNoSlowChange) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = 400;
    box.low = Vec3(-0.5, -0.5, 0);
    box.high = Vec3(1, 1.5, 0);
    const SimplexMesh mesh = box_mesh(box);
    const std::string lambda = "(20-sqrt(400+4*pi^2))";
    const auto exact = vector_formula({"1-exp(" + lambda + "*x)*cos(2*pi*y)", lambda + "/(2*pi)*exp(" + lambda + "*x)*sin(2*pi*y)"});
    const auto run = [&](double momentum_tolerance, int steps) {
        FlowSolvers solvers = tight();
        solvers.momentum.tolerance = momentum_tolerance;
        Flow<double> flow(mesh, 1.0 / 40, inflow_everywhere(mesh, exact), exact, "exact", solvers);
        for (int n = 0; n < steps; ++n) flow.solver.step(1e-4);
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

// Cells stretched five times lie oblique to most faces: what is explicit of diffusion and pressure must not grow. Without
// forces but the lid's the kinetic energy stays below the lid's own.
TEST_P(FlowExact, StretchedCellsStayBounded) {
    for (const double viscosity : {0.01, 1.0, 10.0}) {
        BoxSettings box;
        box.dimension = 2;
        box.cells = 1000;
        SimplexMesh mesh = box_mesh(box);
        for (Vec3& x : mesh.points) x.x *= 5;
        std::vector<FlowBoundary> walls;
        for (const std::string& name : mesh.boundaries)
            walls.push_back(test::boundary(name, "wall", vector_formula({name == "ymax" ? "1" : "0", "0"})));
        FlowSolvers solvers = tight();
        solvers.stream_function.tolerance = solvers.pressure.tolerance = 1e-6;
        Flow<double> flow(mesh, viscosity, walls, vector_formula({"0", "0"}), GetParam(), solvers);
        double largest = 0;
        for (int n = 0; n < 100; ++n) {
            flow.solver.step(0.015);
            largest = std::max(largest, flow.solver.kinetic_energy());
            ASSERT_LT(largest, 2.5) << "step " << n;
        }
        tell(flow.comm, "  viscosity %.2f: largest kinetic energy %.3e\n", viscosity, largest);
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
        Flow<double> flow(mesh, 0.01, inflow_everywhere(mesh, stream), stream, GetParam());
        for (int n = 0; n < 5; ++n) flow.solver.step(0.01);
        EXPECT_LT(flow.error(stream), 1e-9);
    }
}

}  // namespace
}  // namespace solenoid
