// The implicit midpoint rule of collocated momentum: its order in time.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "parallel/slices/distribute.hpp"
#include "support/flows.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::midpoint_order_test {
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

struct Case {
    const char *method, *convection;
};
class MidpointTime : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Schemes, MidpointTime,
                         testing::Values(Case{"exact", "skew-symmetric"},
                                         Case{"classical", "skew-symmetric"},
                                         Case{"exact", "upwind"}, Case{"exact", "blended"}),
                         [](const auto& info) {
                             return std::string(info.param.method) +
                                    (info.param.convection[0] == 's' ? "" : info.param.convection);
                         });

// An exact solution with boundary values that change in time, so that they and the equations agree
// from the start; three halvings of the step.
TEST_P(MidpointTime, SecondOrder) {
    const SimplexMesh mesh = test::plain_box(2, 600, Vec3(0.3, 0.1, 0), Vec3(2));
    const auto exact = vector_formula({"-cos(x)*sin(y)*exp(-t)", "sin(x)*cos(y)*exp(-t)"});
    std::vector<std::vector<Vec3>> finals;
    for (const int steps : {5, 10, 20, 40, 320}) {
        Flow<double> flow(mesh, 0.5, test::on_every_side(mesh, "inflow", exact), exact,
                          test::tight(), "cpu", midpoint(GetParam().method, GetParam().convection));
        flow.run(steps, 1.0 / steps);
        finals.push_back(flow.velocities());
    }
    const auto error = [&](int i) { return test::root_mean_square(finals[i], finals.back()); };
    for (int i = 0; i < 3; ++i)
        test::tell("  step 1/%d: error %.2e, order in time %.2f\n", 5 << i, error(i),
                   std::log2(error(i) / error(i + 1)));
    EXPECT_GE(std::log2(error(0) / error(3)) / 3, 1.8);
}

struct DrivenCase {
    const char *name, *pressure, *force;
    double expansion;
};
class MidpointDriven : public testing::TestWithParam<DrivenCase> {};
INSTANTIATE_TEST_SUITE_P(Drives, MidpointDriven,
                         testing::Values(DrivenCase{"Pressure", "1+sin(3*t)", "0", 0},
                                         DrivenCase{"Force", "0", "1+sin(3*t)*y", 0},
                                         DrivenCase{"Buoyancy", "0", "0", 1}),
                         [](const auto& info) { return std::string(info.param.name); });

// A given pressure, a force and a scalar's buoyancy count at the middle of a step. At the end of
// it, the order would be one.
TEST_P(MidpointDriven, SecondOrder) {
    const SimplexMesh mesh = test::plain_box(2, 300);
    std::vector<FlowBoundary> boundaries =
        test::on_every_side(mesh, "wall", vector_formula({"0", "0"}));
    for (int i = 0; i < 2; ++i) test::change(boundaries[i], "pressure");
    test::press(boundaries[0], Formula(GetParam().pressure, "test"));
    FlowSettings settings = midpoint("classical");
    settings.body_force = vector_formula({GetParam().force, "0"});
    ScalarSettings warmth{.name = "warmth",
                          .diffusivity = 0.1,
                          .initial = Formula("x*(1+y)", "test"),
                          .expansion = GetParam().expansion,
                          .convection = "central",
                          .place = ""};
    std::vector<std::vector<double>> finals;
    for (const int steps : {10, 20, 40, 320}) {
        const Communicator comm = Communicator::world();
        const auto device = test::make_device("cpu");
        const DistributedMesh distributed =
            distribute(comm, comm.is_root() ? std::optional(mesh) : std::nullopt);
        const Domain domain(comm, *device, distributed);
        const auto solver = make_flow_solver<double>(
            domain, {{.viscosity = 0.1, .density = 1, .gravity = Vec3(0, -3, 0)},
                     settings,
                     boundaries,
                     {},
                     test::tight(),
                     Formula(0.0),
                     {warmth}});
        for (int n = 0; n < steps; ++n) solver->step(1.0 / steps);
        finals.push_back(solver->cell_velocity());
    }
    const auto error = [&](int i) {
        double sum = 0;
        for (std::size_t k = 0; k < finals[i].size(); ++k)
            sum += std::pow(finals[i][k] - finals.back()[k], 2);
        return std::sqrt(Communicator::world().sum(sum));
    };
    for (int i = 0; i < 2; ++i)
        test::tell("  step 1/%d: error %.2e, order in time %.2f\n", 10 << i, error(i),
                   std::log2(error(i) / error(i + 1)));
    EXPECT_GE(std::log2(error(0) / error(2)) / 2, 1.8);
}

}  // namespace
}  // namespace solenoid::midpoint_order_test
