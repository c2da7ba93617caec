// Boundaries with a given pressure (classical method): Poiseuille's flow between two of them on
// tets and at higher Reynolds numbers, and eddies that draw fluid in. (Orders:
// pressure_boundary_order_test; ranks and devices: flow_devices_test; reading: flow_case_test.)
#include <fmt/format.h>
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

namespace solenoid::pressure_boundary_test {
namespace {

using test::channel;
using test::classical;
using test::Flow;
using test::loose;
using test::tell;
using test::vector_formula;

// On tets friction at the walls is of first order only: the same flow driven by a force tells what
// is the boundary's.
TEST(Pressure, DrivesPoiseuilleOnTetsAsAForceDoes) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto exact = vector_formula({"4*y*(1-y)", "0", "0"});
    for (const double size : {0.25, 0.17}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("cube", 3, size));
        FlowSettings forced = classical();
        forced.body_force = vector_formula({"0.4", "0", "0"});
        Flow<> flow(mesh, 0.05, channel("0.4", "0"), exact, loose(), "cpu", classical()),
            other(mesh, 0.05, channel("0", "0"), exact, loose(), "cpu", forced);
        for (auto* one : {&flow, &other}) one->run(60, 0.05);
        const auto u = flow.velocities(), expected = other.velocities();
        double largest = 0;
        for (std::size_t c = 0; c < u.size(); ++c)
            largest = std::max(largest, glm::length(u[c] - expected[c]));
        tell("  %6.0f cells: errors %.3e and %.3e, difference %.1e at most\n",
             double(mesh.cell_count()), flow.error(exact), other.error(exact), largest);
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

// Channel of height 1 and length 6, whose drop drives u = 6 y (1 - y), mean 1, at Reynolds number
// `reynolds`.
std::vector<FlowBoundary> duct(double reynolds) {
    return channel(fmt::format("{}", 72 / reynolds), "0");
}

SimplexMesh duct_mesh(std::size_t cells) {
    return test::plain_box(2, cells, Vec3(0), Vec3(6, 1, 0));
}

template <class Flow>
double flux_into(const Flow& flow) {
    const auto& names = flow.mesh.mesh.boundaries;
    return flow.solver
        .boundary_inflow()[std::find(names.begin(), names.end(), "xmin") - names.begin()];
}

// What enters by its own face's velocity feeds on itself: this flow was six times too fast after 8
// s.
TEST(Pressure, HoldsTheParabolaAtAHigherReynoldsNumber) {
    const auto exact = vector_formula({"6*y*(1-y)", "0", "0"});
    Flow<> flow(duct_mesh(400), 1.0 / 400, duct(400), exact, loose(), "cpu", classical());
    double farthest = 0, roughest = 0;
    for (int n = 0; n < 12; ++n) {
        flow.run(50, 0.02);
        farthest = std::max(farthest, std::abs(flux_into(flow) - 1));
        roughest = std::max(roughest, flow.error(exact));
    }
    tell("  flux off by %.2e at most, velocity by %.2e\n", farthest, roughest);
    EXPECT_LT(farthest, 0.01);
    EXPECT_LT(roughest, 0.05);
}

// From rest, against the series of u_t = G + nu u_yy: flux 1 - sum over odd n of 96 / (n pi)^4
// exp(-n^2 pi^2 nu t).
TEST(Pressure, ReachesTheParabolaFromRest) {
    const double nu = 1.0 / 100;
    Flow<> flow(duct_mesh(2000), nu, duct(100), {}, loose(), "cpu", classical());
    double t = 0;
    for (const double until : {3.0, 8.0, 24.0}) {
        const int steps = static_cast<int>(std::lround((until - t) / 0.0125));
        flow.run(steps, (until - t) / steps);
        t = until;
        double expected = 1;
        for (int n = 1; n < 60; n += 2)
            expected -= 96 / std::pow(n * M_PI, 4) * std::exp(-n * n * M_PI * M_PI * nu * t);
        tell("  t = %4.1f: flux %.5f, series %.5f\n", t, flux_into(flow), expected);
        EXPECT_NEAR(flux_into(flow), expected, 0.006);
    }
}

// What enters by a face knows the flux of its boundary, not the face's own: with a jet in one face,
// or without, the same.
TEST(Pressure, LetsNoFaceFeedOnItself) {
    const SimplexMesh whole = test::plain_box(2, 400, Vec3(0), Vec3(1, 1, 0));
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    const Geometry& g = domain.geometry;
    const FlowBoundaries boundaries(domain, channel("0", "0"));
    const BoundaryFaces& b = boundaries.faces();
    const auto flux = [&](bool has_jet) {  // mean speed 1 through xmin
        std::vector<double> flux(mesh.range(Kind::face).all, 0.0);
        for (std::size_t k = 0; k < b.faces.size(); ++k) {
            const Index f = b.faces[k];
            if (!boundaries.condition(k).drives()) continue;
            const double y = g.face_centroid[f].y, left = g.face_centroid[f].x < 0.5;
            const double speed =
                has_jet ? (y > 0.5 && y < 0.5 + 1.0 / 14 ? 10.0 : 0.1) : 6 * y * (1 - y);
            flux[f] = (left ? -1 : 1) * b.outward[k] * speed * glm::length(g.face_area[f]);
        }
        return flux;
    };
    const auto entering = [&](std::vector<double> values) {
        double net = 0;  // made 1
        for (std::size_t k = 0; k < b.faces.size(); ++k)
            if (boundaries.condition(k).drives() && g.face_centroid[b.faces[k]].x < 0.5 &&
                b.faces[k] < mesh.range(Kind::face).owned)
                net -= b.outward[k] * values[b.faces[k]];
        net = comm.sum(net);
        for (double& v : values) v /= net;
        PressureInflow<double> inflow(domain, boundaries);
        auto flux_field = domain.field<double>(Kind::face);
        flux_field.upload(values, Reach::halo);
        inflow.start({}, flux_field);
        for (int n = 0; n < 3; ++n)
            inflow.advance(flux_field, std::vector<double>(b.faces.size(), 0.1), 1, n + 1.0);
        const std::vector<double> found = inflow.entering(flux_field).download();
        const std::vector<Index>& free = boundaries.free_faces().entities;
        std::vector<double> speeds;
        for (std::size_t i = 0; i < free.size(); ++i)
            if (const Index f = b.faces[free[i]]; g.face_centroid[f].x < 0.5)
                speeds.push_back(found[i] * values[f]);
        return speeds;
    };
    const auto with = entering(flux(true)), without = entering(flux(false));
    double largest = 0;
    for (std::size_t i = 0; i < with.size(); ++i) {
        EXPECT_NEAR(with[i], without[i], 1e-9);
        largest = std::max(largest, with[i]);
    }
    EXPECT_NEAR(comm.max(largest), 1.5, 0.02);
}

// Slow flow, 1e4 times as fast as inertia: a pressure that grows with time, in steps of an eighth
// of it. Flux t - sum over odd n of 96 / (n pi)^4 (1 - exp(-l t)) / l, l = n^2 pi^2 nu.
TEST(Pressure, DrivesSlowFlowAsItGrows) {
    const double nu = 100;
    Flow<> flow(duct_mesh(400), nu, channel(fmt::format("{}*t", 72 * nu), "0"), {}, loose(), "cpu",
                classical());
    for (double t = 1e-3; t < 1; t *= 1.125) flow.run(1, t == 1e-3 ? t : t - t / 1.125);
    const double t = flow.solver.time();
    double expected = t;
    for (int n = 1; n < 60; n += 2)
        expected -= 96 / std::pow(n * M_PI, 4) * -std::expm1(-n * n * M_PI * M_PI * nu * t) /
                    (n * n * M_PI * M_PI * nu);
    tell("  t = %.3f: flux %.5f, series %.5f\n", t, flux_into(flow), expected);
    EXPECT_NEAR(flux_into(flow), expected, 0.01 * expected);
}

// From "xmin", where p + u^2/2 is 0.5, to "xmax", where p = 0, between planes of symmetry.
std::vector<FlowBoundary> from_a_room(int dimension) {
    std::vector<FlowBoundary> all{test::boundary("xmin", "total_pressure", {}, {}, Formula(0.5)),
                                  test::boundary("xmax", "pressure", {}, {}, Formula(0.0))};
    for (const char* name : {"ymin", "ymax", "zmin", "zmax"})
        if (dimension == 3 || name[0] == 'y') all.push_back(test::boundary(name, "symmetry"));
    return all;
}

// A column of fluid of length L: L du/dt = P - u^2/2, u = U tanh(U t / (2 L)) with U^2 = 2 P. The
// static pressure would let it grow for ever.
TEST(TotalPressure, SpeedsAColumnUpAsBernoulliSays) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = box_mesh(
            {.dimension = dimension, .cells = dimension == 2 ? 300u : 600u, .jitter = 0.1});
        Flow<> flow(mesh, 1e-3, from_a_room(dimension), vector_formula({"0", "0", "0"}), loose(),
                    "cpu", classical());
        for (const double t : {0.5, 1.0, 2.0, 6.0}) {
            while (flow.solver.time() < t - 1e-9) flow.run(1, 0.02);
            const double speed = std::tanh(t / 2);
            double worst = 0;
            for (const Vec3& u : flow.velocities())
                worst = std::max(worst, glm::length(u - Vec3(speed, 0, 0)));
            tell("  %dD, t %.1f: speed %.4f, off by %.1e at most\n", dimension, t, speed, worst);
            EXPECT_LT(worst, 4e-3);
        }
    }
}

// Without friction the fluid leaves a contraction as fast as Bernoulli's equation says, however it
// is shaped; streaks in what enters die out, as the faster ones meet a lower pressure.
TEST(TotalPressure, DrivesAContraction) {
    const SimplexMesh mesh = test::moved(
        box_mesh({.dimension = 2, .cells = 2400, .high = {3, 1, 1}}), [](const Vec3& x) {
            const double s = std::clamp(x.x - 1, 0.0, 1.0);
            return Vec3(x.x, x.y * (1 - 0.5 * s * s * (3 - 2 * s)), x.z);
        });
    const auto streaks = vector_formula({"0.5*(1 + 0.5*cos(6*pi*y))", "0"});
    Flow<> flow(mesh, 1e-3, from_a_room(2), streaks, loose(), "cpu", classical());
    flow.run(1900, 0.008);
    EXPECT_LT(flow.solver.courant(0.008), 0.9);  // explicit convection bears 1 at most
    const std::vector<double> inflow = flow.solver.boundary_inflow();
    const auto& names = flow.mesh.mesh.boundaries;
    const double flux = inflow[std::find(names.begin(), names.end(), "xmin") - names.begin()];
    const EnergyTerms e = flow.solver.energy_terms();
    tell("  flux %.4f of 0.5; boundary %.4f, viscous %.4f, coupling %.1e, residual %.1e\n", flux,
         e.boundary, e.viscous, e.coupling, e.residual());
    EXPECT_NEAR(flux, 0.5, 0.01 * 0.5);
    // what enters with p + u^2/2 = 0.5 leaves with u^2/2 = 0.5
    EXPECT_LT(std::abs(e.boundary), 0.02 * 0.5 * flux);
    EXPECT_LT(std::abs(e.residual()), 1e-6);
}

}  // namespace
}  // namespace solenoid::pressure_boundary_test
