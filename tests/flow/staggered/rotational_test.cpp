// The exact fractional step with rotational momentum: conservation of energy.
// (Orders: rotational_order_test; ranks and devices: flow_devices_test.)
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/discretization/stream_function_matrix.hpp"
#include "flow/staggered/codim2_vorticity.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/domain_fields.hpp"
#include "support/flows.hpp"

namespace solenoid::rotational_test {
namespace {

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

const VectorFormula rest = vector_formula({"0", "0", "0"});

class RotationalIn : public testing::TestWithParam<int> {};

// The velocity of a turning body and a shear has a constant vorticity, which must come out exactly,
// at walls too.
TEST_P(RotationalIn, VorticityOfALinearVelocityIsExact) {
    const int d = GetParam();
    const auto comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(box(d, 500)) : std::nullopt);
    const auto velocity = d == 2 ? vector_formula({"1-2*y", "x", "0"})
                                 : vector_formula({"1-2*y+z", "x+3*z", "y-2*x"});
    const Vec3 expected = d == 2 ? Vec3(0, 0, 3) : Vec3(-2, 3, 3);
    const Domain domain(comm, *device, mesh);
    const Geometry& g = domain.geometry;
    const FlowBoundaries boundaries(domain, test::on_every_side(box(d, 500), "inflow", velocity));
    Vorticity<double> vorticity(domain, boundaries, {1e-13, 1000});
    auto u = test::owned_field_of<double>(
        domain, Kind::cell, d, [&](Index c, int k) { return velocity[k](g.cell_centroid[c], 0); });
    auto omega = vorticity.field();
    vorticity.update_boundary(0);
    vorticity.solve(u, omega, 0);
    const auto values = omega.download();
    const Mesh& m = mesh.mesh;
    for (Index r = 0; r < mesh.range(m.codim2_kind()).owned; ++r) {
        const Vec3 along =
            d == 2 ? Vec3(0, 0, 1) : m.points[m.edge_nodes(r, 1)] - m.points[m.edge_nodes(r, 0)];
        ASSERT_NEAR(values[r], glm::dot(expected, along), 1e-10);
    }
    auto at_cells = domain.vector_field<double>(Kind::cell);
    vorticity.at_cells(omega, at_cells);
    const auto w = at_cells.download();
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
        for (int k = 0; k < d; ++k)
            ASSERT_NEAR(w[k * at_cells.size() + c], d == 2 ? (k == 0 ? 3 : 0) : expected[k], 1e-9);
}

// Without friction, between walls at rest: (w x u) . u = 0 in every cell, and the midpoint keeps
// what is quadratic. The flow is as rough as the mesh and the step is no small one.
TEST_P(RotationalIn, EnergyOfAFlowWithoutFrictionIsConstant) {
    const SimplexMesh mesh = box(GetParam(), GetParam() == 2 ? 500 : 700);
    const auto initial = GetParam() == 2
                             ? vector_formula({"sin(9*x)*cos(7*y)+y", "cos(8*x*y)-x"})
                             : vector_formula({"sin(9*z)+y", "cos(8*x*z)", "sin(7*y)-x"});
    test::Flow<double> flow(mesh, 0, test::on_every_side(mesh, "wall", rest), initial,
                            test::tight(), "cpu", rotational());
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
        test::Flow<double> flow(mesh, 0.05, test::on_every_side(mesh, "wall", rest), initial, {},
                                "cpu", rotational());
        const double length = courant / flow.solver.courant(1);
        double before = flow.solver.kinetic_energy();
        for (int n = 0; n < 5; ++n) {
            flow.solver.step(length);
            EXPECT_LT(flow.solver.kinetic_energy(), before);
            before = flow.solver.kinetic_energy();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Dimensions, RotationalIn, testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "D"; });

// The mean of two cells is as skew as -w x u; the upwind cell damps.
TEST(ThesisMomentum, EnergyIsConstantOrFalls) {
    for (int d : {2, 3}) {
        const SimplexMesh mesh = box(d, 400);
        const auto initial = vector_formula({"sin(9*y)", "cos(8*x)", "sin(5*y)"});
        for (const std::string convection : {"central", "upwind"}) {
            test::Flow<double> flow(mesh, 0, test::on_every_side(mesh, "wall", rest), initial,
                                    test::tight(), "cpu", thesis(convection));
            const double before = flow.solver.kinetic_energy();
            flow.run(5, 1 / flow.solver.courant(1));
            const double kept = flow.solver.kinetic_energy() / before;
            if (convection == "central")
                EXPECT_NEAR(kept, 1, 1e-9);
            else
                EXPECT_LT(kept, 0.9);
            EXPECT_LT(flow.solver.max_divergence(), 1e-13);
        }
    }
}

TEST(StaggeredFlow, AUniformStreamStays) {
    for (int d : {2, 3})
        for (const FlowSettings& settings : {rotational(), rotational("explicit"),
                                             thesis("central"), thesis("upwind", "explicit")}) {
            const SimplexMesh mesh = box(d, 400);
            const auto stream = vector_formula({"1", "-0.5", d == 2 ? "0" : "0.25"});
            test::Flow<double> flow(mesh, 0.01, test::on_every_side(mesh, "inflow", stream), stream,
                                    test::tight(), "cpu", settings);
            flow.run(4, 1e-3);
            EXPECT_LT(flow.error(stream), 1e-9) << settings.momentum;
        }
}

TEST(StaggeredFlow, ABoundaryOfAnotherTypeIsRefusedByTheTypesThatGoWithTheMomentum) {
    const SimplexMesh mesh = box(2, 60);
    const std::pair<FlowSettings, std::string> expected[] = {
        {rotational(), "it knows \"wall\", \"inflow\", \"symmetry\", \"rotating_wall\")"},
        {thesis("central"), "it knows \"wall\", \"inflow\", \"rotating_wall\")"}};
    for (const auto& [settings, types] : expected) {
        std::vector<FlowBoundary> boundaries = test::on_every_side(mesh, "wall", rest);
        test::change(boundaries[0], "outflow");
        try {
            test::Flow<double> flow(mesh, 0.1, boundaries, rest, {}, "cpu", settings);
            ADD_FAILURE() << "accepted";
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 2);
            EXPECT_NE(std::string(error.what()).find(types), std::string::npos) << error.what();
        }
    }
}

TEST(RotationalTime, AStepAboveTheLimitOfExplicitDiffusionIsRefused) {
    const SimplexMesh mesh = box(2, 500);
    test::Flow<double> flow(mesh, 0.1, test::on_every_side(mesh, "wall", rest),
                            vector_formula({"sin(9*y)", "cos(8*x)"}), {}, "cpu",
                            rotational("explicit"));
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
    // The largest eigenvalue of M^-1 K lies between the largest K_ii / M_ii and Gershgorin's bound;
    // 0.1 is the viscosity.
    const HostMatrix k = stream_function_matrix(flow.mesh), m = codim2_mass(flow.mesh);
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
}  // namespace solenoid::rotational_test
