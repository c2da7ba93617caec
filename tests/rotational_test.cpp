// The exact fractional step with rotational momentum: conservation of energy, orders, ranks and devices.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/ridge_vorticity.hpp"
#include "flow/stream_function_matrix.hpp"
#include "io/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"
#include "support/boundaries.hpp"
#include "support/domain_fields.hpp"

namespace solenoid {
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
FlowSettings thesis(const std::string& convection, const std::string& diffusion = "implicit") {
    FlowSettings settings = rotational(diffusion);
    settings.momentum = "thesis";
    settings.convection = convection;
    return settings;
}

SimplexMesh box(int dimension, Index cells) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    return box_mesh(settings);
}
SimplexMesh gmsh_square(double size, const Vec3& low, double length) {
    return test::moved(read_mesh(test::gmsh_mesh("square", 2, size)), [&](const Vec3& x) { return Vec3(low.x + length * x.x, low.y + length * x.y, 0); });
}

std::vector<FlowBoundary> everywhere(const SimplexMesh& mesh, const std::string& type, const VectorFormula& velocity) {
    std::vector<FlowBoundary> boundaries;
    for (const std::string& name : mesh.boundaries) boundaries.push_back(test::boundary(name, type, velocity));
    return boundaries;
}
const VectorFormula rest = vector_formula({"0", "0", "0"});

// Of a plane flow: relative root mean square of the stream function's error at the nodes, its mean left out.
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
    return std::sqrt((sums[1] - sums[0] * sums[0] / sums[4]) / (sums[3] - sums[2] * sums[2] / sums[4]));
}

VectorFormula ethier_steinman(double nu) {
    const std::string decay = "*exp(-" + std::to_string(nu) + "*(pi/2)^2*t)", a = "(pi/4)", d = "(pi/2)";
    const auto component = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "-" + a + "*(exp(" + a + "*" + x + ")*sin(" + a + "*" + y + "+" + d + "*" + z + ")+exp(" + a + "*" + z + ")*cos(" + a + "*" + x + "+" + d + "*" + y + "))" + decay;
    };
    return vector_formula({component("x", "y", "z"), component("y", "z", "x"), component("z", "x", "y")});
}

class RotationalIn : public testing::TestWithParam<int> {};

// The velocity of a turning body and a shear has a constant vorticity, which must come out exactly, at walls too.
TEST_P(RotationalIn, VorticityOfALinearVelocityIsExact) {
    const int d = GetParam();
    const auto comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh = distribute(comm, comm.is_root() ? std::optional(box(d, 500)) : std::nullopt);
    const auto velocity = d == 2 ? vector_formula({"1-2*y", "x", "0"}) : vector_formula({"1-2*y+z", "x+3*z", "y-2*x"});
    const Vec3 expected = d == 2 ? Vec3(0, 0, 3) : Vec3(-2, 3, 3);
    const Domain domain(comm, *device, mesh);
    const Geometry& g = domain.geometry;
    const FlowBoundaries boundaries(domain, everywhere(box(d, 500), "inflow", velocity));
    RidgeVorticity<double> vorticity(domain, boundaries, {1e-13, 1000});
    auto u = test::owned_field_of<double>(domain, Kind::cell, d, [&](Index c, int k) { return velocity[k](g.cell_centroid[c], 0); });
    auto omega = vorticity.field();
    vorticity.see(0);
    vorticity.solve(u, omega, 0);
    const auto values = omega.download();
    const Mesh& m = mesh.mesh;
    for (Index r = 0; r < mesh.range(m.ridge_kind()).owned; ++r) {
        const Vec3 along = d == 2 ? Vec3(0, 0, 1) : m.points[m.edge_nodes(r, 1)] - m.points[m.edge_nodes(r, 0)];
        ASSERT_NEAR(values[r], glm::dot(expected, along), 1e-10);
    }
    auto at_cells = domain.vector_field<double>(Kind::cell);
    vorticity.at_cells(omega, at_cells);
    const auto w = at_cells.download();
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
        for (int k = 0; k < d; ++k) ASSERT_NEAR(w[k * at_cells.size() + c], d == 2 ? (k == 0 ? 3 : 0) : expected[k], 1e-9);
}

// Without friction, between walls at rest: (w x u) . u = 0 in every cell, and the midpoint keeps what is quadratic. The
// flow is as rough as the mesh and the step is no small one.
TEST_P(RotationalIn, EnergyOfAFlowWithoutFrictionIsConstant) {
    const SimplexMesh mesh = box(GetParam(), GetParam() == 2 ? 500 : 700);
    const auto initial = GetParam() == 2 ? vector_formula({"sin(9*x)*cos(7*y)+y", "cos(8*x*y)-x"}) : vector_formula({"sin(9*z)+y", "cos(8*x*z)", "sin(7*y)-x"});
    test::Flow<double> flow(mesh, 0, everywhere(mesh, "wall", rest), initial, test::tight(), "cpu", rotational());
    const double before = flow.solver.kinetic_energy(), rate = flow.solver.courant(1);
    flow.run(30, 1 / rate);
    EXPECT_GT(before, 0.01);
    EXPECT_GT(flow.solver.rate_of_change(), 0.1);
    EXPECT_NEAR(flow.solver.kinetic_energy() / before, 1, 1e-9);
    EXPECT_LT(flow.solver.max_divergence(), 1e-13);
}

// With friction it falls, whatever the step.
TEST_P(RotationalIn, EnergyFallsAtAnyStep) {
    const SimplexMesh mesh = box(GetParam(), 500);
    const auto initial = vector_formula({"sin(9*y)", "cos(8*x)", "sin(5*y)"});
    for (double courant : {0.5, 20.0}) {
        test::Flow<double> flow(mesh, 0.05, everywhere(mesh, "wall", rest), initial, {}, "cpu", rotational());
        const double length = courant / flow.solver.courant(1);
        double before = flow.solver.kinetic_energy();
        for (int n = 0; n < 5; ++n) {
            flow.solver.step(length);
            EXPECT_LT(flow.solver.kinetic_energy(), before);
            before = flow.solver.kinetic_energy();
        }
    }
}

// A lid over a cavity, on every device and in both precisions against the CPU in double, and on all ranks against one.
TEST_P(RotationalIn, DevicesAndRanksAgree) {
    const SimplexMesh mesh = box(GetParam(), 300);
    auto walls = everywhere(mesh, "wall", rest);
    for (auto& wall : walls)
        if (wall.name == "ymax") test::move(wall, vector_formula({"1", "0", "0"}));
    const auto run = [&](auto real, const std::string& device, const Communicator& comm) {
        using Real = decltype(real);
        FlowSolvers solvers;
        solvers.stream_function.tolerance = solvers.momentum.tolerance = std::is_same_v<Real, double> ? 1e-12 : 1e-5;
        test::Flow<Real> flow(mesh, 0.01, walls, rest, solvers, device, rotational(), comm);
        for (int n = 0; n < (GetParam() == 2 ? 8 : 2); ++n) {
            flow.solver.step(0.01);
            EXPECT_LT(flow.solver.max_divergence(), sizeof(Real) == 8 ? 1e-13 : 1e-5) << device;
        }
        return flow.velocities();
    };
    const auto reference = run(double(), "cpu", Communicator::self());
    for (const std::string& device : test::device_names()) {
        const auto doubles = run(double(), device, Communicator::world()), floats = run(float(), device, Communicator::world());
        for (std::size_t c = 0; c < reference.size(); ++c) {
            ASSERT_LT(glm::length(doubles[c] - reference[c]), 1e-9) << device;
            ASSERT_LT(glm::length(floats[c] - reference[c]), 1e-3) << device;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, RotationalIn, testing::Values(2, 3), [](const auto& info) { return std::to_string(info.param) + "D"; });

TEST(RotationalOrder, TaylorGreenOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-0.02*t)", "sin(x)*cos(y)*exp(-0.02*t)"});
    std::vector<double> errors, cells;
    int steps = 20;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = gmsh_square(size, Vec3(0.3, 0.1, 0), 2 * M_PI);
        test::Flow<double> flow(mesh, 0.01, everywhere(mesh, "inflow", exact), exact, test::tight(), "cpu", rotational());
        flow.run(steps, 2.0 / steps);
        EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        errors.push_back(stream_function_error(flow, "cos(x)*cos(y)*exp(-0.02*t)"));
        cells.push_back(mesh.cell_count());
        tell("  Taylor-Green %6.0f triangles: stream function %.3e, velocity %.3e, nodes %.3e\n", cells.back(), errors.back(), flow.error(exact), flow.node_error(exact));
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

TEST(RotationalOrder, KovasznayOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const std::string lambda = "(20-sqrt(400+4*pi^2))";
    const auto exact = vector_formula({"1-exp(" + lambda + "*x)*cos(2*pi*y)", lambda + "/(2*pi)*exp(" + lambda + "*x)*sin(2*pi*y)"});
    std::vector<double> errors, cells;
    int steps = 150;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = gmsh_square(size, Vec3(-0.5, -0.5, 0), 1);
        test::Flow<double> flow(mesh, 1.0 / 40, everywhere(mesh, "inflow", exact), exact, {}, "cpu", rotational());
        flow.run(steps, 3.0 / steps);
        errors.push_back(stream_function_error(flow, "y-exp(" + lambda + "*x)*sin(2*pi*y)/(2*pi)"));
        cells.push_back(mesh.cell_count());
        tell("  Kovasznay %6.0f triangles: stream function %.3e, velocity %.3e, nodes %.3e, change %.1e\n", cells.back(), errors.back(), flow.error(exact), flow.node_error(exact),
             flow.solver.rate_of_change());
        steps *= 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2), 1.9);
}

// Ethier & Steinman 1994: unsteady, all terms of the equations, on tets.
TEST(RotationalOrder, EthierSteinmanOnTets) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact = ethier_steinman(0.05);
    std::vector<double> errors, cells;
    int steps = 4;
    for (double size : {0.25, 0.17, 0.11}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("cube", 3, size)), [](const Vec3& x) { return 2.0 * x - Vec3(1); });
        test::Flow<double> flow(mesh, 0.05, everywhere(mesh, "inflow", exact), exact, {}, "cpu", rotational());
        flow.run(steps, 0.1 / steps);
        EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        errors.push_back(flow.error(exact));
        cells.push_back(mesh.cell_count());
        tell("  Ethier-Steinman %6.0f tets: velocity %.3e, nodes %.3e\n", cells.back(), errors.back(), flow.node_error(exact));
        steps = steps * 3 / 2;
    }
    EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 3), 0.9);
}

// The mean of two cells is as skew as -w x u; the upwind cell damps.
TEST(ThesisMomentum, EnergyIsConstantOrFalls) {
    for (int d : {2, 3}) {
        const SimplexMesh mesh = box(d, 400);
        const auto initial = vector_formula({"sin(9*y)", "cos(8*x)", "sin(5*y)"});
        for (const std::string convection : {"central", "upwind"}) {
            test::Flow<double> flow(mesh, 0, everywhere(mesh, "wall", rest), initial, test::tight(), "cpu", thesis(convection));
            const double before = flow.solver.kinetic_energy();
            flow.run(5, 1 / flow.solver.courant(1));
            const double kept = flow.solver.kinetic_energy() / before;
            if (convection == "central") EXPECT_NEAR(kept, 1, 1e-9);
            else EXPECT_LT(kept, 0.9);
            EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        }
    }
}

TEST(StaggeredFlow, AUniformStreamStays) {
    for (int d : {2, 3})
        for (const FlowSettings& settings : {rotational(), rotational("explicit"), thesis("central"), thesis("upwind", "explicit")}) {
            const SimplexMesh mesh = box(d, 400);
            const auto stream = vector_formula({"1", "-0.5", d == 2 ? "0" : "0.25"});
            test::Flow<double> flow(mesh, 0.01, everywhere(mesh, "inflow", stream), stream, test::tight(), "cpu", settings);
            flow.run(4, 1e-3);
            EXPECT_LT(flow.error(stream), 1e-9) << settings.momentum;
        }
}

TEST(RotationalTime, SecondOrder) {
    const SimplexMesh mesh = test::moved(box(2, 600), [](const Vec3& x) { return Vec3(0.3 + 2 * x.x, 0.1 + 2 * x.y, 0); });
    // An exact solution, so that boundary values and equations agree from the start; the mesh's error is the same in all.
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-0.2*t)", "sin(x)*cos(y)*exp(-0.2*t)"});
    for (const std::string diffusion : {"implicit", "explicit"}) {
        std::vector<std::vector<double>> finals;
        for (int steps : {10, 20, 40, 320}) {
            const double finer = diffusion == "implicit" ? 1 : 20;  // explicit: below its limit
            test::Flow<double> flow(mesh, 0.1, everywhere(mesh, "inflow", exact), exact, test::tight(), "cpu", rotational(diffusion));
            flow.run(steps, 1.0 / (finer * steps));
            finals.push_back(flow.solver.cell_velocity());
        }
        const auto distance = [&](int i) {
            double sum = 0;
            for (std::size_t k = 0; k < finals[i].size(); ++k) sum += std::pow(finals[i][k] - finals.back()[k], 2);
            return std::sqrt(Communicator::world().sum(sum));
        };
        for (int i = 0; i < 2; ++i) tell("  %s diffusion, %d steps: order in time %.2f\n", diffusion.c_str(), 10 << i, std::log2(distance(i) / distance(i + 1)));
        EXPECT_GE(std::log2(distance(0) / distance(2)) / 2, 1.8);
    }
}

TEST(RotationalTime, AStepAboveTheLimitOfExplicitDiffusionIsRefused) {
    const SimplexMesh mesh = box(2, 500);
    test::Flow<double> flow(mesh, 0.1, everywhere(mesh, "wall", rest), vector_formula({"sin(9*y)", "cos(8*x)"}), {}, "cpu", rotational("explicit"));
    const double limit = flow.solver.step_limit(), before = flow.solver.kinetic_energy();
    try {
        flow.solver.step(1.01 * limit);
        ADD_FAILURE() << "accepted";
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), 1);
        EXPECT_NE(std::string(error.what()).find("explicit diffusion"), std::string::npos);
    }
    flow.run(200, 0.99 * limit);
    EXPECT_LT(flow.solver.kinetic_energy(), before);
    // The largest eigenvalue of M^-1 K lies between the largest K_ii / M_ii and Gershgorin's bound; 0.1 is the viscosity.
    const HostMatrix k = stream_function_matrix(flow.mesh), m = ridge_mass(flow.mesh);
    double least = 0, most = 0;
    for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i) {
        double row = 0;
        for (Index j = k.rows.start[i]; j < k.rows.start[i + 1]; ++j) row += std::abs(k.entries[j]);
        least = std::max(least, k.diagonal(i) / m.diagonal(i));
        most = std::max(most, row / m.diagonal(i));
    }
    EXPECT_GT(1 / (0.1 * limit), flow.comm.max(least));
    EXPECT_LT(1 / (0.1 * limit), 1.05 * flow.comm.max(most));
}

}  // namespace
}  // namespace solenoid
