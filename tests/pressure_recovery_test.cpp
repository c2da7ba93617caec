// The pressure at nodes: orders in the volume and on walls against exact solutions, what is exact, ranks and devices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>

#include "flow/gradient_fit.hpp"
#include "flow/pressure_recovery.hpp"
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

std::vector<FlowBoundary> given(const SimplexMesh& mesh, const VectorFormula& velocity, const std::string& outflow = "") {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries) {
        const bool is_open = name == outflow;
        all.push_back(test::boundary(name, is_open ? "outflow" : "inflow", is_open ? VectorFormula{} : velocity));
    }
    return all;
}

FlowSettings by(const std::string& method) {
    FlowSettings settings;
    settings.method = method;
    return settings;
}

// Of p by the nodes' shares of the volume, relative to the exact one's; on the domain's boundary the largest, relative to the largest p.
struct Errors {
    double volume, boundary;
};

Errors errors_of(Flow<>& flow, const Formula& exact, bool is_floating) {
    const Mesh& m = flow.mesh.mesh;
    const auto p = flow.solver.node_pressure();
    const Index owned = flow.mesh.range(Kind::node).owned;
    std::vector<double> share(m.nodes(), 0.0);
    for (Index c = 0; c < m.cells(); ++c)
        for (int j = 0; j <= m.dimension; ++j) share[m.cell_nodes(c, j)] += volume(m, c) / (m.dimension + 1);
    const auto value = [&](Index i) { return exact(m.points[i], flow.solver.time()); };
    const auto sum = [&](const auto& of) {
        double all = 0;
        for (Index i = 0; i < owned; ++i) all += share[i] * of(i);
        return flow.comm.sum(all);
    };
    const double whole = sum([](Index) { return 1.0; });
    const double mean = is_floating ? sum(value) / whole : 0, shift = is_floating ? sum([&](Index i) { return p[i] - value(i); }) / whole : 0;
    const auto error = [&](Index i) { return p[i] - value(i) - shift; };
    double worst = 0, largest = 0;
    for (Index i = 0; i < owned; ++i) largest = std::max(largest, std::abs(value(i) - mean));
    for (const Side& side : m.sides)
        for (int j = 0; j < m.dimension; ++j)
            if (const Index i = m.nodes_of(Kind::face, side.face)[j]; i < owned) worst = std::max(worst, std::abs(error(i)));
    return {std::sqrt(sum([&](Index i) { return error(i) * error(i); }) / sum([&](Index i) { return std::pow(value(i) - mean, 2); })), flow.comm.max(worst) / flow.comm.max(largest)};
}

struct Study {
    int dimension;
    std::vector<double> cells;
    std::vector<Errors> errors;
    void add(const std::string& name, Flow<>& flow, const Formula& exact, bool is_floating = true) {
        cells.push_back(flow.comm.sum(double(flow.mesh.range(Kind::cell).owned)));
        errors.push_back(errors_of(flow, exact, is_floating));
        tell("  %s, %6.0f cells: pressure %.2e, at most %.2e on the boundary\n", name.c_str(), cells.back(), errors.back().volume, errors.back().boundary);
    }
    double order(double Errors::*of) const { return test::observed_order(errors.front().*of, errors.back().*of, cells.front(), cells.back(), dimension); }
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
        Flow<> flow(mesh, 0.1, given(mesh, exact, "xmax"), exact, test::tight(), "cpu", by(GetParam()));
        flow.run(static_cast<int>(8 / size), 0.25 * size);
        study.add("Poiseuille", flow, Formula("0.8*(1-x)", "test"), false);
    }
    study.expect(1.6, 1.1, {4.8e-4, 2.1e-3});  // the noise of G; its orders are those of the scheme
}

TEST_P(PressureOrder, OfKovasznay) {
    const double l = 20 - std::sqrt(400 + 4 * M_PI * M_PI);
    const auto exact = vector_formula({fmt::format("1-exp({0}*x)*cos(2*pi*y)", l), fmt::format("{0}/(2*pi)*exp({0}*x)*sin(2*pi*y)", l)});
    Study study{2, {}, {}};
    for (const double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("square", 2, size)), [](const Vec3& x) { return x - Vec3(0.5, 0.5, 0); });
        Flow<> flow(mesh, 0.025, given(mesh, exact), exact, test::tight(), "cpu", by(GetParam()));
        flow.run(static_cast<int>(10 / size), 0.1 * size);
        study.add("Kovasznay", flow, Formula(fmt::format("-exp(2*{}*x)/2", l), "test"));
    }
    study.expect(1.9, 1.1, {2.7e-3, 1.15e-2});  // on its inflow convection in cells at the boundary is of first order
}

TEST_P(PressureOrder, OfEthierSteinman) {
    const std::string decay = "*exp(-0.05*(pi/2)^2*t)", a = "(pi/4)", d = "(pi/2)";
    const auto velocity = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "-" + a + "*(exp(" + a + "*" + x + ")*sin(" + a + "*" + y + "+" + d + "*" + z + ")+exp(" + a + "*" + z + ")*cos(" + a + "*" + x + "+" + d + "*" + y + "))" + decay;
    };
    const auto part = [&](const std::string& x, const std::string& y, const std::string& z) {
        return "exp(2*" + a + "*" + x + ")+2*sin(" + a + "*" + x + "+" + d + "*" + y + ")*cos(" + a + "*" + z + "+" + d + "*" + x + ")*exp(" + a + "*(" + y + "+" + z + "))";
    };
    const auto exact = vector_formula({velocity("x", "y", "z"), velocity("y", "z", "x"), velocity("z", "x", "y")});
    const Formula pressure("-" + a + "^2/2*(" + part("x", "y", "z") + "+" + part("y", "z", "x") + "+" + part("z", "x", "y") + ")*exp(-2*0.05*(pi/2)^2*t)", "test");
    Study study{3, {}, {}};
    int steps = 8;
    for (const double size : {0.25, 0.11, 0.07}) {
        const SimplexMesh mesh = test::moved(read_mesh(test::gmsh_mesh("cube", 3, size)), [](const Vec3& x) { return 2.0 * x - Vec3(1); });
        Flow<> flow(mesh, 0.05, given(mesh, exact), exact, test::tight(), "cpu", by(GetParam()));
        flow.run(steps, 0.1 / steps);
        study.add("Ethier-Steinman", flow, pressure);
        steps = steps * 3 / 2;
    }
    study.expect(1.85, 1.5, {1.05e-2, 2.2e-2});
}

INSTANTIATE_TEST_SUITE_P(Methods, PressureOrder, testing::Values("exact", "classical"), [](const auto& info) { return std::string(info.param); });

// The fit alone, in the cells at a box's sides from all faces but those: exact for parabolas, of second order for others.
double error_of_fit(int dimension, std::size_t cells, const std::function<Vec3(const Vec3&)>& gradient) {
    const auto comm = Communicator::world();
    const DistributedMesh mesh = distribute(comm, comm.is_root() ? std::optional(box_mesh({.dimension = dimension, .cells = cells})) : std::nullopt);
    const Mesh& m = mesh.mesh;
    const Geometry g = geometry(m);
    std::vector<bool> known(m.faces(), true);
    for (const Side& side : m.sides) known[side.face] = false;
    std::vector<Index> outer;
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
        for (int j = 0; j <= dimension; ++j)
            if (!known[entity_of(m.cell_faces(c, j))] && (outer.empty() || outer.back() != c)) outer.push_back(c);
    const GradientFit fit = gradient_fit(mesh, g, outer, known);
    double largest = 0;
    for (std::size_t k = 0; k < outer.size(); ++k) {
        Vec3 q = -gradient(g.cell_centroid[outer[k]]);
        for (Index i = fit.faces.start[k]; i < fit.faces.start[k + 1]; ++i) {
            const Index f = fit.faces.index[i];
            q += fit.vectors[i] * glm::dot(g.face_area[f], gradient(g.face_centroid[f]));
        }
        largest = std::max(largest, glm::length(q));
    }
    return comm.max(largest);
}

TEST(GradientFit, IsExactForParabolasAndOfSecondOrder) {
    for (const int dimension : {2, 3}) {
        const double z = dimension == 3;
        EXPECT_LT(error_of_fit(dimension, 300, [&](const Vec3&) { return Vec3(1, -2, 3 * z); }), 1e-12);
        EXPECT_LT(error_of_fit(dimension, 600, [&](const Vec3& x) { return Vec3(2 * x.x - x.y, 3 * x.y - x.x + x.z, (x.y - x.z) * z); }), 1e-11);
        std::vector<double> errors;
        for (const std::size_t cells : {dimension == 2 ? 500 : 3000, dimension == 2 ? 2000 : 24000})
            errors.push_back(error_of_fit(dimension, cells, [&](const Vec3& x) { return Vec3(std::cos(x.x) * std::sin(x.y), std::sin(x.x) * std::cos(x.y), z * std::sin(x.z)); }));
        tell("  %dD: error of the fit %.2e, %.2e\n", dimension, errors[0], errors[1]);
        EXPECT_GT(std::log2(errors[0] / errors[1]), 1.6) << dimension;
    }
}

// From the face gradients of a linear p, none known on the walls: p but for its mean.
// No face round a cell alone between boundaries tells anything.
TEST(GradientFit, OfACellAloneIsEmpty) {
    const SimplexMesh whole = test::plain_box(2, 2);
    const DistributedMesh mesh = distribute(Communicator::self(), whole);
    const GradientFit fit = gradient_fit(mesh, geometry(mesh.mesh), {0}, std::vector<bool>(mesh.mesh.faces(), false));
    EXPECT_TRUE(fit.faces.index.empty());
    EXPECT_EQ(fit.faces.start.size(), 2u);
}

TEST(Pressure, LinearIsExact) {
    for (const int dimension : {2, 3})
        for (const std::string& name : test::device_names()) {
            const auto comm = Communicator::world();
            const auto device = test::make_device(name);
            const SimplexMesh whole = box_mesh({.dimension = dimension, .cells = 300});
            const DistributedMesh mesh = distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
            const Mesh& m = mesh.mesh;
            const Domain domain(comm, *device, mesh);
            const Geometry& g = domain.geometry;
            std::vector<FlowBoundary> walls;
            for (const std::string& side : whole.boundaries) walls.push_back(test::boundary(side, "wall"));
            const FlowBoundaries boundaries(domain, walls);
            PressureRecovery<double> recovery(domain, OpenPressure(domain, boundaries, 1), boundaries.prescribed(), {.tolerance = 1e-12});
            const Vec3 slope(0.5, -2, dimension == 3);
            std::vector<double> values(m.faces());
            for (Index f = 0; f < m.faces(); ++f) values[f] = boundaries.prescribed()[f] ? 0 : glm::dot(slope, g.face_area[f]);
            auto gradient = domain.field<double>(Kind::face);
            gradient.upload(values);
            const auto p = recovery.solve(gradient, 0).download();
            for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) EXPECT_NEAR(p[i], glm::dot(slope, m.points[i] - Vec3(0.5, 0.5, dimension == 3 ? 0.5 : 0)), 1e-9) << name;
        }
}

TEST(Pressure, DoesNotDependOnCutOrDevice) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh mesh = box_mesh({.dimension = dimension, .cells = dimension == 2 ? 300u : 600u});
        const auto velocity = vector_formula({"4*y*(1-y)*(1+sin(t))", "0", "0"});
        const auto run = [&](const Communicator& comm, const std::string& device) {
            Flow<> flow(mesh, 0.1, given(mesh, velocity, "xmax"), velocity, test::tight(), device, {}, comm);
            flow.run(4, 0.02);
            const auto p = flow.solver.node_pressure();
            std::vector<double> all(mesh.points.size(), 0.0);
            for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i) all[flow.mesh.mesh.node_number[i]] = p[i];
            comm.sum(std::span<double>(all));
            return all;
        };
        const auto expected = run(Communicator::self(), "cpu");
        for (const std::string& device : test::device_names()) {
            const auto p = run(Communicator::world(), device);
            double largest = 0;
            for (std::size_t i = 0; i < p.size(); ++i) largest = std::max(largest, std::abs(p[i] - expected[i]));
            EXPECT_LT(largest, 1e-8) << device << dimension;
        }
    }
}

}  // namespace
}  // namespace solenoid
