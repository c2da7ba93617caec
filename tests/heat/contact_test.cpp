// Heat through contact resistances: layers, which are exact, rings, bodies that cool each other;
// what is refused.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "heat/heat_solver.hpp"
#include "mesh/slit/slit.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/grids.hpp"
#include "support/heat_boundaries.hpp"

namespace solenoid::contact_test {
namespace {

using test::heat_boundary;
using Place = std::function<bool(const Vec3&)>;

Formula formula(const std::string& text) { return Formula(text, "test"); }

MaterialSettings material(double conductivity, double capacity = 1) {
    MaterialSettings m;
    m.conductivity = conductivity;
    m.heat_capacity = capacity;
    return m;
}

// The faces all of whose nodes are there, in a group.
SimplexMesh named(SimplexMesh mesh, const char* name, const Place& is_there) {
    return test::with_group(std::move(mesh), name, [&](const Mesh& m, Index f) {
        const Index* nodes = m.nodes_of(Kind::face, f);
        return std::all_of(nodes, nodes + m.dimension,
                           [&](Index n) { return is_there(m.points[n]); });
    });
}
Place plane(double x) {
    return [x](const Vec3& p) { return std::abs(p.x - x) < 1e-9; };
}

// n squares or cubes a direction; regions end, and groups "c1", "c2" lie, at x = ends. The other
// coordinates are bent, and x between the ends.
SimplexMesh layers(int dimension, Index n, const std::vector<double>& ends) {
    SimplexMesh mesh = test::grid(dimension, n);
    mesh.regions.clear();
    for (std::size_t r = 0; r <= ends.size(); ++r)
        mesh.regions.push_back("layer" + std::to_string(r + 1));
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        double x = 0;
        for (int j = 0; j <= dimension; ++j) x += mesh.corner(c, j).x / (dimension + 1);
        mesh.cell_region[c] = static_cast<std::uint16_t>(
            std::count_if(ends.begin(), ends.end(), [&](double end) { return end < x; }));
    }
    mesh = named(named(std::move(mesh), "left", plane(0)), "right", plane(n));
    for (std::size_t k = 0; k < ends.size(); ++k)
        mesh = named(std::move(mesh), k == 0 ? "c1" : "c2", plane(ends[k]));
    for (Vec3& p : mesh.points) {
        const bool is_end = p.x == 0 || p.x == n || std::ranges::count(ends, p.x) > 0;
        const double x = p.x, y = p.y;
        if (!is_end) p.x += 0.2 * std::sin(2 * y + x);
        p.y += 0.15 * std::sin(1.7 * x + y) * (y > 0 && y < n);
        if (dimension == 3 && p.z > 0 && p.z < n) p.z += 0.15 * std::cos(1.3 * x + y);
    }
    return mesh;
}

struct Problem {
    Problem(SimplexMesh whole, const std::vector<MaterialSettings>& regions,
            const std::vector<HeatBoundary>& boundaries, const Formula& initial = 0.0,
            bool is_slit = true, const std::string& preconditioner = "automatic",
            double tolerance = 1e-13)
        : comm(Communicator::world()),
          device(test::make_device("cpu")),
          coupled(is_slit ? slit(whole, contacts(whole, boundaries)).copies : CoupledNodes{}),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt,
                          CellOrdering::hilbert, coupled)),
          domain(comm, *device, mesh),
          solver(domain, regions, boundaries, initial, settings(preconditioner, tolerance),
                 coupled) {}

    static std::vector<std::uint16_t> contacts(const SimplexMesh& whole,
                                               const std::vector<HeatBoundary>& boundaries) {
        std::vector<std::uint16_t> groups;
        for (const HeatBoundary& b : boundaries)
            if (b.condition->resistance())
                groups.push_back(static_cast<std::uint16_t>(
                    std::ranges::find(whole.boundaries, b.name) - whole.boundaries.begin()));
        return groups;
    }
    static SolverSettings settings(const std::string& preconditioner, double tolerance) {
        SolverSettings s;
        s.tolerance = tolerance;
        s.preconditioner = preconditioner;
        return s;
    }
    double flow(const std::string& name) const {
        for (std::size_t p = 0; p < solver.boundaries().parts().size(); ++p)
            if (solver.boundaries().parts()[p].boundary.name == name)
                return solver.balance().boundary[p];
        throw std::logic_error(name);
    }
    // The largest difference from exact(region, position), at the corners of this rank's cells.
    template <class Exact>
    double largest_error(const Exact& exact) {
        const auto t = solver.temperature();
        double worst = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int j = 0; j <= mesh.mesh.dimension; ++j)
                worst =
                    std::max(worst, std::abs(t[mesh.mesh.cell_nodes(c, j)] -
                                             exact(mesh.mesh.cell_region[c],
                                                   mesh.mesh.points[mesh.mesh.cell_nodes(c, j)])));
        return comm.max(worst);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    CoupledNodes coupled;
    DistributedMesh mesh;
    Domain domain;
    HeatSolver<double> solver;
};

// Resistances in series: 2/3, 1, 2/5 of the layers [m^2 K/W], 0.7 and 0.05 of the contacts. The
// last layer is held through them alone.
TEST(Contact, LayersInSeriesAreExact) {
    for (const int dimension : {2, 3})
        for (const std::string held : {"temperature", "flux"})
            for (const std::string preconditioner : {"automatic", "jacobi"}) {
                SCOPED_TRACE(std::to_string(dimension) + "D, " + held + ", " + preconditioner);
                const double area = dimension == 3 ? 36 : 6,
                             q = 10 / (2. / 3 + 0.7 + 1 + 0.05 + 2. / 5);
                std::vector<HeatBoundary> boundaries{heat_boundary("left", "temperature", 10.0),
                                                     heat_boundary("c1", "contact", 0.7),
                                                     heat_boundary("c2", "contact", 0.05)};
                boundaries.push_back(held == "flux" ? heat_boundary("right", "flux", -q)
                                                    : heat_boundary("right", "temperature", 0.0));
                Problem p(layers(dimension, 6, {2, 4}), {material(3), material(2), material(5)},
                          boundaries, 3.0, true, preconditioner);
                p.solver.solve_steady();
                const double error = p.largest_error([&](int region, const Vec3& x) {
                    if (region == 0) return 10 - q * x.x / 3;
                    if (region == 1) return 10 - q * (2. / 3 + 0.7 + (x.x - 2) / 2);
                    return 10 - q * (2. / 3 + 0.7 + 1 + 0.05 + (x.x - 4) / 5);
                });
                EXPECT_LT(error, 5e-12);  // of 10 K, the solver at 1e-13
                for (const char* name : {"left", "c1", "c2"})
                    EXPECT_NEAR(p.flow(name), q * area, 1e-9 * area) << name;
                EXPECT_NEAR(p.flow("right"), -q * area, 1e-9 * area);
                EXPECT_NEAR(p.solver.balance().imbalance(), 0, 1e-9 * area);
            }
}

// In a quarter of two rings, r = 1 to 2 to 3 m, the heat is a logarithm's; what enters leaves, also
// through the chords of a circle.
TEST(Contact, RingsConvergeToSecondOrder) {
    std::vector<double> errors;
    for (const Index n : {8u, 16u, 32u}) {
        SimplexMesh mesh = layers(2, n, {n / 2.});
        for (Vec3& x : mesh.points)
            x = (1 + 2 * x.x / n) *
                Vec3(std::cos(M_PI / 2 * x.y / n), std::sin(M_PI / 2 * x.y / n), 0);
        Problem p(mesh, {material(2), material(0.5)},
                  {heat_boundary("left", "temperature", 1.0), heat_boundary("c1", "contact", 0.3),
                   heat_boundary("right", "temperature", 0.0)});
        p.solver.solve_steady();
        EXPECT_NEAR(p.flow("c1"), p.flow("left"), 1e-11);
        EXPECT_NEAR(p.flow("right"), -p.flow("left"), 1e-11);
        errors.push_back(
            std::abs(p.flow("c1") - M_PI / 2 / (std::log(2.) / 2 + 0.3 / 2 + std::log(1.5) / 0.5)));
    }
    for (std::size_t k = 1; k < errors.size(); ++k)
        EXPECT_GT(std::log2(errors[k - 1] / errors[k]), 1.9) << errors[k];
}

// Two bodies that conduct well and have nothing but each other: their difference falls as exp(-t A
// (1/C1 + 1/C2) / R), the heat stays.
TEST(Contact, BodiesCoolEachOther) {
    Problem p(layers(2, 4, {2}), {material(1e5, 3), material(1e5, 0.5)},
              {heat_boundary("c1", "contact", 2.0)}, formula("x < 1.9 ? 5 : x > 2.1 ? 1 : 3"), true,
              "automatic", 1e-11);
    const auto heat = [&] {
        const auto t = p.solver.temperature();
        double sum = 0;
        for (Index c = 0; c < p.mesh.range(Kind::cell).owned; ++c)
            for (int j = 0; j < 3; ++j)
                sum += p.domain.geometry.cell_volume[c] / 3 *
                       (p.mesh.mesh.cell_region[c] == 0 ? 3 : 0.5) *
                       t[p.mesh.mesh.cell_nodes(c, j)];
        return p.comm.sum(sum);
    };
    const auto difference = [&] {
        const auto [low, high] = p.solver.extrema();
        return high - low;
    };
    for (int k = 0; k < 8; ++k) p.solver.step(1e-3, false);  // each body is of one temperature then
    EXPECT_EQ(p.mesh.components, 2u);
    const double before = heat(), first = difference();
    for (int k = 0; k < 50; ++k) p.solver.step(0.02, false);
    EXPECT_NEAR(heat(), before, 1e-10 * before);
    EXPECT_NEAR(difference() / first, std::exp(-4 * (1 / (8 * 3.) + 1 / (8 * 0.5)) / 2), 2e-5);
    EXPECT_NEAR(p.solver.balance().imbalance(), 0, 1e-9);
}

std::string refusal_of(const std::function<void()>& run) {
    try {
        run();
    } catch (const Error& e) {
        EXPECT_EQ(e.exit_code(), 2);
        return e.what();
    }
    return "accepted";
}

TEST(Contact, NeedsTwoSides) {
    const std::vector<MaterialSettings> materials(2, material(1));
    const auto expect_words = [](const std::string& text, const std::vector<std::string>& words) {
        for (const std::string& word : words)
            EXPECT_NE(text.find(word), text.npos) << word << "\n" << text;
    };
    const std::vector<HeatBoundary> outside{heat_boundary("left", "temperature", 1.0),
                                            heat_boundary("right", "contact", 1.0)};
    expect_words(refusal_of([&] { Problem(layers(2, 4, {2}), materials, outside); }),
                 {"[boundary.right]", "cells on one side only", "\"convection\" with h = 1/R"});
    const std::vector<HeatBoundary> between{heat_boundary("left", "temperature", 1.0),
                                            heat_boundary("c1", "contact", 1.0)};
    expect_words(refusal_of([&] { Problem(layers(2, 4, {2}), materials, between, 0.0, false); }),
                 {"'c1'", "faces inside the domain"});
    const std::vector<HeatBoundary> negative{heat_boundary("left", "temperature", 1.0),
                                             heat_boundary("c1", "contact", formula("y - 1"))};
    expect_words(refusal_of([&] { Problem(layers(2, 4, {2}), materials, negative); }),
                 {"it must be positive"});
}

}  // namespace
}  // namespace solenoid::contact_test
