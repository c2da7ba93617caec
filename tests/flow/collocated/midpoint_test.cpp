// The implicit midpoint rule of collocated momentum: energy, long steps. (Order:
// midpoint_order_test; ranks and devices: flow_devices_test.)
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/collocated/implicit_transport.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/domain_fields.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::midpoint_test {
namespace {

using test::Flow;
using test::vector_formula;

FlowSettings midpoint(const std::string& method = "exact",
                      const std::string& convection = "skew-symmetric") {
    FlowSettings settings;
    settings.method = method;
    settings.convection = convection;
    settings.time_scheme = "midpoint";
    return settings;
}

std::vector<FlowBoundary> everywhere(const std::string& type, const VectorFormula& velocity) {
    std::vector<FlowBoundary> boundaries;
    for (const char* side : {"xmin", "xmax", "ymin", "ymax"})
        boundaries.push_back(test::boundary(side, type, velocity));
    return boundaries;
}

std::vector<FlowBoundary> cavity() {
    auto walls = everywhere("wall", vector_formula({"0", "0"}));
    test::move(walls.back(), vector_formula({"1", "0"}));
    return walls;
}

double distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0;
    for (std::size_t c = 0; c < a.size(); ++c)
        largest = std::max(largest, glm::length(a[c] - b[c]));
    return largest;
}

// ---- energy

SimplexMesh torus() {
    return test::closed(test::plain_box(2, 1000, Vec3(0.3, 0.1, 0), Vec3(2 * M_PI)), "xy");
}

// Taylor-Green's vortices, perturbed by 5 %.
VectorFormula vortices() {
    return vector_formula({"-cos(x)*sin(y)+0.05*sin(3*y+1)", "sin(x)*cos(y)+0.05*cos(2*x)"});
}

// Convection and the rule alone, without a pressure: u_m by a flux free of divergence, then u' = 2
// u_m - u has u's energy whatever the step.
TEST(MidpointEnergy, ConvectionDoesNoWorkAtAnyStep) {
    const SimplexMesh whole = torus();
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    const FlowBoundaries boundaries(domain, {});
    Momentum<double> momentum(domain, boundaries, 0, {}, {});
    momentum.update(0);
    ImplicitTransport<double> transport(domain, momentum, {1e-12, 2000});
    const auto stream = [](const Vec3& x) {
        return std::cos(x.x) * std::cos(x.y) + 0.3 * std::sin(2 * x.y + 1);
    };
    auto s = test::field_of<double>(domain, Kind::node, 1,
                                    [&](Index i, int) { return stream(mesh.mesh.points[i]); });
    auto flux = domain.field<double>(Kind::face);
    domain.operators<double>().curl(s, flux);
    const Index owned = mesh.range(Kind::cell).owned;
    auto u = momentum.velocity();
    auto rhs = domain.vector_field<double>(Kind::cell);
    const auto value = [&](Index c, int k) {
        return test::random_value(test::key_of(mesh.mesh, Kind::cell, c), 3 + k);
    };
    double rate = 0, energy = 0;
    const auto through = flux.download();
    for (Index c = 0; c < owned; ++c) {
        double sum = 0;
        for (int j = 0; j < 3; ++j)
            sum += 0.5 * std::abs(through[entity_of(mesh.mesh.cell_faces(c, j))]);
        rate = std::max(rate, sum / domain.geometry.cell_volume[c]);
        for (int k = 0; k < 2; ++k)
            energy += domain.geometry.cell_volume[c] * value(c, k) * value(c, k);
    }
    rate = comm.max(rate);
    energy = comm.sum(energy);
    for (const double courant : {0.5, 1.0, 2.0, 5.0, 10.0}) {
        const double dt = courant / rate;
        std::vector<double> start(std::size_t(u.size()) * 2, 0.0),
            right(std::size_t(rhs.size()) * 2, 0.0);
        for (Index c = 0; c < owned; ++c)
            for (std::size_t k = 0; k < 2; ++k) {
                start[k * u.size() + c] = value(c, int(k));
                right[k * rhs.size() + c] =
                    2 / dt * domain.geometry.cell_volume[c] * value(c, int(k));
            }
        u.upload(start);
        rhs.upload(right);
        const auto before = transport.solves().iterations;
        transport.solve(2 / dt, flux, rhs, u, dt);
        const auto middle = u.download();
        double end = 0, change = 0;
        for (Index c = 0; c < owned; ++c)
            for (int k = 0; k < 2; ++k) {
                const double v = 2 * middle[std::size_t(k) * u.size() + c] - value(c, k);
                end += domain.geometry.cell_volume[c] * v * v;
                change += domain.geometry.cell_volume[c] * (v - value(c, k)) * (v - value(c, k));
            }
        test::tell(
            "  Courant number %4.1f: %d iterations, energy changes by %.1e, velocity by %.1e\n",
            courant, int(transport.solves().iterations - before), comm.sum(end) / energy - 1,
            std::sqrt(comm.sum(change) / energy));
        EXPECT_NEAR(comm.sum(end) / energy, 1, 1e-11);
        EXPECT_GT(std::sqrt(comm.sum(change) / energy), 0.1);
    }
}

// Of the start's kinetic energy.
double energy_left(const char* method, const char* time_scheme, double courant, int steps) {
    FlowSettings settings = midpoint(method);
    settings.time_scheme = time_scheme;
    Flow<double> flow(torus(), 0, {}, vortices(), test::tight(), "cpu", settings);
    const double before = flow.solver.kinetic_energy();
    for (int n = 0; n < steps; ++n) flow.solver.step(courant / flow.solver.courant(1));
    const auto momentum = flow.solver.solves().at(1).second;
    test::tell(
        "  %s, %s, Courant number %.2f: %.5f of the kinetic energy at t = %.1f, %.1f iterations a "
        "solve\n",
        method, time_scheme, courant, flow.solver.kinetic_energy() / before, flow.solver.time(),
        double(momentum.iterations) / momentum.count);
    return flow.solver.kinetic_energy() / before;
}

// What is left in a flow is the coupling of flux and velocity, the same at any step: BDF2 at a
// short one has it, too.
TEST(MidpointEnergy, OfAnInviscidFlowDoesNotDependOnTheStep) {
    for (const char* method : {"exact", "classical"}) {
        const double reference = energy_left(method, "bdf2", 0.25, 400);
        for (const double courant : {0.5, 1.0, 2.0, 5.0})
            EXPECT_NEAR(energy_left(method, "midpoint", courant, static_cast<int>(100 / courant)),
                        reference, 2e-3)
                << courant;
    }
}

// ---- steady flows

// Kovasznay 1948, Re = 40, where no cell is held to its fluxes. The steady state does not know the
// time scheme.
TEST(MidpointSteady, KovasznayAsByBdf2) {
    const std::string lambda = "(20-sqrt(400+4*pi^2))";
    const auto exact = vector_formula({"1-exp(" + lambda + "*x)*cos(2*pi*y)",
                                       lambda + "/(2*pi)*exp(" + lambda + "*x)*sin(2*pi*y)"});
    const SimplexMesh mesh = test::plain_box(2, 250, Vec3(0.2, -0.5, 0));
    const auto steady = [&](const FlowSettings& settings, double courant) {
        Flow<double> flow(mesh, 1.0 / 40, everywhere("inflow", exact), exact, test::tight(), "cpu",
                          settings);
        const double dt = courant / flow.solver.courant(1);
        for (int n = 0; n < 3000 && (n < 10 || flow.solver.rate_of_change() > 1e-8); ++n)
            flow.solver.step(dt);
        test::tell("  Courant number %.1f: t = %.2f, change %.1e, error %.3e\n", courant,
                   flow.solver.time(), flow.solver.rate_of_change(), flow.error(exact));
        EXPECT_EQ(flow.solver.held_cells(), 0);
        return flow.velocities();
    };
    const auto reference = steady({}, 0.5);
    for (const double courant : {0.5, 3.0})
        EXPECT_LT(distance(steady(midpoint(), courant), reference), 1e-6) << courant;
}

TEST(MidpointSteady, ACavityAtLongSteps) {
    const SimplexMesh mesh = test::plain_box(2, 1000);
    const auto run = [&](const FlowSettings& settings, double dt) {
        Flow<double> flow(mesh, 0.01, cavity(), {}, test::tight(), "cpu", settings);
        double largest = 0;
        const int steps = static_cast<int>(std::ceil(6 / dt));
        for (int n = 0; n < steps; ++n) {
            flow.solver.step(6.0 / steps);
            largest = std::max(largest, flow.solver.kinetic_energy());
        }
        const auto momentum = flow.solver.solves().at(1).second;
        test::tell(
            "  %s, Courant number %.1f: kinetic energy %.5e, at most %.5e, change %.1e, %.1f "
            "iterations a step\n",
            settings.time_scheme.c_str(), flow.solver.courant(6.0 / steps),
            flow.solver.kinetic_energy(), largest, flow.solver.rate_of_change(),
            double(momentum.iterations) / momentum.count);
        return flow.solver.kinetic_energy();
    };
    const double reference = run({}, 0.02);
    for (const double dt : {0.06, 0.15})
        EXPECT_NEAR(run(midpoint(), dt), reference, 5e-3 * reference);
}

// Couette 1890: between walls of which one starts at once, in a viscous fluid, to the linear
// profile. What the start stirs up must not swing on.
TEST(MidpointSteady, AStartOfAViscousFlowDiesOut) {
    const SimplexMesh mesh = test::closed(test::plain_box(2, 1000), "x");
    const std::vector<FlowBoundary> walls{
        test::boundary("ymin", "wall"), test::boundary("ymax", "wall", vector_formula({"1", "0"}))};
    for (const double dt : {0.05, 0.5}) {
        Flow<double> flow(mesh, 1, walls, {}, test::tight(), "cpu", midpoint());
        flow.run(40, dt);
        const double error = flow.error(vector_formula({"y", "0"}));
        test::tell("  step %.2f: error %.1e, change %.1e, held %.0f\n", dt, error,
                   flow.solver.rate_of_change(), flow.solver.held_cells());
        EXPECT_LT(error, 1e-4);
    }
}

// Symmetry, outflow and given pressures: what the flow decides there is linear in its velocity, the
// rest is given.
TEST(MidpointSteady, OpenBoundariesAsByBdf2) {
    const SimplexMesh mesh = test::plain_box(2, 250, Vec3(0), Vec3(2, 1, 0));
    for (const bool by_pressure : {false, true}) {
        const auto type = [&](const std::string& other) {
            return by_pressure ? std::string("pressure") : other;
        };
        std::vector<FlowBoundary> boundaries{
            test::boundary("xmin", type("inflow"),
                           by_pressure ? VectorFormula() : vector_formula({"1-y^2", "0"})),
            test::boundary("xmax", type("outflow")), test::boundary("ymin", "symmetry"),
            test::boundary("ymax", "wall")};
        if (by_pressure) test::press(boundaries[0], Formula(0.4));
        std::vector<std::vector<Vec3>> finals;
        for (const char* scheme : {"bdf2", "midpoint"}) {
            FlowSettings settings = midpoint(by_pressure ? "classical" : "exact");
            settings.time_scheme = scheme;
            Flow<double> flow(mesh, 0.1, boundaries, vector_formula({"1-y^2", "0"}), test::tight(),
                              "cpu", settings);
            const double dt = (finals.empty() ? 0.7 : 2.5) / flow.solver.courant(1);
            for (int n = 0; n < 3000 && (n < 10 || flow.solver.rate_of_change() > 1e-9); ++n)
                flow.solver.step(dt);
            EXPECT_EQ(flow.solver.held_cells(), 0);
            test::tell("  %s, %s: t = %.1f, change %.1e, largest speed %.6f\n",
                       by_pressure ? "pressures" : "outflow", scheme, flow.solver.time(),
                       flow.solver.rate_of_change(), flow.solver.largest_speed());
            finals.push_back(flow.velocities());
        }
        EXPECT_LT(distance(finals[0], finals[1]), 1e-6);
    }
}

TEST(Midpoint, LimitsOfTheStep) {
    const SimplexMesh mesh = test::plain_box(2, 100);
    EXPECT_EQ(Flow<double>(mesh, 0.01, cavity(), {}).solver.courant_limit(), 1);
    EXPECT_EQ(Flow<double>(mesh, 0.01, cavity(), {}, test::tight(), "cpu", midpoint())
                  .solver.courant_limit(),
              10);
}

}  // namespace
}  // namespace solenoid::midpoint_test
