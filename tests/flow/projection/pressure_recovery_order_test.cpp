// The pressure at nodes: orders in the volume and on walls against exact solutions.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/mesh/mesh_file.hpp"
#include "support/exact_flows.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::pressure_recovery_order_test {
namespace {

using test::Flow;
using test::tell;
using test::vector_formula;

// Of p by the nodes' shares of the volume, relative to the exact one's; on the domain's boundary
// the largest, relative to the largest p.
struct Errors {
    double volume, boundary;
};

Errors errors_of(Flow<>& flow, const Formula& exact, bool is_floating) {
    const Mesh& m = flow.mesh.mesh;
    const auto p = flow.solver.node_pressure();
    const Index owned = flow.mesh.range(Kind::node).owned;
    std::vector<double> share(m.nodes(), 0.0);
    for (Index c = 0; c < m.cells(); ++c)
        for (int j = 0; j <= m.dimension; ++j)
            share[m.cell_nodes(c, j)] += volume(m, c) / (m.dimension + 1);
    const auto value = [&](Index i) { return exact(m.points[i], flow.solver.time()); };
    const auto sum = [&](const auto& of) {
        double all = 0;
        for (Index i = 0; i < owned; ++i) all += share[i] * of(i);
        return flow.comm.sum(all);
    };
    const double whole = sum([](Index) { return 1.0; });
    const double mean = is_floating ? sum(value) / whole : 0,
                 shift = is_floating ? sum([&](Index i) { return p[i] - value(i); }) / whole : 0;
    const auto error = [&](Index i) { return p[i] - value(i) - shift; };
    double worst = 0, largest = 0;
    for (Index i = 0; i < owned; ++i) largest = std::max(largest, std::abs(value(i) - mean));
    for (const Side& side : m.sides)
        for (int j = 0; j < m.dimension; ++j)
            if (const Index i = m.nodes_of(Kind::face, side.face)[j]; i < owned)
                worst = std::max(worst, std::abs(error(i)));
    return {std::sqrt(sum([&](Index i) { return error(i) * error(i); }) /
                      sum([&](Index i) { return std::pow(value(i) - mean, 2); })),
            flow.comm.max(worst) / flow.comm.max(largest)};
}

struct Study {
    int dimension;
    std::vector<double> cells;
    std::vector<Errors> errors;
    void add(const std::string& name, Flow<>& flow, const Formula& exact, bool is_floating = true) {
        cells.push_back(flow.comm.sum(double(flow.mesh.range(Kind::cell).owned)));
        errors.push_back(errors_of(flow, exact, is_floating));
        tell("  %s, %6.0f cells: pressure %.2e, at most %.2e on the boundary\n", name.c_str(),
             cells.back(), errors.back().volume, errors.back().boundary);
    }
    double order(double Errors::*of) const {
        return test::observed_order(errors.front().*of, errors.back().*of, cells.front(),
                                    cells.back(), dimension);
    }
    // Least orders from the first mesh to the last, and the last one's errors at most.
    void expect(double volume, double boundary, const Errors& most) const {
        tell("  orders %.2f, %.2f\n", order(&Errors::volume), order(&Errors::boundary));
        EXPECT_GE(order(&Errors::volume), volume);
        EXPECT_GE(order(&Errors::boundary), boundary);
        EXPECT_LT(errors.back().volume, most.volume);
        EXPECT_LT(errors.back().boundary, most.boundary);
    }
};

class PressureOrder : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    }
};

TEST_P(PressureOrder, OfPoiseuille) {
    const auto exact = vector_formula({"4*y*(1-y)", "0"});
    Study study{2, {}, {}};
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = read_mesh(test::gmsh_mesh("square", 2, size));
        Flow<> flow(mesh, 0.1, test::open_at_the_end(mesh, exact), exact, test::tight(), "cpu",
                    test::by_method(GetParam()));
        flow.run(static_cast<int>(8 / size), 0.25 * size);
        study.add("Poiseuille", flow, Formula("0.8*(1-x)", "test"), false);
    }
    study.expect(1.6, 1.1, {4.8e-4, 2.3e-3});  // the noise of G; its orders are those of the scheme
}

TEST_P(PressureOrder, OfKovasznay) {
    const double l = 20 - std::sqrt(400 + 4 * M_PI * M_PI);
    const auto exact = vector_formula({fmt::format("1-exp({0}*x)*cos(2*pi*y)", l),
                                       fmt::format("{0}/(2*pi)*exp({0}*x)*sin(2*pi*y)", l)});
    Study study{2, {}, {}};
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("square", 2, size)),
                                             [](const Vec3& x) { return x - Vec3(0.5, 0.5, 0); });
        Flow<> flow(mesh, 0.025, test::on_every_side(mesh, "inflow", exact), exact, test::tight(),
                    "cpu", test::by_method(GetParam()));
        flow.run(static_cast<int>(10 / size), 0.1 * size);
        study.add("Kovasznay", flow, Formula(fmt::format("-exp(2*{}*x)/2", l), "test"));
    }
    // on its inflow convection in cells at the boundary is of first order
    study.expect(1.9, 1.1, {2.7e-3, 1.15e-2});
}

TEST_P(PressureOrder, OfEthierSteinman) {
    const std::string decay = "*exp(-0.05*(pi/2)^2*t)", a = "(pi/4)", d = "(pi/2)";
    const auto velocity = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "-" + a + "*(exp(" + a + "*" + x + ")*sin(" + a + "*" + y + "+" + d + "*" + z +
               ")+exp(" + a + "*" + z + ")*cos(" + a + "*" + x + "+" + d + "*" + y + "))" + decay;
    };
    const auto part = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "exp(2*" + a + "*" + x + ")+2*sin(" + a + "*" + x + "+" + d + "*" + y + ")*cos(" +
               a + "*" + z + "+" + d + "*" + x + ")*exp(" + a + "*(" + y + "+" + z + "))";
    };
    const auto exact =
        vector_formula({velocity("x", "y", "z"), velocity("y", "z", "x"), velocity("z", "x", "y")});
    const Formula pressure("-" + a + "^2/2*(" + part("x", "y", "z") + "+" + part("y", "z", "x") +
                               "+" + part("z", "x", "y") + ")*exp(-2*0.05*(pi/2)^2*t)",
                           "test");
    Study study{3, {}, {}};
    int steps = 8;
    for (const double size : {0.25, 0.11, 0.07}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("cube", 3, size)),
                                             [](const Vec3& x) { return 2.0 * x - Vec3(1); });
        Flow<> flow(mesh, 0.05, test::on_every_side(mesh, "inflow", exact), exact, test::tight(),
                    "cpu", test::by_method(GetParam()));
        flow.run(steps, 0.1 / steps);
        study.add("Ethier-Steinman", flow, pressure);
        steps = steps * 3 / 2;
    }
    study.expect(1.85, 1.5, {9e-3, 2.45e-2});
}

INSTANTIATE_TEST_SUITE_P(Methods, PressureOrder, testing::Values("exact", "classical"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace solenoid::pressure_recovery_order_test
