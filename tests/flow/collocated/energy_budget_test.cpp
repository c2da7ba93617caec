// The budget of kinetic energy: it closes on closed, walled and open domains, and its terms have
// the size and sign that they should. Energies and their rate are found here from the cells'
// velocities.
#include <gtest/gtest.h>

#include <cmath>

#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::energy_budget_test {
namespace {

using test::tell;
using test::vector_formula;

const auto vortices = vector_formula({"-cos(x)*sin(y)", "sin(x)*cos(y)"});
const auto vortices_3d = vector_formula({"sin(x)*cos(y)*cos(z)", "-cos(x)*sin(y)*cos(z)", "0"});
constexpr auto wall = "wall", inflow = "inflow", outflow = "outflow", symmetry = "symmetry";

SimplexMesh torus(int dimension, std::size_t cells) {
    return test::closed(test::plain_box(dimension, cells, Vec3(0.3, 0.1, dimension == 2 ? 0 : -0.2),
                                        Vec3(2 * M_PI)),
                        dimension == 2 ? "xy" : "xyz");
}

std::vector<FlowBoundary> walls(int dimension) {
    std::vector<FlowBoundary> all;
    for (const char* side : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
        if (dimension == 3 || side[0] != 'z') all.push_back(test::boundary(side, wall));
    return all;
}

FlowCase flow_case(double viscosity, const VectorFormula& initial,
                   const std::vector<FlowBoundary>& boundaries = {},
                   const std::string& method = "exact",
                   const std::string& convection = "skew-symmetric") {
    FlowCase flow;
    flow.fluid.viscosity = viscosity;
    flow.flow.method = method;
    flow.flow.convection = convection;
    flow.boundaries = boundaries;
    flow.initial_velocity = initial;
    flow.solvers = test::tight();
    flow.solvers.scalar.tolerance = 1e-11;
    return flow;
}

// Steps of which none is as long as the one before.
double step_length(int n, double mean) {
    return mean * (n % 3 == 0 ? 0.8 : n % 3 == 1 ? 1.2 : 0.9);
}

template <class Real = double>
struct Followed {
    Followed(const SimplexMesh& whole, const FlowCase& flow,
             const Communicator& communicator = Communicator::world(),
             const std::string& device_name = "cpu", bool follow = true)
        : comm(communicator),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          geometry(domain.geometry),
          solver(make_flow_solver<Real>(domain, flow)) {
        EXPECT_TRUE(!follow || solver->has_energy_budget());
    }

    double energy() const {
        const auto u = solver->cell_velocity();
        const std::size_t n = mesh.range(Kind::cell).all;
        double sum = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < mesh.mesh.dimension; ++k)
                sum += 0.5 * geometry.cell_volume[c] * u[k * n + c] * u[k * n + c];
        return comm.sum(sum);
    }

    // A step; the rate at its end by the parabola (or the first step's line) through the energies
    // of the last states.
    EnergyTerms step(double dt) {
        energies.push_back(energy());
        solver->step(dt);
        const double now = energy(), before = energies.back(), slope = (now - before) / dt;
        rate = slope;
        if (energies.size() > 1)
            rate += dt / (dt + last) * (slope - (before - energies.end()[-2]) / last);
        last = dt;
        const EnergyTerms terms = solver->energy_terms();
        EXPECT_NEAR(terms.kinetic_energy, now, 1e-12 * now);
        return terms;
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    const Geometry& geometry;
    std::unique_ptr<FlowSolver> solver;
    std::vector<double> energies;
    double rate = 0, last = 0;
};

void print(const std::string& what, const EnergyTerms& e) {
    tell(
        "  %-34s K %.4g rate %.3e viscous %.3e convection %.2e coupling %.2e time %.2e boundary "
        "%.3e force %.3e residual %.1e\n",
        what.c_str(), e.kinetic_energy, e.rate, e.viscous, e.convection, e.coupling, e.time_scheme,
        e.boundary, e.force, e.residual());
}

template <class Real = double>
EnergyTerms expect_closed(const std::string& what, Followed<Real>& flow, int steps, double dt,
                          double tolerance = 1e-7) {
    EnergyTerms e;
    for (int n = 0; n < steps; ++n) {
        e = flow.step(step_length(n, dt));
        EXPECT_GT(e.viscous, 0) << what << ", step " << n;
        EXPECT_LE(std::abs(e.residual()), tolerance * e.viscous) << what << ", step " << n;
        EXPECT_NEAR(e.rate, flow.rate, 1e-11 * e.kinetic_energy / dt) << what << ", step " << n;
    }
    print(what, e);
    return e;
}

// ---- closing

TEST(EnergyBudget, ClosesOnATorus) {
    for (const int dimension : {2, 3})
        for (const char* method : {"exact", "classical"}) {
            Followed<> flow(torus(dimension, dimension == 2 ? 800 : 1500),
                            flow_case(0.02, dimension == 2 ? vortices : vortices_3d, {}, method));
            expect_closed(std::string("torus, ") + method, flow, 6, 0.05);
        }
}

TEST(EnergyBudget, ClosesBetweenWalls) {
    for (const int dimension : {2, 3})
        for (const char* method : {"exact", "classical"}) {
            const SimplexMesh mesh = test::plain_box(dimension, dimension == 2 ? 600 : 1000);
            auto boundaries = walls(dimension);
            // a lid that changes its speed
            test::move(boundaries[3], vector_formula({"1 + sin(9*t)", "0"}));
            Followed<> flow(mesh,
                            flow_case(0.01,
                                      vector_formula({"sin(3.14159265*x)*cos(3.14159265*y)",
                                                      "-cos(3.14159265*x)*sin(3.14159265*y)"}),
                                      boundaries, method));
            const EnergyTerms e = expect_closed(std::string("walls, ") + method, flow, 6, 0.01);
            EXPECT_GT(e.boundary, 0);
        }
}

TEST(EnergyBudget, ClosesWhateverTheConvection) {
    for (const char* convection : {"central", "upwind", "blended"}) {
        Followed<> flow(torus(2, 800), flow_case(0.01, vortices, {}, "exact", convection));
        expect_closed(convection, flow, 5, 0.05);
    }
}

// In, out, along symmetry and past a wall.
TEST(EnergyBudget, ClosesOnOpenDomains) {
    for (const int dimension : {2, 3})
        for (const char* method : {"exact", "classical"}) {
            const SimplexMesh mesh = test::plain_box(dimension, dimension == 2 ? 600 : 1000);
            std::vector<FlowBoundary> boundaries{
                test::boundary("xmin", inflow,
                               vector_formula({"y*(2 - y)*(1 + 0.3*sin(5*t))", "0"})),
                test::boundary("xmax", outflow),
                test::boundary("ymin", wall),
                test::boundary("ymax", symmetry),
                test::boundary("zmin", symmetry),
                test::boundary("zmax", wall)};
            if (dimension == 2) boundaries.resize(4);
            Followed<> flow(
                mesh, flow_case(0.01, vector_formula({"y*(2 - y)", "0"}), boundaries, method));
            expect_closed(std::string("open, ") + method, flow, 6, 0.01);
        }
}

TEST(EnergyBudget, ClosesBetweenGivenPressures) {
    const SimplexMesh mesh = test::plain_box(2, 600);
    std::vector<FlowBoundary> boundaries{
        test::boundary("xmin", "pressure"), test::boundary("xmax", "pressure"),
        test::boundary("ymin", wall), test::boundary("ymax", wall)};
    test::press(boundaries[0], Formula(1.0));
    Followed<> flow(mesh, flow_case(0.05, {}, boundaries, "classical"));
    const EnergyTerms e = expect_closed("pressures", flow, 8, 0.02);
    EXPECT_GT(e.boundary, e.viscous);
    EXPECT_LE(std::abs(e.convection), 1e-9 * e.viscous);
}

// A force, a buoyant scalar, and a flux imposed between periodic sides.
TEST(EnergyBudget, ClosesUnderForces) {
    const SimplexMesh mesh = test::closed(test::plain_box(2, 600), "x");
    FlowCase flow =
        flow_case(0.02, vector_formula({"4*y*(1 - y)", "0.3*sin(6.2831853*x)*y*(1 - y)"}),
                  {test::boundary("ymin", wall), test::boundary("ymax", wall)});
    flow.flow.body_force = vector_formula({"0.2 + t", "x*y"});
    flow.fluid.gravity = Vec3(0, -1, 0);
    flow.scalars.push_back({.name = "T",
                            .diffusivity = 0.02,
                            .initial = Formula("x*y", "test"),
                            .expansion = 0.5,
                            .place = "test"});
    Followed<> driven(mesh, flow);
    expect_closed("forces", driven, 6, 0.02);
    flow.flow.body_force = {};
    flow.scalars.clear();
    flow.periodic.push_back({"xmin", "xmax", "test", Formula(0.8)});
    Followed<> pumped(mesh, flow);
    const EnergyTerms e = expect_closed("imposed flux", pumped, 6, 0.02);
    EXPECT_GT(e.force, 0);
}

// Far too coarse for its flow, so that cells are held to their fluxes.
TEST(EnergyBudget, ClosesWhereCellsAreHeld) {
    auto boundaries = walls(3);
    test::move(boundaries[3], vector_formula({"1", "0", "0"}));
    Followed<> flow(test::plain_box(3, 400), flow_case(1e-5, {}, boundaries));
    expect_closed("held", flow, 40, 0.05);
    EXPECT_GT(flow.solver->held_cells(), 0);
}

// Shaders on one rank: on four that share a processor they take a minute.
TEST(EnergyBudget, ClosesOnAnyDevice) {
    for (const std::string& device : test::devices_on(Communicator::world().size())) {
        FlowCase flow =
            flow_case(0.02, vector_formula({"y*(2 - y)", "0"}),
                      {test::boundary("xmin", inflow, vector_formula({"y*(2 - y)", "0"})),
                       test::boundary("xmax", outflow), test::boundary("ymin", wall),
                       test::boundary("ymax", symmetry)});
        Followed<> in_double(test::plain_box(2, 200), flow, Communicator::world(), device);
        expect_closed("double, " + device, in_double, 3, 0.02);
        flow.solvers.stream_function.tolerance = flow.solvers.momentum.tolerance =
            flow.solvers.pressure.tolerance = 1e-5;
        Followed<float> in_single(test::plain_box(2, 200), flow, Communicator::world(), device);
        for (int n = 0; n < 3; ++n) {
            in_single.solver->step(0.02);
            const EnergyTerms e = in_single.solver->energy_terms();
            EXPECT_LE(std::abs(e.residual()), 0.01 * e.viscous) << device;
            if (n == 2) print("single, " + device, e);
        }
    }
}

// ---- what the terms are

// Linear between a wall and a lid that moves: the lid gives nu U^2 / H a length, friction takes it,
// and the rest is small.
TEST(EnergyBudget, OfCouettesFlow) {
    const SimplexMesh mesh = test::closed(test::plain_box(2, 300), "x");
    Followed<> flow(mesh, flow_case(0.3, vector_formula({"2*y", "0"}),
                                    {test::boundary("ymin", wall),
                                     test::boundary("ymax", wall, vector_formula({"2", "0"}))}));
    for (int n = 0; n < 3; ++n) {
        const EnergyTerms e = flow.step(0.01);
        EXPECT_NEAR(e.viscous, 0.3 * 4, 1e-4);
        EXPECT_NEAR(e.boundary, 0.3 * 4, 1e-4);
        for (const double rest : {e.rate, e.convection, e.coupling, e.time_scheme})
            EXPECT_NEAR(rest, 0, 1e-4);
        EXPECT_EQ(e.force, 0);
    }
}

// Vortices that decay as exp(-2 nu t): friction takes 4 nu K, convection, coupling and time little.
TEST(EnergyBudget, OfTaylorGreenIsItsDecay) {
    Followed<> flow(torus(2, 4000), flow_case(0.05, vortices));
    EnergyTerms e;
    for (int n = 0; n < 5; ++n) e = flow.step(0.02);
    // K = pi^2 exp(-4 nu t)
    const double exact = 4 * 0.05 * M_PI * M_PI * std::exp(-4 * 0.05 * 0.1);
    print("Taylor-Green", e);
    EXPECT_NEAR(e.viscous, exact, 0.01 * exact);
    EXPECT_NEAR(e.rate, -exact, 0.01 * exact);
    EXPECT_LE(std::abs(e.convection), 1e-12 * exact);
    EXPECT_LE(std::abs(e.coupling), 0.02 * exact);
    EXPECT_LE(std::abs(e.time_scheme), 0.01 * exact);
    EXPECT_EQ(e.boundary, 0);
    EXPECT_EQ(e.force, 0);
}

// From a parabola to an outflow the pressure gives what friction takes: nu times the integral of
// (du/dy)^2, 16/3 for u = 4 y (1 - y).
TEST(EnergyBudget, OfPoiseuillesFlow) {
    const auto parabola = vector_formula({"4*y*(1 - y)", "0"});
    for (const char* method : {"exact", "classical"}) {
        Followed<> flow(
            test::plain_box(2, 2400),
            flow_case(0.1, parabola,
                      {test::boundary("xmin", inflow, parabola), test::boundary("xmax", outflow),
                       test::boundary("ymin", wall), test::boundary("ymax", wall)},
                      method));
        EnergyTerms e;
        for (int n = 0; n < 60; ++n) e = flow.step(0.02);
        print(std::string("Poiseuille, ") + method, e);
        const double exact = 0.1 * 16 / 3;
        EXPECT_NEAR(e.viscous, exact, 0.002 * exact);
        EXPECT_NEAR(e.boundary, exact, 0.002 * exact);
        for (const double rest : {e.rate, e.convection, e.coupling, e.time_scheme})
            EXPECT_NEAR(rest, 0, 0.002 * exact);
    }
}

// Vortices that leave and enter through two sides: what of their energy is in the flow is all that
// leaves, convection takes none.
TEST(EnergyBudget, OfConvectionIsNoneThroughOpenSides) {
    const auto turning = vector_formula(
        {"sin(3.14159265*x)*cos(3.14159265*y)", "-cos(3.14159265*x)*sin(3.14159265*y)"});
    for (const char* method : {"exact", "classical"}) {
        Followed<> flow(test::plain_box(2, 600, Vec3(0.2, 0.3, 0)),
                        flow_case(0.01, turning,
                                  {test::boundary("xmin", outflow), test::boundary("xmax", outflow),
                                   test::boundary("ymin", symmetry), test::boundary("ymax", wall)},
                                  method));
        const EnergyTerms e = expect_closed(std::string("open sides, ") + method, flow, 5, 0.02);
        EXPECT_GT(std::abs(e.boundary), 1e-3 * e.kinetic_energy);
        EXPECT_LE(std::abs(e.convection),
                  (method == std::string("exact") ? 1e-12 : 1e-9) * e.kinetic_energy);
    }
}

TEST(EnergyBudget, OfConvectionHasItsSign) {
    const auto convection = [&](const char* name) {
        Followed<> flow(torus(3, 2000), flow_case(1e-3, vortices_3d, {}, "exact", name));
        EnergyTerms e;
        for (int n = 0; n < 5; ++n) e = flow.step(0.05);
        print(name, e);
        return e;
    };
    const EnergyTerms skew = convection("skew-symmetric"), central = convection("central"),
                      upwind = convection("upwind");
    // about sum |u . N u| of vortices of length 1 and speed 1
    const double carried = 2 * skew.kinetic_energy;
    EXPECT_LE(std::abs(skew.convection), 1e-12 * carried);
    EXPECT_GT(std::abs(central.convection), 1e-6 * carried);
    EXPECT_GT(upwind.convection, std::abs(central.convection));
}

// Once the flow has got over its start.
TEST(EnergyBudget, PartOfTimeFallsAsItsSquare) {
    const auto part = [&](int steps) {
        Followed<> flow(torus(2, 800),
                        flow_case(0.05, vector_formula({"sin(x)*cos(y) + sin(2*y)",
                                                        "-cos(x)*sin(y) + cos(x)"})));
        EnergyTerms e;
        for (int n = 0; n < steps; ++n) e = flow.step(2.0 / steps);
        tell("  %d steps: %.3e of %.3e\n", steps, e.time_scheme, e.viscous);
        return std::abs(e.time_scheme);
    };
    const double coarse = part(40), fine = part(80), finest = part(160);
    EXPECT_GT(coarse, 3.7 * fine);
    EXPECT_GT(fine, 3.7 * finest);
}

// ---- what it may not change

TEST(EnergyBudget, IsTheSameOnAnyRanks) {
    const FlowCase flow =
        flow_case(0.02, vector_formula({"y*(2 - y)", "0"}),
                  {test::boundary("xmin", inflow, vector_formula({"y*(2 - y)", "0"})),
                   test::boundary("xmax", outflow), test::boundary("ymin", wall),
                   test::boundary("ymax", symmetry)});
    const SimplexMesh mesh = test::plain_box(2, 400);
    Followed<> all(mesh, flow), one(mesh, flow, Communicator::self());
    for (int n = 0; n < 3; ++n) {
        const EnergyTerms a = all.step(0.02), b = one.step(0.02);
        const auto expect_same = [&](double x, double y) { EXPECT_NEAR(x, y, 1e-8 * b.viscous); };
        expect_same(a.rate, b.rate);
        expect_same(a.viscous, b.viscous);
        expect_same(a.convection, b.convection);
        expect_same(a.coupling, b.coupling);
        expect_same(a.time_scheme, b.time_scheme);
        expect_same(a.boundary, b.boundary);
    }
}

TEST(EnergyBudget, LeavesTheFlowAsItIs) {
    for (const char* method : {"exact", "classical"}) {
        const auto profile = vector_formula({"y*(2 - y)", "0"});
        const std::vector<FlowBoundary> boundaries{
            test::boundary("xmin", inflow, profile), test::boundary("xmax", outflow),
            test::boundary("ymin", wall), test::boundary("ymax", symmetry)};
        const FlowCase flow = flow_case(0.02, profile, boundaries, method);
        const SimplexMesh mesh = test::plain_box(2, 300);
        Followed<> with(mesh, flow), without(mesh, flow, Communicator::world(), "cpu", false);
        for (int n = 0; n < 4; ++n) {
            with.step(step_length(n, 0.02));
            without.solver->step(step_length(n, 0.02));
        }
        EXPECT_EQ(with.solver->cell_velocity(), without.solver->cell_velocity()) << method;
    }
}

TEST(EnergyBudget, IsOfCollocatedMomentumAlone) {
    FlowCase flow = flow_case(0.02, vortices);
    flow.flow.momentum = "rotational";
    flow.flow.convection = "central";
    Followed<> rotational(torus(2, 200), flow, Communicator::world(), "cpu", false);
    EXPECT_FALSE(rotational.solver->has_energy_budget());
}

}  // namespace
}  // namespace solenoid::energy_budget_test
