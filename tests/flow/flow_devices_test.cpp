// The same answer on every device, in both precisions and on any number of ranks, by every method
// and scheme: velocities, pressure, forces and a scalar of a flow past a body; and free of
// divergence at each step.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "support/boundaries.hpp"
#include "support/ducts.hpp"
#include "support/flows.hpp"

namespace solenoid::flow_devices_test {
namespace {

using test::vector_formula;

enum class Ends { stream, outflow, pressure, wall };  // stream: what leaves is given, too

struct Setting {
    const char *label, *method, *momentum, *time_scheme;
    Ends ends;
    const char* scalar = "";  // its convection; none: there is no scalar
};
using Parameter = std::tuple<Setting, int>;  // and the dimension

constexpr int steps = 4;
constexpr double step_length = 0.05;

std::string name_of(const testing::TestParamInfo<Parameter>& info) {
    return std::string(std::get<0>(info.param).label) + std::to_string(std::get<1>(info.param)) +
           "D";
}

// A duct round a body; no two cells are alike.
SimplexMesh mesh_of(int dimension) {
    const auto is_kept = [](const Vec3& low) { return low != Vec3(2, 1, 1); };  // of a cube
    return test::moved(dimension == 2 ? test::with_body(2, 8) : test::duct(3, 3, is_kept),
                       [](const Vec3& x) {
                           return x + Vec3(0.04 * std::sin(2 * M_PI * x.x) * (1 + x.y),
                                           0.03 * std::sin(2 * M_PI * x.y) * std::cos(M_PI * x.x),
                                           0.02 * std::sin(2 * M_PI * x.z) * (1 + x.x));
                       });
}

// From xmin to xmax past the body, or driven by the walls above and beside alone; the floor is a
// plane of symmetry.
std::vector<FlowBoundary> conditions(const Setting& setting) {
    const auto stream = vector_formula({"(1 + 0.2*sin(20*t))*y", "0", "0"});
    std::vector<FlowBoundary> all{test::boundary("floor", "symmetry"),
                                  test::boundary("wall", "wall", vector_formula({"1", "0", "0"})),
                                  test::boundary("body", "wall")};
    all.push_back(
        setting.ends == Ends::wall ? test::boundary("xmin", "wall")
        : setting.ends == Ends::pressure
            ? test::boundary("xmin", "pressure", {}, {}, Formula("3*sin(20*t) + y", "test"))
            : test::boundary("xmin", "inflow", stream));
    all.push_back(setting.ends == Ends::wall     ? test::boundary("xmax", "wall")
                  : setting.ends == Ends::stream ? test::boundary("xmax", "inflow", stream)
                                                 : test::boundary("xmax", "outflow"));
    if (*setting.scalar) all[3].scalars["warmth"] = {true, Formula(1.0)};
    return all;
}

// By number in the whole mesh; the same on every rank.
struct Answer {
    std::vector<Vec3> velocity;                      // of cells
    std::vector<double> scalar = {}, pressure = {};  // of cells and nodes; none where there is none
    std::vector<BoundaryForce> forces = {};
};

template <class Real>
Answer solved(const SimplexMesh& whole, const Setting& setting, const std::string& device_name,
              const Communicator& comm) {
    constexpr bool is_double = std::is_same_v<Real, double>;
    FlowCase flow;
    flow.fluid.viscosity = 0.01;
    flow.flow.method = setting.method;
    flow.flow.momentum = setting.momentum;
    flow.flow.time_scheme = setting.time_scheme;
    flow.boundaries = conditions(setting);
    for (SolverSettings* solver : {&flow.solvers.stream_function, &flow.solvers.pressure,
                                   &flow.solvers.momentum, &flow.solvers.scalar})
        solver->tolerance = is_double ? 1e-12 : 1e-5;
    if (*setting.scalar) {  // it rises
        flow.fluid.gravity = {0, -1, 0};
        ScalarSettings warmth;
        warmth.name = "warmth";
        warmth.diffusivity = 1e-3;
        warmth.initial = Formula("x < 0.6 && y < 0.7 ? 1 : 0", "test");
        warmth.expansion = 1;
        warmth.convection = setting.scalar;
        flow.scalars = {warmth};
    }
    const auto device = test::make_device(device_name);
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Domain domain(comm, *device, mesh);
    const auto solver = make_flow_solver<Real>(domain, flow);
    if (solver->has_pressure()) solver->boundary_forces();
    const double most = is_double ? (flow.flow.method == "exact" ? 1e-13 : 2e-12) : 2e-5;
    for (int n = 0; n < steps; ++n) {
        solver->step(step_length);
        EXPECT_LT(solver->max_divergence(), most) << device_name << ", step " << n;
    }

    const auto by_number = [&](Kind kind, std::size_t count, const std::vector<double>& values,
                               int column = 0) {
        std::vector<double> all(count, 0.0);
        const EntityRanges& range = mesh.range(kind);
        const auto& number = kind == Kind::cell ? mesh.mesh.cell_number : mesh.mesh.node_number;
        for (Index i = 0; i < range.owned; ++i)
            all[number[i]] = values[column * std::size_t(range.all) + i];
        comm.sum(std::span<double>(all));
        return all;
    };
    Answer answer{.velocity = std::vector<Vec3>(whole.cell_count(), Vec3(0))};
    const auto velocity = solver->cell_velocity();
    for (int k = 0; k < whole.dimension; ++k) {
        const auto component = by_number(Kind::cell, whole.cell_count(), velocity, k);
        for (std::size_t c = 0; c < component.size(); ++c) answer.velocity[c][k] = component[c];
    }
    if (*setting.scalar)
        answer.scalar = by_number(Kind::cell, whole.cell_count(), solver->cell_scalar(0));
    if (solver->has_pressure()) {
        answer.pressure = by_number(Kind::node, whole.points.size(), solver->node_pressure());
        answer.forces = solver->boundary_forces();
    }
    return answer;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}
double largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double largest = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        largest = std::max(largest, glm::length(a[i] - b[i]));
    return largest;
}

class Everywhere : public testing::TestWithParam<Parameter> {};
INSTANTIATE_TEST_SUITE_P(
    All, Everywhere,
    testing::Combine(
        testing::Values(
            Setting{"Exact", "exact", "collocated", "bdf2", Ends::outflow},
            Setting{"ExactMidpoint", "exact", "collocated", "midpoint", Ends::wall, "central"},
            Setting{"Rotational", "exact", "rotational", "bdf2", Ends::stream},
            Setting{"Classical", "classical", "collocated", "bdf2", Ends::outflow, "bounded"},
            Setting{"ClassicalMidpoint", "classical", "collocated", "midpoint", Ends::wall},
            Setting{"ByPressure", "classical", "collocated", "bdf2", Ends::pressure, "blended"}),
        testing::Values(2, 3)),
    name_of);

TEST_P(Everywhere, TheSameAnswer) {
    const auto& [setting, dimension] = GetParam();
    const SimplexMesh mesh = mesh_of(dimension);
    const Communicator world = Communicator::world();
    const Answer expected = solved<double>(mesh, setting, "cpu", Communicator::self());
    double largest = 0;
    for (const Vec3& u : expected.velocity) largest = std::max(largest, glm::length(u));
    EXPECT_GT(largest, 0.3);
    const bool has_pressure = setting.momentum == std::string("collocated");
    ASSERT_EQ(expected.pressure.size(), has_pressure ? mesh.points.size() : 0);
    ASSERT_EQ(expected.forces.size(), has_pressure ? mesh.boundaries.size() : 0);
    if (has_pressure && setting.ends == Ends::outflow) {
        const auto outflow = std::ranges::find(mesh.boundaries, "xmax") - mesh.boundaries.begin();
        EXPECT_EQ(glm::length(expected.forces.at(outflow).weak), 0);
    }
    for (const std::string& device : test::devices_on(world.size())) {
        const Answer doubles = solved<double>(mesh, setting, device, world),
                     floats = solved<float>(mesh, setting, device, world);
        const double in_double = largest_difference(doubles.velocity, expected.velocity),
                     in_single = largest_difference(floats.velocity, expected.velocity);
        test::tell("  %s, %zu cells: double %.1e, single %.1e\n", device.c_str(), mesh.cell_count(),
                   in_double / largest, in_single / largest);
        EXPECT_LT(in_double, 1e-9 * largest) << device;
        EXPECT_LT(in_single, 1e-3 * largest) << device;
        EXPECT_LT(largest_difference(doubles.scalar, expected.scalar), 1e-9) << device;
        EXPECT_LT(largest_difference(floats.scalar, expected.scalar), 1e-3) << device;
        EXPECT_LT(largest_difference(doubles.pressure, expected.pressure), 1e-8) << device;
        for (const Answer* answer : {&doubles, &floats})
            for (const double value : answer->scalar) {
                if (setting.scalar != std::string("bounded")) continue;
                EXPECT_GE(value, -1e-5) << device;
                EXPECT_LE(value, 1 + 1e-5) << device;
            }
        for (std::size_t g = 0; g < expected.forces.size(); ++g) {
            const BoundaryForce &force = doubles.forces[g], &single = floats.forces[g],
                                &of_one = expected.forces[g];
            EXPECT_LT(glm::length(force.weak - of_one.weak), 1e-8) << device;
            EXPECT_LT(glm::length(force.weak_moment - of_one.weak_moment), 1e-8) << device;
            EXPECT_LT(glm::length(single.weak - of_one.weak), 2e-3) << device;
        }
    }
}

}  // namespace
}  // namespace solenoid::flow_devices_test
