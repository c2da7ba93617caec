// Heat conduction against exact and manufactured solutions.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/error.hpp"
#include "heat/heat_solver.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/gmsh.hpp"
#include "support/heat_boundaries.hpp"

namespace solenoid::heat_test {
namespace {

Formula formula(const std::string& text) { return Formula(text, "test"); }

HeatBoundary condition(const std::string& name, const std::string& kind, const Formula& value = 0.0,
                       const Formula& ambient = 0.0) {
    return test::heat_boundary(name, kind, value, ambient);
}

MaterialSettings material(const Formula& conductivity, const Formula& capacity = 1.0,
                          const Formula& source = 0.0) {
    MaterialSettings m;
    m.conductivity = conductivity;
    m.heat_capacity = capacity;
    m.source = source;
    return m;
}

SimplexMesh box(int dimension, std::size_t cells, double jitter = 0.15) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    settings.jitter = jitter;
    return box_mesh(settings);
}

template <class Real>
struct Problem {
    Problem(const SimplexMesh& whole, const std::vector<MaterialSettings>& regions,
            const std::vector<HeatBoundary>& boundaries, const Formula& initial = 0.0,
            const std::string& device_name = "cpu", SolverSettings settings = {})
        : comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh),
          solver(domain, regions, boundaries, initial, settings) {}

    // Root mean square over the volume of the difference from a formula.
    double error(const Formula& exact, double t = 0) {
        const auto temperature = solver.temperature();
        const auto g = geometry(mesh.mesh);
        double square = 0, volume = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int j = 0; j <= mesh.mesh.dimension; ++j) {
                const Index i = mesh.mesh.cell_nodes(c, j);
                const double e = temperature[i] - exact(mesh.mesh.points[i], t);
                square += g.cell_volume[c] * e * e;
                volume += g.cell_volume[c];
            }
        return std::sqrt(comm.sum(square) / comm.sum(volume));
    }
    double largest_error(const Formula& exact, double t = 0) {
        const auto temperature = solver.temperature();
        double worst = 0;
        for (Index i = 0; i < mesh.range(Kind::node).all; ++i)
            worst = std::max(worst, std::abs(temperature[i] - exact(mesh.mesh.points[i], t)));
        return comm.max(worst);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    HeatSolver<Real> solver;
};

std::vector<HeatBoundary> all_fixed(int dimension, const std::string& value) {
    std::vector<HeatBoundary> boundaries;
    for (const char* name : {"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"})
        if (dimension == 3 || name[0] != 'z')
            boundaries.push_back(condition(name, "temperature", formula(value)));
    return boundaries;
}

// T = e^(a t) sin(1.3 x + 0.2) cos(0.9 y) e^(0.5 z), with all four kinds of boundary condition; k =
// 2, rho c = 3.
struct Manufactured {
    std::string time, t, dtdx, dtdy, source;
    explicit Manufactured(int dimension, bool steady) {
        time = steady ? "" : "exp(-0.7*t)*";
        const std::string z = dimension == 3 ? "*exp(0.5*z)" : "";
        t = time + "sin(1.3*x+0.2)*cos(0.9*y)" + z;
        dtdx = time + "1.3*cos(1.3*x+0.2)*cos(0.9*y)" + z;
        dtdy = time + "(-0.9)*sin(1.3*x+0.2)*sin(0.9*y)" + z;
        // q = rho c dT/dt - k lap T
        const std::string factor = dimension == 3 ? "2*(1.69+0.81-0.25)" : "2*(1.69+0.81)";
        source = "(" + factor + (steady ? "" : "-3*0.7") + ")*" + t;
    }
    std::vector<MaterialSettings> regions() const { return {material(2.0, 3.0, formula(source))}; }
    std::vector<HeatBoundary> boundaries(int dimension) const {
        std::vector<HeatBoundary> b{
            condition("xmin", "temperature", formula(t)),
            condition("xmax", "flux", formula("2*" + dtdx)),
            condition("ymin", "insulated"),  // dT/dy = 0 at y = 0
            condition("ymax", "convection", 5.0, formula(t + "+2/5*(" + dtdy + ")"))};
        if (dimension == 3)
            for (const char* name : {"zmin", "zmax"})
                b.push_back(condition(name, "temperature", formula(t)));
        return b;
    }
};

double order(double coarse, double fine, double cells_coarse, double cells_fine, int dimension) {
    return dimension * std::log(coarse / fine) / std::log(cells_fine / cells_coarse);
}

class HeatOrder : public testing::TestWithParam<int> {};

TEST_P(HeatOrder, SteadyInSpaceOnGmshMeshes) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const int d = GetParam();
    const Manufactured exact(d, true);
    std::vector<double> errors, cells;
    for (double size :
         d == 2 ? std::vector{0.1, 0.05, 0.025, 0.0125} : std::vector{0.25, 0.17, 0.11, 0.075}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh(d == 2 ? "square" : "cube", d, size));
        Problem<double> p(mesh, exact.regions(), exact.boundaries(d));
        p.solver.solve_steady();
        errors.push_back(p.error(formula(exact.t)));
        cells.push_back(mesh.cell_count());
    }
    for (std::size_t i = 1; i < errors.size(); ++i) {
        const double observed = order(errors[i - 1], errors[i], cells[i - 1], cells[i], d);
        RecordProperty("order" + std::to_string(i), std::to_string(observed));
        printf("  %dD steady: %7.0f cells, error %.3e, order %.2f\n", d, cells[i], errors[i],
               observed);
    }
    EXPECT_GE(order(errors.front(), errors.back(), cells.front(), cells.back(), d), 1.9);
}

TEST_P(HeatOrder, TransientInSpaceAndTimeOnGmshMeshes) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const int d = GetParam();
    const Manufactured exact(d, false);
    std::vector<double> errors, cells;
    int steps = 3;
    for (double size :
         d == 2 ? std::vector{0.1, 0.05, 0.025, 0.0125} : std::vector{0.25, 0.17, 0.11, 0.075}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh(d == 2 ? "square" : "cube", d, size));
        Problem<double> p(mesh, exact.regions(), exact.boundaries(d), formula(exact.t));
        for (int n = 0; n < steps; ++n) p.solver.step(1.0 / steps, false);
        errors.push_back(p.error(formula(exact.t), 1.0));
        cells.push_back(mesh.cell_count());
        steps = d == 2 ? steps * 2 : steps * 3 / 2;
        printf("  %dD transient: %7.0f cells, error %.3e\n", d, cells.back(), errors.back());
    }
    EXPECT_GE(order(errors.front(), errors.back(), cells.front(), cells.back(), d), 1.9);
}
INSTANTIATE_TEST_SUITE_P(Dimensions, HeatOrder, testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "D"; });

// Linear in space, so that the error is the time step's alone; boundary values that change in time,
// stiff and not.
TEST(HeatTime, SecondOrderWithBoundaryValuesInTime) {
    const SimplexMesh mesh = box(2, 300);
    for (const bool integrates : {false, true})
        for (const double k : {0.01, 10.0}) {
            const std::string exact = "(1+x+2*y)*(1+0.5*sin(3*t))";
            std::vector<double> errors;
            for (int steps : {8, 16, 32, 64}) {
                Problem<double> p(mesh, {material(k, 1.0, formula("(1+x+2*y)*1.5*cos(3*t)"))},
                                  all_fixed(2, exact), formula(exact));
                if (integrates)
                    p.solver.integrate_over(
                        [](double, double to) { return std::vector<double>{to}; });
                for (int n = 0; n < steps; ++n) p.solver.step(1.0 / steps, false);
                errors.push_back(p.error(formula(exact), 1.0));
            }
            for (std::size_t i = 1; i < errors.size(); ++i)
                EXPECT_GE(std::log2(errors[i - 1] / errors[i]), 1.9)
                    << "k = " << k << (integrates ? ", integrated, " : ", ") << errors[i];
        }
}

// The slowest mode of the square decays at its discrete rate; the step's error falls with its
// square. The reference is the exact exponential of the semi-discrete rate, measured by a ratio of
// two tiny steps.
TEST(HeatTime, SecondOrderForADecayingMode) {
    const SimplexMesh mesh = box(2, 300);
    const std::string shape = "sin(pi*x)*sin(pi*y)";
    std::vector<double> finals;
    for (int steps : {4, 8, 16, 32, 256}) {
        Problem<double> p(mesh, {material(0.1)}, all_fixed(2, "0"), formula(shape));
        for (int n = 0; n < steps; ++n) p.solver.step(0.5 / steps, false);
        const auto t = p.solver.temperature();
        double sum = 0;
        for (Index i = 0; i < p.mesh.range(Kind::node).owned; ++i)
            sum += t[i] * formula(shape)(p.mesh.mesh.points[i]);
        finals.push_back(p.comm.sum(sum));
    }
    for (int i = 0; i < 3; ++i)
        EXPECT_GE(std::log2(std::abs(finals[i] - finals.back()) /
                            std::abs(finals[i + 1] - finals.back())),
                  1.9);
}

TEST(HeatTime, LargeStepsAfterAQuenchDoNotRing) {
    const SimplexMesh mesh = box(3, 2000);
    Problem<double> p(mesh, {material(1.0)}, all_fixed(3, "0"), 1.0);
    p.solver.step(1e4, false);  // a hundred thousand diffusion times
    const auto [low, high] = p.solver.extrema();
    EXPECT_LT(std::max(std::abs(low), std::abs(high)), 1e-3)
        << "a stiff mode must vanish in one step";
}

TEST(HeatTime, TheErrorEstimateIsTheErrorsSize) {
    const SimplexMesh mesh = box(2, 400);
    for (double dt : {0.2, 0.1, 0.05}) {
        Problem<double> p(mesh, {material(0.1)}, all_fixed(2, "0"), formula("sin(pi*x)*sin(pi*y)"));
        const double estimate = p.solver.step(dt, true);
        Problem<double> fine(mesh, {material(0.1)}, all_fixed(2, "0"),
                             formula("sin(pi*x)*sin(pi*y)"));
        for (int n = 0; n < 64; ++n) fine.solver.step(dt / 64, false);
        const auto a = p.solver.temperature(), b = fine.solver.temperature();
        double square = 0, count = 0;
        for (Index i = 0; i < p.mesh.range(Kind::node).owned; ++i, ++count)
            square += (a[i] - b[i]) * (a[i] - b[i]);
        const double error = std::sqrt(p.comm.sum(square) / p.comm.sum(count));
        EXPECT_LT(error, 3 * estimate);
        EXPECT_GT(error, estimate / 10);
    }
}

TEST(HeatTime, TakeBackGivesTheStateBack) {
    const SimplexMesh mesh = box(2, 300);
    Problem<double> p(mesh, {material(0.3)}, all_fixed(2, "x+sin(t)"), formula("x*y"));
    p.solver.step(0.01, false);
    const auto before = p.solver.temperature();
    p.solver.keep_state();
    p.solver.step(0.05, true);
    const auto once = p.solver.temperature();
    p.solver.take_back();
    EXPECT_EQ(p.solver.temperature(), before);
    EXPECT_DOUBLE_EQ(p.solver.time(), 0.01);
    p.solver.step(0.05, true);
    EXPECT_EQ(p.solver.temperature(), once);
}

TEST(HeatBalance, ClosesOverEveryStep) {
    const SimplexMesh mesh = box(3, 1500);
    auto boundaries =
        std::vector<HeatBoundary>{condition("xmin", "temperature", formula("300+20*sin(5*t)")),
                                  condition("xmax", "flux", formula("100*y")),
                                  condition("ymin", "convection", 7.0, formula("280+x")),
                                  condition("ymax", "insulated"),
                                  condition("zmin", "insulated"),
                                  condition("zmax", "temperature", 310.0)};
    Problem<double> p(mesh, {material(2.0, 5.0, formula("40*(1+t)"))}, boundaries, 300.0);
    double stored = 0;
    for (int n = 0; n < 5; ++n) {
        p.solver.step(0.05, false);
        const HeatBalance& balance = p.solver.balance();
        double gross = std::abs(balance.source) + std::abs(balance.storage);
        for (double flow : balance.boundary) gross += std::abs(flow);
        EXPECT_LT(std::abs(balance.imbalance()), 1e-8 * gross);
        EXPECT_NEAR(balance.boundary[1], 50, 1e-9);  // the integral of 100 y over the face
        EXPECT_EQ(balance.boundary[3], 0);
        stored += 0.05 * balance.storage;
    }
    EXPECT_NE(stored, 0);
}

// A slab: k dT/dx = h (T_inf - T) on the right, T = 0 on the left: T = a x with a = h T_inf / (k +
// h).
TEST(HeatBalance, SteadyFlowThroughASlab) {
    const SimplexMesh mesh = box(3, 1000);
    std::vector<HeatBoundary> boundaries{condition("xmin", "temperature", 0.0),
                                         condition("xmax", "convection", 3.0, 10.0)};
    for (const char* name : {"ymin", "ymax", "zmin", "zmax"})
        boundaries.push_back(condition(name, "insulated"));
    Problem<double> p(mesh, {material(2.0)}, boundaries);
    p.solver.solve_steady();
    EXPECT_LT(p.largest_error(formula("6*x")), 1e-8);
    EXPECT_NEAR(p.solver.balance().boundary[0], -12, 1e-7);
    EXPECT_NEAR(p.solver.balance().boundary[1], 12, 1e-7);
}

// Two regions whose conductivities differ by 1e4: linear in each, the flux continuous.
TEST(HeatRegions, AJumpOfConductivity) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const SimplexMesh mesh = read_mesh(test::gmsh_mesh("two_blocks", 3, 0.2));
    ASSERT_EQ(mesh.regions, (std::vector<std::string>{"left", "right"}));
    Problem<double> p(mesh, {material(1.0), material(1e4)},
                      {condition("xmin", "temperature", 0.0), condition("xmax", "temperature", 1.0),
                       condition("rest", "insulated")});
    p.solver.solve_steady();
    const double flux = 1 / (0.5 / 1.0 + 0.5 / 1e4);
    EXPECT_LT(p.largest_error(formula("x < 0.5 ? x*" + std::to_string(flux) + " : 1-(1-x)*" +
                                      std::to_string(flux / 1e4))),
              1e-6);
    EXPECT_NEAR(p.solver.balance().boundary[1], flux, 1e-6);
}

TEST(HeatRegions, ATemperatureOnASurfaceInside) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const SimplexMesh mesh = read_mesh(test::gmsh_mesh("two_blocks", 3, 0.2));
    std::vector<HeatBoundary> b{condition("inside", "temperature", 1.0),
                                condition("xmin", "temperature", 0.0),
                                condition("xmax", "insulated"), condition("rest", "insulated")};
    Problem<double> p(mesh, {material(1.0), material(5.0)}, b);
    p.solver.solve_steady();
    EXPECT_LT(p.largest_error(formula("x < 0.5 ? 2*x : 1")), 1e-8);
    b[0] = condition("inside", "flux", 1.0);
    EXPECT_THROW((Problem<double>(mesh, {material(1.0), material(5.0)}, b)), Error);
}

TEST(HeatBoundariesTest, FixedTemperaturesAverageWhereTheyMeetAndBeatFluxes) {
    const SimplexMesh mesh = box(2, 200);
    Problem<double> p(mesh, {material(1.0)},
                      {condition("xmin", "temperature", 1.0), condition("ymin", "temperature", 3.0),
                       condition("xmax", "flux", 50.0), condition("ymax", "insulated")});
    p.solver.solve_steady();
    const auto t = p.solver.temperature();
    int corners = 0;
    for (Index i = 0; i < p.mesh.range(Kind::node).owned; ++i) {
        const Vec3& x = p.mesh.mesh.points[i];
        if (x.y != 0) continue;
        EXPECT_DOUBLE_EQ(t[i], x.x == 0 ? 2 : 3);
        corners += x.x == 0 || x.x == 1;
    }
    EXPECT_EQ(p.comm.sum(std::int64_t(corners)), 2);
}

// They are equal at the start.
TEST(HeatBoundariesTest, SayOnceWhereFixedTemperaturesThatMeetBecomeDifferent) {
    const auto remarks = [](const std::string& value) {
        testing::internal::CaptureStderr();
        Problem<double> p(box(2, 200), {material(1.0)},
                          {condition("xmin", "temperature", 1.0),
                           condition("ymin", "temperature", formula(value)),
                           condition("xmax", "insulated"), condition("ymax", "insulated")},
                          1.0);
        for (int n = 0; n < 3; ++n) p.solver.step(0.1, false);
        const std::string said = testing::internal::GetCapturedStderr();
        double count = 0;
        for (std::size_t at = said.find("fixed temperatures meet"); at != said.npos;
             at = said.find("fixed temperatures meet", at + 1))
            ++count;
        return p.comm.max(count);
    };
    EXPECT_EQ(remarks("1 + sin(t)"), 1);
    EXPECT_EQ(remarks("1 + sin(t)*x"), 0);  // x = 0 where they meet
    EXPECT_EQ(remarks("2"), 1);
    EXPECT_EQ(remarks("1"), 0);
}

TEST(HeatSingular, KeepsTheMeanOfTheInitialTemperature) {
    const SimplexMesh mesh = box(2, 500);
    std::vector<HeatBoundary> boundaries{
        condition("xmin", "flux", -2.0), condition("xmax", "flux", 2.0),
        condition("ymin", "insulated"), condition("ymax", "insulated")};
    Problem<double> p(mesh, {material(4.0)}, boundaries, 7.0);
    p.solver.solve_steady();
    EXPECT_LT(p.largest_error(formula("7+0.5*(x-0.5)")), 1e-7);
    boundaries[1] = condition("xmax", "flux", 2.5);
    Problem<double> unbalanced(mesh, {material(4.0)}, boundaries, 7.0);
    EXPECT_THROW(unbalanced.solver.solve_steady(), Error);
}

// Every device, both precisions, against the CPU in double.
TEST(HeatDevices, GiveTheSameTemperatures) {
    const SimplexMesh mesh = box(3, 3000);
    const Manufactured exact(3, false);
    const auto run = [&](auto real, const std::string& device) {
        Problem<decltype(real)> p(mesh, exact.regions(), exact.boundaries(3), formula(exact.t),
                                  device);
        p.solver.step(0.1, false);
        p.solver.step(0.1, true);
        return p.solver.temperature();
    };
    const auto reference = run(double(), "cpu");
    for (const std::string& device : test::device_names()) {
        const auto doubles = run(double(), device), floats = run(float(), device);
        for (std::size_t i = 0; i < reference.size(); ++i) {
            ASSERT_NEAR(doubles[i], reference[i], 1e-8) << device;
            ASSERT_NEAR(floats[i], reference[i], 1e-4) << device;
        }
    }
}

}  // namespace
}  // namespace solenoid::heat_test
