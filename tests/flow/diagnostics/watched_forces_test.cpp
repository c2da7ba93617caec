// Forces, and sums over values at nodes, without a solve for the pressure or values at all nodes:
// those that these give, with the same factors in all states.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "mesh/box.hpp"
#include "support/ducts.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::watched_forces_test {
namespace {

using test::tell;
using test::vector_formula;
using test::with_body;

SimplexMesh plain_duct(int dimension, Index n) { return test::duct(dimension, n, {}); }

FlowCase case_of(const SimplexMesh& mesh, const std::string& in, const std::string& out) {
    FlowCase flow;
    flow.fluid.viscosity = 0.05;
    flow.solvers = test::tight();
    const auto profile = vector_formula({"4*y*(1-y)*(1+sin(3*t))", "0", "0"});
    for (const std::string& name : mesh.boundaries) {
        const std::string kind = name == "xmin" ? in : name == "xmax" ? out : "wall";
        if (kind.empty()) continue;
        flow.boundaries.push_back(test::boundary(name, kind,
                                                 kind == "wall" ? VectorFormula() : profile, {},
                                                 Formula("1 + y + t", "test")));
    }
    flow.initial_velocity = vector_formula({"0", "0", "0"});
    return flow;
}

// A lid drives a closed box: the pressure has a mean, and boundaries meet everywhere.
FlowCase cavity(const SimplexMesh& mesh) {
    FlowCase flow = case_of(mesh, "wall", "wall");
    for (FlowBoundary& b : flow.boundaries)
        if (b.name == "wall") test::move(b, vector_formula({"x*(2-x)*y", "0", "0"}));
    flow.flow.body_force = vector_formula({"y", "-2 + sin(t)", "0"});
    return flow;
}

void expect_near(const Vec3& a, const Vec3& b, double error, const std::string& what) {
    EXPECT_LT(glm::length(a - b), error) << what << ": (" << a.x << ", " << a.y << ", " << a.z
                                         << ") for (" << b.x << ", " << b.y << ", " << b.z << ")";
}

// error: relative to the largest force.
template <class Real = double>
void expect_same_forces(const std::string& name, const SimplexMesh& whole, FlowCase flow,
                        const std::vector<std::string>& watched, double error) {
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    const auto solver = make_flow_solver<Real>(domain, flow);
    std::vector<std::size_t> watched_numbers;
    for (const std::string& boundary : watched)
        watched_numbers.push_back(std::ranges::find(mesh.mesh.boundaries, boundary) -
                                  mesh.mesh.boundaries.begin());
    for (int n = 0; n < 4; ++n) {
        if (n > 0) solver->step(0.02);
        if (n == 1) continue;  // factors are found before it, or after
        const auto by_solve = solver->boundary_forces(),
                   found = solver->watched_forces(watched_numbers);
        double scale = 0;
        for (const BoundaryForce& f : by_solve)
            scale = std::max({scale, glm::length(f.pressure), glm::length(f.friction)});
        if (n > 0) {
            EXPECT_GT(scale, 0.01) << name;
        }
        for (std::size_t b = 0; b < by_solve.size(); ++b) {
            const bool is_watched = std::ranges::count(watched_numbers, b) > 0;
            const BoundaryForce expected = is_watched ? by_solve[b] : BoundaryForce();
            const std::string what =
                name + " " + mesh.mesh.boundaries[b] + " step " + std::to_string(n) + " ";
            const double most = error * scale + 1e-14;
            expect_near(found[b].pressure, expected.pressure, most, what + "pressure");
            expect_near(found[b].friction, expected.friction, most, what + "friction");
            expect_near(found[b].moment, expected.moment, 2 * most, what + "moment");
            expect_near(found[b].weak, expected.weak, most, what + "weak");
            expect_near(found[b].weak_moment, expected.weak_moment, 2 * most, what + "weak moment");
        }
    }
}

constexpr double tight_error = 1e-8;

TEST(WatchedForces, AreThoseOfASolve) {
    for (const int dimension : {2, 3}) {
        const std::string in = std::to_string(dimension) + "D ";
        const SimplexMesh mesh = plain_duct(dimension, dimension == 2 ? 6 : 3);
        expect_same_forces(in + "cavity", mesh, cavity(mesh), {"floor", "wall"}, tight_error);
        expect_same_forces(in + "inflow", mesh, case_of(mesh, "inflow", "outflow"),
                           {"wall", "floor"}, tight_error);
        expect_same_forces(in + "pressures", mesh, case_of(mesh, "total_pressure", "outflow"),
                           {"floor"}, tight_error);
    }
}

// Near sharp edges the weak form counts, and pressures in cells.
TEST(WatchedForces, AreThoseOfASolveAtSharpEdges) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = with_body(dimension, dimension == 2 ? 8 : 4);
        for (const char* method : {"exact", "classical"})
            for (const char* scheme : {"bdf2", "midpoint"}) {
                const std::string name = std::to_string(dimension) + "D " + method + " " + scheme;
                FlowCase flow = case_of(mesh, "inflow", "outflow");
                flow.flow.method = method;
                flow.flow.time_scheme = scheme;
                flow.flow.body_force = vector_formula({"y", "-1", "0"});
                expect_same_forces(name, mesh, flow, {"body", "floor"}, tight_error);
                if (dimension == 3) continue;
                flow = cavity(mesh);
                flow.flow.method = method;
                flow.flow.time_scheme = scheme;
                expect_same_forces(name + " closed", mesh, flow, {"body"}, tight_error);
            }
    }
}

TEST(WatchedForces, AreThoseOfASolveUnderAnImposedFlux) {
    const SimplexMesh mesh = test::closed(with_body(2, 8), "x");
    FlowCase flow = case_of(mesh, "", "");
    flow.periodic.push_back({"xmin", "xmax", "test", Formula("1 + t", "test")});
    expect_same_forces("imposed flux", mesh, flow, {"body", "wall"}, tight_error);
}

// Between flat walls in a periodic channel some weights of the pressure are rounding alone, and
// others nearly their own mean. The walls bear the body force, 0.8 x the area.
TEST(WatchedForces, AreThoseOfASolveBetweenFlatWallsOfAPeriodicChannel) {
    const SimplexMesh mesh =
        test::closed(box_mesh({.dimension = 2, .cells = 600, .high = {1, 1, 0}}), "x");
    FlowCase flow = case_of(mesh, "", "");
    flow.fluid.viscosity = 0.1;
    flow.flow.body_force = vector_formula({"0.8", "0", "0"});
    flow.initial_velocity = vector_formula({"4*y*(1-y)", "0", "0"});  // steady
    expect_same_forces("channel", mesh, flow, {"ymin", "ymax"}, tight_error);
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh distributed =
        distribute(comm, comm.is_root() ? std::optional(mesh) : std::nullopt);
    const Domain domain(comm, *device, distributed);
    const auto solver = make_flow_solver<double>(domain, flow);
    std::vector<std::size_t> walls;
    for (std::size_t b = 0; b < distributed.mesh.boundaries.size(); ++b)
        if (distributed.mesh.boundaries[b][0] == 'y') walls.push_back(b);
    for (int n = 0; n < 100; ++n) solver->step(0.02);
    Vec3 weak(0);
    for (const BoundaryForce& f : solver->watched_forces(walls)) weak += f.weak;
    double area = 0;  // of this rank
    for (Index c = 0; c < distributed.range(Kind::cell).owned; ++c)
        area += domain.geometry.cell_volume[c];
    EXPECT_NEAR(weak.x, 0.8 * comm.sum(area), 1e-3);
    EXPECT_NEAR(weak.y, 0, 1e-3);
}

// With shares of nodes that a rank owns and of ghosts.
TEST(WatchedSums, AreThoseOfValuesAtNodes) {
    for (const int dimension : {2, 3})
        for (const bool has_edges : {false, true}) {
            const SimplexMesh whole = has_edges ? with_body(dimension, dimension == 2 ? 8 : 4)
                                                : plain_duct(dimension, dimension == 2 ? 6 : 3);
            FlowCase flow = case_of(whole, "total_pressure", "outflow");
            flow.flow.body_force = vector_formula({"y", "-1", "0"});
            const Communicator comm = Communicator::world();
            const auto device = test::make_device("cpu");
            const DistributedMesh mesh =
                distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
            const Domain domain(comm, *device, mesh);
            const auto solver = make_flow_solver<double>(domain, flow);
            std::vector<EntityShare> of_pressure, of_velocity;
            for (Index c = 0; c < mesh.range(Kind::cell).owned; c += 7)
                for (int j = 0; j <= dimension; ++j) {
                    const double weight = 1.0 / (1 + j + c);
                    const Index node = mesh.mesh.cell_nodes(c, j);
                    of_pressure.push_back({0, node, weight});
                    for (std::uint32_t k = 0; k < std::uint32_t(dimension); ++k)
                        of_velocity.push_back({k % 2 * 3 + k, node, weight});
                }
            const int pressure = solver->watch_pressure(of_pressure),
                      velocity = solver->watch_velocity(of_velocity, 2);
            ASSERT_GE(pressure, 0);
            ASSERT_GE(velocity, 0);
            for (int n = 0; n < 3; ++n) {
                if (n > 0) solver->step(0.02);
                const auto p = solver->node_pressure(), u = solver->node_velocity();
                const std::size_t nodes = mesh.range(Kind::node).all;
                std::vector<double> expected(3, 0.0);
                for (const EntityShare& share : of_pressure)
                    expected[0] += share.value * p[share.entity];
                for (const EntityShare& share : of_velocity)
                    expected[1 + share.sum / 3] +=
                        share.value * u[share.sum % 3 * nodes + share.entity];
                comm.sum(std::span<double>(expected));
                EXPECT_NEAR(solver->watched_pressure(pressure), expected[0],
                            1e-8 * std::max(1.0, std::abs(expected[0])));
                const auto found = solver->watched_velocity(velocity);
                ASSERT_EQ(found.size(), 2u);
                EXPECT_NEAR(found[0], expected[1], 1e-11);
                EXPECT_NEAR(found[1], expected[2], 1e-11);
                if (n > 0) {
                    EXPECT_GT(std::abs(expected[0]) * std::abs(expected[1]), 1e-6);
                }
            }
        }
}

TEST(WatchedForces, AreThoseOfASolveInSinglePrecision) {
    const SimplexMesh mesh = with_body(2, 8);
    FlowCase flow = case_of(mesh, "inflow", "outflow");
    flow.solvers.stream_function.tolerance = flow.solvers.pressure.tolerance =
        flow.solvers.momentum.tolerance = 1e-5;
    expect_same_forces<float>("single", mesh, flow, {"body"}, 1e-3);
}

}  // namespace
}  // namespace solenoid::watched_forces_test
