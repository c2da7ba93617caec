// Boundaries with a given pressure (classical method): Poiseuille's flow between two of them on tets, and eddies that draw fluid
// in. (Orders: pressure_boundary_order_test; ranks and devices: flow_devices_test; reading: flow_case_test.)
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flow/boundary/pressure_inflow.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "pressure_channel.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid {
namespace {

using test::channel;
using test::classical;
using test::Flow;
using test::loose;
using test::tell;
using test::vector_formula;

// On tets friction at the walls is of first order only: the same flow driven by a force tells what is the boundary's.
TEST(Pressure, DrivesPoiseuilleOnTetsAsAForceDoes) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact = vector_formula({"4*y*(1-y)", "0", "0"});
    for (const double size : {0.25, 0.17}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("cube", 3, size));
        FlowSettings forced = classical();
        forced.body_force = vector_formula({"0.4", "0", "0"});
        Flow<> flow(mesh, 0.05, channel("0.4", "0"), exact, loose(), "cpu", classical()), other(mesh, 0.05, channel("0", "0"), exact, loose(), "cpu", forced);
        for (auto* one : {&flow, &other}) one->run(60, 0.05);
        const auto u = flow.velocities(), expected = other.velocities();
        double largest = 0;
        for (std::size_t c = 0; c < u.size(); ++c) largest = std::max(largest, glm::length(u[c] - expected[c]));
        tell("  %6.0f cells: errors %.3e and %.3e, difference %.1e at most\n", double(mesh.cell_count()), flow.error(exact), other.error(exact), largest);
        EXPECT_LT(largest, 0.05 * other.error(exact));
        EXPECT_LT(flow.error(exact), 0.3 * size);
    }
}

// Eddies at two sides without a pressure difference: nothing adds energy.
TEST(Pressure, StaysStableWhereEddiesDrawFluidIn) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = 1500;
    const auto initial = vector_formula({"sin(2*pi*y)*cos(pi*x)", "0.5*sin(pi*y)^2*cos(2*pi*x)"});
    auto conditions = channel("0", "0");
    for (auto& b : conditions)
        if (b.condition->is_wall()) test::change(b, "symmetry");
    Flow<> flow(box_mesh(box), 5e-4, conditions, initial, {}, "cpu", classical());
    const double start = flow.solver.kinetic_energy();
    double energy = start;
    for (int n = 0; n < 8; ++n) {
        flow.run(50, 0.01);
        tell("  energy %.4f\n", flow.solver.kinetic_energy() / start);
        EXPECT_LT(flow.solver.kinetic_energy(), 1.001 * energy);
        energy = flow.solver.kinetic_energy();
    }
    EXPECT_LT(energy, start);
}

// One face of xmin lets in ten times as fast as the rest, and one lets out: what carries the flux's velocity in is bounded by three times the
// boundary's mean.
TEST(Pressure, LetsNoJetFeedOnItself) {
    const SimplexMesh whole = test::plain_box(2, 400, Vec3(0), Vec3(1, 1, 0));
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh = distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    const Geometry& g = domain.geometry;
    const FlowBoundaries boundaries(domain, channel("0", "0"));
    const BoundaryFaces& b = boundaries.faces();
    const auto speed_in = [&](Index k) {  // of a boundary face, by where it is
        const double y = g.face_centroid[b.faces[k]].y;
        if (g.face_centroid[b.faces[k]].x > 0.5) return -1.0;
        return y > 0.5 && y < 0.5 + 1.0 / 15 ? 10.0 : y < 1.0 / 15 ? -0.5 : 1.0;
    };
    std::vector<double> flux(mesh.range(Kind::face).all, 0.0);
    double net = 0, entering = 0, area = 0;
    for (std::size_t k = 0; k < b.faces.size(); ++k) {
        if (!boundaries.condition(k).drives()) continue;
        const double size = glm::length(g.face_area[b.faces[k]]), in = speed_in(static_cast<Index>(k));
        flux[b.faces[k]] = -b.outward[k] * in * size;
        if (g.face_centroid[b.faces[k]].x > 0.5 || b.faces[k] >= mesh.range(Kind::face).owned) continue;
        net += in * size;
        entering += std::max(in, 0.0) * size;
        area += size;
    }
    net = comm.sum(net);
    entering = comm.sum(entering);
    area = comm.sum(area);
    const double share = 0.5 + 0.5 * net / entering, fast = 3 * net / area;
    ASSERT_LT(fast, 10);
    ASSERT_GT(fast, 1);
    PressureInflow<double> inflow(domain, boundaries);
    auto buffer = device->buffer<double>(mesh.range(Kind::face).all);
    buffer.upload(flux);
    const auto& coefficients = inflow.entering(buffer);
    const std::vector<double> found = coefficients.download();
    const std::vector<Index>& free = boundaries.free_faces().entities;
    double jets = 0;
    for (std::size_t i = 0; i < free.size(); ++i) {
        const Index f = b.faces[free[i]];
        if (!boundaries.condition(free[i]).drives() || g.face_centroid[f].x > 0.5) continue;
        const double size = glm::length(g.face_area[f]), of_velocity = std::hypot(found[i], found[coefficients.size() + i]) * size;
        const bool is_jet = speed_in(free[i]) == 10;
        jets += is_jet;
        EXPECT_NEAR(of_velocity, is_jet ? std::max(0.5, share * fast / 10) : share, 1e-12);
    }
    EXPECT_GT(comm.sum(jets), 0);
}

}  // namespace
}  // namespace solenoid
