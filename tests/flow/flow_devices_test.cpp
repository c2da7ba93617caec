// The same answer on every device, rank count and in both precisions after 20 steps past bodies,
// from inflow to outflow, by every method; and free of divergence at each step.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "io/mesh/mesh_file.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::flow_devices_test {
namespace {

using test::Flow;
using test::vector_formula;

struct Setting {
    const char* label;
    const char* method;
    const char* momentum;
    bool by_pressure;
};
using Parameter = std::tuple<Setting, int>;  // and the dimension

constexpr int steps = 20;

std::string name_of(const testing::TestParamInfo<Parameter>& info) {
    return std::string(std::get<0>(info.param).label) + std::to_string(std::get<1>(info.param)) +
           "D";
}

// From xmin to xmax past the bodies; a lid that slides above and a plane of symmetry beside. The
// rotational momentum knows no outflow: what leaves is given there.
std::vector<FlowBoundary> conditions(const SimplexMesh& mesh, const Setting& setting) {
    const auto stream = vector_formula({"(1 + 0.2*sin(20*t))*y", "0", "0"}),
               lid = vector_formula({"1", "0", "0"});
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries) {
        FlowBoundary b = test::boundary(name, "wall");
        if (name == "ymax") test::move(b, lid);
        if (name == "zmin") test::change(b, "symmetry");
        if (name == "xmin")
            b = setting.by_pressure
                    ? test::boundary(name, "pressure", {}, {}, Formula("3*sin(20*t) + y", "test"))
                    : test::boundary(name, "inflow", stream);
        if (name == "xmax")
            b = setting.momentum == std::string("rotational")
                    ? test::boundary(name, "inflow", stream)
                    : test::boundary(name, "outflow");
        all.push_back(b);
    }
    return all;
}

template <class Real>
std::vector<Vec3> velocities(const SimplexMesh& mesh, const Setting& setting,
                             const std::string& device, const Communicator& comm) {
    constexpr bool is_double = std::is_same_v<Real, double>;
    FlowSolvers solvers;
    solvers.stream_function.tolerance = solvers.pressure.tolerance = solvers.momentum.tolerance =
        is_double ? 1e-12 : 1e-5;
    FlowSettings settings;
    settings.method = setting.method;
    settings.momentum = setting.momentum;
    Flow<Real> flow(mesh, 0.01, conditions(mesh, setting), {}, solvers, device, settings, comm);
    const double most = is_double ? (settings.method == "exact" ? 1e-13 : 2e-12) : 2e-5;
    for (int n = 0; n < steps; ++n) {
        flow.solver.step(0.01);
        EXPECT_LT(flow.solver.max_divergence(), most) << device << ", step " << n;
    }
    return flow.velocities();
}

class Everywhere : public testing::TestWithParam<Parameter> {};
INSTANTIATE_TEST_SUITE_P(
    All, Everywhere,
    testing::Combine(testing::Values(Setting{"Exact", "exact", "collocated", false},
                                     Setting{"Rotational", "exact", "rotational", false},
                                     Setting{"Classical", "classical", "collocated", false},
                                     Setting{"ByPressure", "classical", "collocated", true}),
                     testing::Values(2, 3)),
    name_of);

TEST_P(Everywhere, TheSameVelocities) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto& [setting, dimension] = GetParam();
    const SimplexMesh mesh = read_mesh(dimension == 2 ? test::gmsh_mesh("two_holes", 2, 0.2)
                                                      : test::gmsh_mesh("cavity_inside", 3, 0.35));
    const auto reference = velocities<double>(mesh, setting, "cpu", Communicator::self());
    double largest = 0;
    for (const Vec3& u : reference) largest = std::max(largest, glm::length(u));
    EXPECT_GT(largest, 0.3);
    for (const std::string& device : test::device_names()) {
        // Tets on several ranks by OpenGL: end_to_end_flow_test, and what is slow on one software
        // renderer.
        if (dimension == 3 && device != "cpu" && Communicator::world().size() > 1) continue;
        const auto doubles = velocities<double>(mesh, setting, device, Communicator::world()),
                   floats = velocities<float>(mesh, setting, device, Communicator::world());
        double in_double = 0, in_single = 0;
        for (std::size_t c = 0; c < reference.size(); ++c) {
            in_double = std::max(in_double, glm::length(doubles[c] - reference[c]));
            in_single = std::max(in_single, glm::length(floats[c] - reference[c]));
        }
        test::tell("  %s, %zu cells: double %.1e, single %.1e\n", device.c_str(), reference.size(),
                   in_double / largest, in_single / largest);
        EXPECT_LT(in_double, 1e-9 * largest) << device;
        EXPECT_LT(in_single, 1e-3 * largest) << device;
    }
}

}  // namespace
}  // namespace solenoid::flow_devices_test
