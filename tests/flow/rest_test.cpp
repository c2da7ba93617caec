// Fluid at rest under forces that a pressure bears: it stays at rest, to what rounding and the
// solver leave, on any mesh and between any boundaries.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::rest_test {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

constexpr double step_length = 0.05;
constexpr int steps = 12;

struct Scheme {
    const char *method, *time_scheme;
};

void PrintTo(const Scheme& scheme, std::ostream* to) {
    *to << scheme.method << ", " << scheme.time_scheme;
}

FlowSettings settings_of(const Scheme& scheme, const VectorFormula& force) {
    FlowSettings settings;
    settings.method = scheme.method;
    settings.time_scheme = scheme.time_scheme;
    settings.body_force = force;
    return settings;
}

const VectorFormula falling = vector_formula({"0.6", "-2", "0.5"}),
                    parabolic = vector_formula({"2*x - y", "-2 - x + 3*y", "0"});

VectorFormula in_plane(VectorFormula force, int dimension) {
    if (dimension == 2) force[2] = Formula();
    return force;
}

std::vector<FlowBoundary> walls(const SimplexMesh& mesh, const std::string& type = "wall") {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries) all.push_back(test::boundary(name, type));
    return all;
}

// Boxes, jittered by default and as far as they go, and Gmsh's meshes.
std::vector<std::pair<std::string, SimplexMesh>> meshes() {
    std::vector<std::pair<std::string, SimplexMesh>> all;
    for (const int d : {2, 3}) {
        const std::string plane = d == 2 ? "2D" : "3D";
        all.emplace_back(plane + " box", box_mesh({.dimension = d, .cells = d == 2 ? 300u : 600u}));
        all.emplace_back(plane + " rough box", box_mesh({.dimension = d,
                                                         .cells = d == 2 ? 300u : 600u,
                                                         .jitter = d == 2 ? 0.21 : 0.17}));
        if (test::has_gmsh())
            all.emplace_back(plane + " Gmsh", read_mesh(test::gmsh_mesh(d == 2 ? "square" : "cube",
                                                                        d, d == 2 ? 0.1 : 0.25)));
    }
    return all;
}

// After some steps: the largest speed, and by how much the nodes' pressure less the force's
// potential varies.
struct Rest {
    double speed, pressure;
};

template <class Real>
Rest rest_of(Flow<Real>& flow, const std::function<double(const Vec3&)>& potential) {
    flow.run(steps, step_length);
    const auto p = flow.solver.node_pressure();
    double least = std::numeric_limits<double>::max(), greatest = -least;
    for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i) {
        const double rest = p[i] - potential(flow.mesh.mesh.points[i]);
        least = std::min(least, rest);
        greatest = std::max(greatest, rest);
    }
    return {flow.solver.largest_speed(), flow.comm.max(greatest) + flow.comm.max(-least)};
}

double fall(const Vec3& x) { return 0.6 * x.x - 2 * x.y + 0.5 * x.z; }
double fall_in_plane(const Vec3& x) { return 0.6 * x.x - 2 * x.y; }

class Resting : public testing::TestWithParam<Scheme> {};

// Without friction, too, where nothing would end what has once begun.
TEST_P(Resting, BetweenWallsUnderAConstantForce) {
    for (const auto& [name, mesh] : meshes())
        for (const double viscosity : {0.1, 1e-4, 0.0}) {
            const int d = mesh.dimension;
            Flow<> flow(mesh, viscosity, walls(mesh), {}, test::tight(), "cpu",
                        settings_of(GetParam(), in_plane(falling, d)));
            const Rest rest = rest_of(flow, d == 2 ? fall_in_plane : fall);
            tell("  %s, viscosity %.0e: speed %.1e, pressure %.1e\n", name.c_str(), viscosity,
                 rest.speed, rest.pressure);
            EXPECT_LT(rest.speed, 1e-9) << name << ", viscosity " << viscosity;
            EXPECT_LT(rest.pressure, 1e-7) << name << ", viscosity " << viscosity;
        }
}

TEST_P(Resting, InSinglePrecision) {
    const SimplexMesh mesh = box_mesh({.dimension = 2, .cells = 300});
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance =
        1e-5;
    for (const std::string& device : test::devices_on(Communicator::world().size())) {
        Flow<float> flow(mesh, 1e-4, walls(mesh), {}, solvers, device,
                         settings_of(GetParam(), in_plane(falling, 2)));
        flow.run(steps, step_length);
        EXPECT_LT(flow.solver.largest_speed(), 1e-4) << device << ", of 1 that it would fall with";
    }
}

// On planes of symmetry, which bear the force like walls, beside an outflow that it leaves alone,
// and round a periodic channel.
TEST_P(Resting, BetweenOtherBoundaries) {
    for (const int d : {2, 3}) {
        const SimplexMesh mesh = box_mesh({.dimension = d, .cells = d == 2 ? 300u : 600u});
        auto planes = walls(mesh, "symmetry"), open = walls(mesh);
        test::change(planes[0], "wall");
        for (auto& b : open)
            if (b.name == "ymax") test::change(b, "outflow");
        const auto speed = [&](const SimplexMesh& in, const std::vector<FlowBoundary>& boundaries,
                               const VectorFormula& force) {
            Flow<> flow(in, 1e-3, boundaries, {}, test::tight(), "cpu",
                        settings_of(GetParam(), force));
            flow.run(steps, step_length);
            return flow.solver.largest_speed();
        };
        const VectorFormula down = vector_formula({"0", "-2"});
        EXPECT_LT(speed(mesh, planes, in_plane(falling, d)), 1e-9) << d;
        EXPECT_LT(speed(mesh, open, down), 1e-9) << d;
        const SimplexMesh round = test::closed(mesh, "x");
        std::vector<FlowBoundary> floor;
        for (const auto& b : walls(mesh))
            if (b.name[0] != 'x') floor.push_back(b);
        EXPECT_LT(speed(round, floor, down), 1e-9) << d;
    }
}

// A potential that is no parabola: what moves is of third order.
TEST_P(Resting, OrderUnderOtherForces) {
    const VectorFormula force = vector_formula({"2*sin(2*x+y)", "sin(2*x+y)"});
    std::vector<double> speeds;
    for (const std::size_t cells : {1000, 4000}) {
        const SimplexMesh mesh = box_mesh({.dimension = 2, .cells = cells});
        Flow<> flow(mesh, 0.01, walls(mesh), {}, test::tight(), "cpu",
                    settings_of(GetParam(), force));
        flow.run(10, 0.02);
        speeds.push_back(std::sqrt(2 * flow.solver.kinetic_energy()));
    }
    tell("  speeds %.2e, %.2e\n", speeds[0], speeds[1]);
    EXPECT_LT(speeds[0], 1e-5);
    EXPECT_GT(speeds[0] / speeds[1], 4);
}

// Of parabolas the exact method bears everything; the classical one needs the force at nodes, where
// in corners and edges of a domain the cells hardly tell its slope.
TEST_P(Resting, UnderAParabolasGradient) {
    const bool is_exact = GetParam().method == std::string("exact");
    for (const auto& [name, mesh] : meshes()) {
        Flow<> flow(mesh, 0.01, walls(mesh), {}, test::tight(), "cpu",
                    settings_of(GetParam(), parabolic));
        flow.run(steps, step_length);
        tell("  %s: speed %.1e\n", name.c_str(), flow.solver.largest_speed());
        EXPECT_LT(flow.solver.largest_speed(), is_exact              ? 1e-9
                                               : mesh.dimension == 2 ? 2e-4
                                                                     : 4e-3)
            << name;
    }
}

INSTANTIATE_TEST_SUITE_P(Schemes, Resting,
                         testing::Values(Scheme{"exact", "bdf2"}, Scheme{"classical", "bdf2"},
                                         Scheme{"exact", "midpoint"},
                                         Scheme{"classical", "midpoint"}),
                         [](const auto& info) {
                             return std::string(info.param.method) + "_" + info.param.time_scheme;
                         });

// Classical: between given pressures that are the force's potential.
TEST(RestingAtOpenings, UnderAConstantForce) {
    for (const int d : {2, 3}) {
        const SimplexMesh mesh = box_mesh({.dimension = d, .cells = d == 2 ? 300u : 600u});
        auto boundaries = walls(mesh);
        for (auto& b : boundaries)
            if (b.name == "xmax" || b.name == "ymax") {
                test::press(b, Formula(d == 2 ? "0.6*x - 2*y" : "0.6*x - 2*y + 0.5*z", "test"));
            }
        Flow<> flow(mesh, 1e-3, boundaries, {}, test::tight(), "cpu",
                    settings_of({"classical", "bdf2"}, in_plane(falling, d)));
        const Rest rest = rest_of(flow, d == 2 ? fall_in_plane : fall);
        EXPECT_LT(rest.speed, 1e-8) << d;
        EXPECT_LT(rest.pressure, 1e-7) << d;
    }
}

}  // namespace
}  // namespace solenoid::rest_test
