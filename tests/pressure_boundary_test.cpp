// Boundaries with a given pressure (classical method): Poiseuille's flow between two of them, steady and in time, and eddies
// that draw fluid in. (Ranks and devices: flow_devices_test; reading: flow_case_test.)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flow/pressure_inflow.hpp"
#include "io/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"
#include "support/boundaries.hpp"

namespace solenoid {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

FlowSolvers loose() {
    FlowSolvers solvers;
    solvers.pressure.tolerance = solvers.momentum.tolerance = 1e-8;
    return solvers;
}

FlowSettings classical() {
    FlowSettings settings;
    settings.method = "classical";
    return settings;
}

// Along x between "xmin" and "xmax", where the pressure is given; walls below and above, planes of symmetry beside.
std::vector<FlowBoundary> channel(const std::string& at_start, const std::string& at_end) {
    std::vector<FlowBoundary> all;
    for (const char* name : {"ymin", "ymax"}) all.push_back(test::boundary(name, "wall"));
    for (const char* name : {"zmin", "zmax"}) all.push_back(test::boundary(name, "symmetry"));
    all.push_back(test::boundary("xmin", "pressure", {}, {}, Formula(at_start, "test")));
    all.push_back(test::boundary("xmax", "pressure", {}, {}, Formula(at_end, "test")));
    return all;
}

struct Errors {
    double velocity, flux, pressure;
};

// From the exact solution, which the pressures must keep; the flux through xmin and the pressures of the nodes against theirs.
Errors errors_of(const SimplexMesh& mesh, double viscosity, const std::vector<FlowBoundary>& conditions, const VectorFormula& exact,
                 const std::function<double(double)>& flux, const Formula& pressure, int steps) {
    Flow<> flow(mesh, viscosity, conditions, exact, loose(), "cpu", classical());
    flow.run(steps, 2.0 / steps);
    const auto inflow = flow.solver.boundary_inflow();
    const auto xmin = std::find(mesh.boundaries.begin(), mesh.boundaries.end(), "xmin") - mesh.boundaries.begin();
    const auto p = flow.solver.node_pressure();
    double largest = 0;
    for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i)
        largest = std::max(largest, std::abs(p[i] - pressure(flow.mesh.mesh.points[i], 2)));
    const Errors errors{flow.error(exact), std::abs(inflow[xmin] / flux(2) - 1), flow.comm.max(largest)};
    tell("  %6.0f cells: velocity %.3e, flux %.3e, pressure %.3e\n", double(mesh.cell_count()), errors.velocity, errors.flux, errors.pressure);
    return errors;
}

void expect_second_order(const std::function<Errors(const SimplexMesh&, double)>& run) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    std::vector<Errors> errors;
    std::vector<double> cells;
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("square", 2, size));
        errors.push_back(run(mesh, size));
        cells.push_back(mesh.cell_count());
    }
    const auto order = [&](double Errors::*of) { return test::observed_order(errors.front().*of, errors.back().*of, cells.front(), cells.back(), 2); };
    EXPECT_GE(order(&Errors::velocity), 1.9);
    EXPECT_LT(errors.back().flux, 5e-4);
    EXPECT_LT(errors.back().pressure, 2e-3);
}

// u = 4 y (1 - y), Re = 20; only the difference of the pressures counts.
TEST(Pressure, DrivesPoiseuilleSecondOrderOnTriangles) {
    const auto exact = vector_formula({"4*y*(1-y)", "0", "0"});
    expect_second_order([&](const SimplexMesh& mesh, double size) {
        return errors_of(mesh, 0.05, channel("7.4", "7"), exact, [](double) { return 2.0 / 3; }, Formula("7.4 - 0.4*x", "test"), static_cast<int>(3 / size));
    });
}

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

// A drop that fades as exp(-t): u = exp(-t) (cos(m (y - 1/2)) / cos(m / 2) - 1), m^2 = 1 / nu, solves du/dt = exp(-t) + nu u''.
TEST(Pressure, OfTimeDrivesTheFlowSecondOrderInSpaceAndTime) {
    const double m = std::sqrt(1 / 0.2);
    const std::string profile = fmt::format("(cos({0}*(y - 0.5))/cos({0}/2) - 1)", m);
    const auto flux = [m](double t) { return std::exp(-t) * (2 * std::tan(m / 2) / m - 1); };
    expect_second_order([&](const SimplexMesh& mesh, double size) {
        return errors_of(mesh, 0.2, channel("3 + exp(-t)", "3"), vector_formula({"exp(-t)*" + profile, "0", "0"}), flux, Formula("3 + exp(-t)*(1 - x)", "test"),
                         static_cast<int>(4 / size));
    });
}

// The order in time alone, from rest: differences of runs on one mesh, where the drop rises and falls and where it is there
// at once. What lags of the pressure's gradient must not cost an order.
TEST(Pressure, IsFollowedSecondOrderInTime) {
    BoxSettings box;
    box.dimension = 2;
    box.cells = 300;
    const SimplexMesh mesh = box_mesh(box);
    for (const char* pressure : {"sin(5*t)*(1 + 0.2*y)", "1 + 0.2*y"}) {
        std::vector<std::vector<Vec3>> answers;
        for (const int steps : {40, 80, 160}) {
            Flow<> flow(mesh, 0.05, channel(pressure, "0"), {}, loose(), "cpu", classical());
            flow.run(steps, 0.8 / steps);
            answers.push_back(flow.velocities());
        }
        const auto distance = [&](int i) {
            double square = 0;
            for (std::size_t c = 0; c < answers[i].size(); ++c) square += glm::dot(answers[i][c] - answers[i + 1][c], answers[i][c] - answers[i + 1][c]);
            return std::sqrt(square);
        };
        tell("  %s: differences %.3e, %.3e\n", pressure, distance(0), distance(1));
        EXPECT_GE(std::log2(distance(0) / distance(1)), 1.8) << pressure;
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
