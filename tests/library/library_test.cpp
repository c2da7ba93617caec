// The library as a program sees it: through libsolenoid.so and its public headers alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>

#include "library/heat.hpp"

namespace solenoid::library_test {
namespace {

// MPI runs already: the session leaves it alone.
const Session& session() {
    static int argc = 0;
    static char** argv = nullptr;
    static const Session one(argc, argv);
    return one;
}

HeatProblem box_problem() {
    HeatProblem problem;
    problem.mesh = BoxMesh{.cells = 400};
    problem.materials["default"] = {.conductivity = 2};
    problem.boundaries["default"] = Insulation{};
    problem.device = "cpu";
    return problem;
}

double largest_error(const Heat& heat, const std::function<double(const Point&)>& exact) {
    const std::vector<Point> x = heat.positions();
    const std::vector<double> t = heat.temperature();
    double error = 0;
    for (std::size_t i = 0; i < heat.nodes(); ++i)
        error = std::max(error, std::abs(t[i] - exact(x[i])));
    return session().max(error);
}

std::string refusal(const HeatProblem& problem) {
    try {
        Heat(session(), problem);
    } catch (const InputError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "none";
}

TEST(Library, ALinearTemperatureIsExact) {
    for (const std::string precision : {"double", "single"})
        for (const int dimension : {2, 3}) {
            HeatProblem problem = box_problem();
            problem.mesh = BoxMesh{.dimension = dimension, .cells = 400, .high = {2, 1, 1}};
            if (dimension == 2) std::get<BoxMesh>(problem.mesh).high[2] = 0;
            problem.boundaries["default"] = FixedTemperature{"3 + 2*x - y"};
            problem.precision = precision;
            Heat heat(session(), problem);
            heat.solve_steady();
            EXPECT_LT(largest_error(heat, [](const Point& x) { return 3 + 2 * x[0] - x[1]; }),
                      precision == "double" ? 1e-8 : 1e-3);
        }
}

// A rod between 10 K and 4 K: k A dT / L = 2 * 1 * 6 / 1 W.
TEST(Library, FlowsAreThoseOfARod) {
    HeatProblem problem = box_problem();
    problem.boundaries["xmin"] = FixedTemperature{10};
    problem.boundaries["xmax"] = FixedTemperature{4};
    Heat heat(session(), problem);
    heat.solve_steady();
    const HeatFlows flows = heat.flows();
    EXPECT_NEAR(flows.boundaries.at("xmin"), 12, 1e-6);
    EXPECT_NEAR(flows.boundaries.at("xmax"), -12, 1e-6);
    EXPECT_NEAR(flows.boundaries.at("ymin"), 0, 1e-9);
    EXPECT_EQ(flows.boundaries.size(), 6u);
    EXPECT_NEAR(heat.temperature_range()[0], 4, 1e-9);
    EXPECT_NEAR(heat.temperature_range()[1], 10, 1e-9);
}

// Heated evenly and insulated: rho c dT/dt = q, T = 5 + 6 / 3 t.
TEST(Library, StepsFollowAnEvenlyHeatedBody) {
    HeatProblem problem = box_problem();
    problem.materials["default"] = {.conductivity = 1, .heat_capacity = 3, .source = "6"};
    problem.initial = 5;
    Heat heat(session(), problem);
    heat.step(0.25);
    EXPECT_DOUBLE_EQ(heat.time(), 0.25);
    EXPECT_LT(largest_error(heat, [](const Point&) { return 5.5; }), 1e-8);
    EXPECT_NEAR(heat.flows().storage, 6, 1e-7);
    EXPECT_GT(heat.advance(2), 1);
    EXPECT_EQ(heat.time(), 2);
    EXPECT_LT(largest_error(heat, [](const Point&) { return 9.0; }), 1e-8);
}

// The slowest mode of a slab between walls at 0: exp(-pi^2 k t / (rho c)).
TEST(Library, AdvanceKeepsItsTolerance) {
    HeatProblem problem = box_problem();
    problem.mesh = BoxMesh{.dimension = 2, .cells = 1500, .high = {1, 0.2, 0}};
    problem.materials["default"] = {.conductivity = 1, .heat_capacity = 1};
    problem.boundaries["xmin"] = problem.boundaries["xmax"] = FixedTemperature{0};
    problem.initial = "sin(pi*x)";
    const auto error = [&](double tolerance) {
        Heat heat(session(), problem);
        const int steps = heat.advance(0.1, tolerance);
        EXPECT_GT(steps, 3);
        return largest_error(heat, [](const Point& x) {
            return std::exp(-M_PI * M_PI * 0.1) * std::sin(M_PI * x[0]);
        });
    };
    EXPECT_LT(error(1e-4), 2e-3);
    EXPECT_GT(error(1e-2), error(1e-4));
}

TEST(Library, StepsKeepASteadyState) {
    HeatProblem problem = box_problem();
    problem.materials["default"].heat_capacity = 1;
    problem.boundaries["xmin"] = FixedTemperature{"x + y"};
    problem.boundaries["xmax"] = HeatExchange{.coefficient = 3, .ambient = 8};
    Heat heat(session(), problem);
    heat.solve_steady();
    const std::vector<double> before = heat.temperature();
    heat.step(0.1);
    const std::vector<double> after = heat.temperature();
    for (std::size_t i = 0; i < heat.nodes(); ++i) EXPECT_NEAR(after[i], before[i], 1e-7);
    EXPECT_THROW(heat.solve_steady(), InputError);
}

TEST(Library, EachNodeIsOnOneRank) {
    const Heat heat(session(), box_problem());
    double sum = 0;
    for (const std::int64_t number : heat.numbers()) sum += static_cast<double>(number);
    const double nodes = session().sum(static_cast<double>(heat.nodes()));
    EXPECT_EQ(session().sum(sum), nodes * (nodes - 1) / 2);
    EXPECT_EQ(heat.positions().size(), heat.nodes());
    EXPECT_EQ(heat.temperature().size(), heat.nodes());
}

TEST(Library, WritesASeriesForParaView) {
    const std::filesystem::path folder = std::filesystem::path(SOLENOID_BINARY_DIR) / "tests" /
                                         ("library_" + std::to_string(session().ranks()));
    HeatProblem problem = box_problem();
    problem.materials["default"].heat_capacity = 1;
    problem.initial = "x";
    Heat heat(session(), problem);
    heat.write_vtk(folder, "bar");
    heat.step(0.5);
    heat.write_vtk(folder, "bar");
    std::ifstream file(folder / "bar.pvd");
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    EXPECT_NE(text.find("timestep=\"0\""), std::string::npos) << text;
    EXPECT_NE(text.find("timestep=\"0.5\""), std::string::npos) << text;
    EXPECT_TRUE(std::filesystem::exists(folder / "bar_000001.pvtu"));
    EXPECT_THROW(heat.write_vtk("/proc/none", "bar"), InputError);
}

// Two squares of two triangles each, of the regions a and b, in millimetres; between them "middle".
constexpr const char* two_squares = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
6
1 1 "left"
1 2 "right"
1 3 "middle"
1 4 "rest"
2 5 "a"
2 6 "b"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 500 0 0
3 1000 0 0
4 0 1000 0
5 500 1000 0
6 1000 1000 0
$EndNodes
$Elements
11
1 1 2 1 1 1 4
2 1 2 2 2 3 6
3 1 2 3 3 2 5
4 1 2 4 4 1 2
5 1 2 4 4 2 3
6 1 2 4 4 4 5
7 1 2 4 4 5 6
8 2 2 5 5 1 2 5
9 2 2 5 5 1 5 4
10 2 2 6 6 2 3 6
11 2 2 6 6 2 6 5
$EndElements
)";

// In series 0.5 / 1, the contact's 1 and 0.5 / 1 m^2 K/W: of 4 K, 2 W/m pass through 1 m.
TEST(Library, AContactOfAMeshFileIsInSeries) {
    const std::filesystem::path file = std::filesystem::path(SOLENOID_BINARY_DIR) / "tests" /
                                       ("library_" + std::to_string(session().ranks()) + ".msh");
    if (session().rank() == 0) std::ofstream(file) << two_squares;
    session().sum(0);  // all wait for it
    HeatProblem problem;
    problem.mesh = MeshFile{file, 0.001};
    problem.materials["a"] = problem.materials["b"] = {.conductivity = 1};
    problem.boundaries["left"] = FixedTemperature{4};
    problem.boundaries["right"] = FixedTemperature{0};
    problem.boundaries["middle"] = ContactResistance{1};
    problem.boundaries["rest"] = Insulation{};
    problem.device = "cpu";
    Heat heat(session(), problem);
    heat.solve_steady();
    EXPECT_EQ(session().sum(static_cast<double>(heat.nodes())), 8);  // two on each side of it
    double off = 0;
    const std::vector<Point> x = heat.positions();
    const std::vector<double> t = heat.temperature();
    for (std::size_t i = 0; i < heat.nodes(); ++i)
        off = std::max(off, x[i][0] == 0.5 ? std::min(std::abs(t[i] - 3), std::abs(t[i] - 1))
                                           : std::abs(t[i] - 4 + 4 * x[i][0]));
    EXPECT_LT(session().max(off), 1e-8);
    const HeatFlows flows = heat.flows();
    EXPECT_NEAR(flows.boundaries.at("left"), 2, 1e-8);
    EXPECT_NEAR(flows.contacts.at("middle"), 2, 1e-8);
    EXPECT_EQ(flows.contacts.size(), 1u);
}

TEST(Library, RefusesInTheProgramsWords) {
    const auto with = [](const std::function<void(HeatProblem&)>& change) {
        HeatProblem problem = box_problem();
        change(problem);
        return refusal(problem);
    };
    const std::vector<std::pair<std::function<void(HeatProblem&)>, std::string>> cases{
        {[](auto& p) { std::get<BoxMesh>(p.mesh).cells = 0; }, "key mesh.box.cells: "},
        {[](auto& p) { p.mesh = MeshFile{"there-is-none.msh"}; }, "there is no file"},
        {[](auto& p) { p.materials["default"].conductivity = -1; },
         "key material.default.conductivity: "},
        {[](auto& p) { p.materials["default"].conductivity = Value(); },
         "key material.default.conductivity: "},
        {[](auto& p) { p.materials["default"].source = "1 + u"; }, "source"},
        {[](auto& p) { p.materials["bix"] = {.conductivity = 1}; }, "did you mean \"box\""},
        {[](auto& p) { p.boundaries["xmim"] = Insulation{}; }, "did you mean \"xmin\""},
        {[](auto& p) { p.boundaries.clear(); }, "xmin"},
        {[](auto& p) { p.boundaries["xmin"] = HeatFlux{"log(-1)"}; }, "log(-1)"},
        {[](auto& p) {
             p.boundaries["xmin"] = HeatExchange{-1, 0};
         },
         "not"},
        {[](auto& p) { p.device = "abacus"; }, "abacus"},
        {[](auto& p) { p.precision = "triple"; }, "\"triple\""},
        {[](auto& p) { p.threads = -1; }, "from 0 to 1024, found -1"},
        {[](auto& p) { p.tolerance = 2; }, "key solver.temperature.tolerance: "},
        {[](auto& p) { p.keys = {"mesh.orderin=file"}; }, "did you mean \"ordering\""},
        {[](auto& p) { p.keys = {"no equals sign"}; }, "key: no \"=\""},
    };
    for (const auto& [change, words] : cases) {
        const std::string said = with(change);
        EXPECT_NE(said.find(words), std::string::npos) << said << "\nlacks " << words;
    }
}

TEST(Library, RefusesStepsThatCannotBe) {
    Heat bare(session(), box_problem());
    EXPECT_THROW(bare.step(1), InputError);
    HeatProblem problem = box_problem();
    problem.initial = 1;
    Heat without_capacity(session(), problem);
    EXPECT_THROW(without_capacity.step(1), InputError);
    problem.materials["default"].heat_capacity = 1;
    Heat heat(session(), problem);
    EXPECT_THROW(heat.step(0), InputError);
    EXPECT_THROW(heat.step(std::nan("")), InputError);
    EXPECT_THROW(heat.advance(0), InputError);
    EXPECT_THROW(heat.advance(1, 0), InputError);
    heat.step(1);
    EXPECT_LT(largest_error(heat, [](const Point&) { return 1.0; }), 1e-9);
}

// Heat into a body that nothing cools has no steady temperature.
TEST(Library, AgreedErrorsLeaveWithTheirExitCode) {
    HeatProblem problem = box_problem();
    problem.boundaries["xmin"] = HeatFlux{1};
    Heat heat(session(), problem);
    EXPECT_THROW(heat.solve_steady(), InputError);
    EXPECT_EQ(session().reported("test",
                                 [&] {
                                     heat.solve_steady();
                                     return 0;
                                 }),
              2);
    EXPECT_EQ(session().reported("test", [] { return 7; }), 7);
}

}  // namespace
}  // namespace solenoid::library_test
