// Coefficients that jump where faces lie: velocities, stresses and scalars of layers, to second
// order at any ratio.
#include <gtest/gtest.h>

#include <cmath>

#include "io/mesh/mesh_file.hpp"
#include "support/gmsh.hpp"
#include "support/layers.hpp"

namespace solenoid::jumps_order_test {
namespace {

using test::Layers;
using test::observed_order;
using test::tell;

struct Study {
    std::vector<double> cells, velocity, surface, weak, stress;  // relative errors
};

// In two dimensions each mesh is the one before with every triangle cut into four. So slow that
// nothing is carried, in steps of the slower layer's own time.
Study layers(int dimension, double ratio, double angle, const std::vector<std::size_t>& counts,
             const std::string& method = "exact") {
    Study study;
    const Layers exact{ratio, 1e-6 * std::min(1.0, ratio), angle};
    for (std::size_t level = 0; level < counts.size(); ++level) {
        const SimplexMesh mesh =
            dimension == 2 ? test::layered_box(2, counts[0], angle, static_cast<int>(level))
                           : test::layered_box(3, counts[level], angle);
        FlowSettings settings = test::by_method(method);
        settings.body_force = exact.body_force();
        test::Flow<> flow(
            mesh, exact.viscosity(),
            {test::boundary("ymin", "wall"), test::boundary("far", "wall")}, exact.velocity(),
            test::tight(), "cpu", settings, Communicator::world(), Formula(0.0), nullptr,
            1e-3 * std::min(1.0, ratio));  // the pressure may move the slower layer by so much
        flow.run(30, 0.1 / std::min(1.0, ratio));
        study.cells.push_back(mesh.cell_count());
        study.velocity.push_back(flow.error(exact.velocity()));
        const auto u = flow.solver.node_velocity();
        const std::size_t n = flow.mesh.range(Kind::node).all;
        double worst = 0;
        for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i) {
            const Vec3& x = flow.mesh.mesh.points[i];
            if (std::abs(-std::sin(angle) * x.x + std::cos(angle) * x.y - 0.5) > 1e-9) continue;
            worst = std::max(worst, std::abs(std::cos(angle) * u[i] + std::sin(angle) * u[n + i] -
                                             exact.at_surface()));
        }
        study.surface.push_back(worst / exact.at_surface());
        const BoundaryForce floor = flow.force_on("ymin");
        const Vec3 along(std::cos(angle), std::sin(angle), 0);
        study.weak.push_back(std::abs(glm::dot(floor.weak, along) / exact.stress() - 1));
        study.stress.push_back(std::abs(glm::dot(floor.friction, along) / exact.stress() - 1));
        tell(
            "  %dD, ratio %g, %.2f rad, %s, %6.0f cells: velocity %.2e, at the surface %.2e, "
            "stress %.2e, weak %.2e\n",
            dimension, ratio, angle, method.c_str(), study.cells.back(), study.velocity.back(),
            study.surface.back(), study.stress.back(), study.weak.back());
    }
    return study;
}

double order(const Study& study, const std::vector<double>& errors, int dimension) {
    return observed_order(errors.front(), errors.back(), study.cells.front(), study.cells.back(),
                          dimension);
}

TEST(JumpsOrder, OfLayers) {
    for (const double ratio : {0.1, 0.01, 100.0})
        for (const char* method : {"exact", "classical"}) {
            if (std::string(method) == "classical" && ratio != 0.01) continue;
            const Study study = layers(2, ratio, 0, {300, 1200}, method);
            EXPECT_GE(order(study, study.velocity, 2), 1.9) << ratio;
            EXPECT_GE(order(study, study.surface, 2), 1.75) << ratio;
            EXPECT_LT(study.surface[0], 0.012) << ratio;
            EXPECT_GE(order(study, study.stress, 2), 1.8) << ratio;
            EXPECT_LT(study.stress[0], 0.01) << ratio;
            EXPECT_LT(study.weak[0], 1e-5) << ratio;
        }
}

// In steps of the thin layer's time the pressure's noise moves the other one, which is 5 000 times
// slower: its own velocity is not asked for.
TEST(JumpsOrder, OfLayersTenThousandTimesAsViscous) {
    const Study study = layers(2, 1e-4, 0, {300, 1200});
    EXPECT_GE(order(study, study.velocity, 2), 1.8);
    EXPECT_LT(study.weak[0], 1e-3);
}

TEST(JumpsOrder, OfObliqueLayers) {
    const Study study = layers(2, 0.01, 0.6, {300, 1200});
    EXPECT_GE(order(study, study.velocity, 2), 1.9);
    EXPECT_GE(order(study, study.surface, 2), 1.8);
}

TEST(JumpsOrder, OfLayersAmongTets) {
    const Study study = layers(3, 0.01, 0, {1500, 12000});
    EXPECT_GE(order(study, study.velocity, 3), 1.8);
    EXPECT_GE(order(study, study.surface, 3), 1.7);
}

// Two fluids between cylinders of radius 1, which turns, and 2, with the surface between them
// at 1.5: u = a r + b / r, nu b the same in both. The stress along the surface is nu (du/dr - u/r):
// its kink is not that of nu du/dn.
TEST(JumpsOrder, BetweenTurningCylinders) {
    if (!test::has_gmsh()) GTEST_SKIP() << "no gmsh";
    for (const double ratio : {0.01, 10.0}) {
        // a1 + b1 = 1, 2 a2 + b2 / 2 = 0, b1 = ratio b2, 1.5 a1 + b1 / 1.5 = 1.5 a2 + b2 / 1.5
        const double b2 = 1.5 / (1.5 * ratio - ratio / 1.5 - 1.5 / 4 + 1 / 1.5), b1 = ratio * b2,
                     a1 = 1 - b1, a2 = -b2 / 4;
        const std::string radius = "sqrt(x^2 + y^2)", is_outer = "(x^2 + y^2 >= 2.25)";
        const std::string angular =
            fmt::format("1e-6*({} ? {:.17g} + {:.17g}/(x^2 + y^2) : {:.17g} + {:.17g}/(x^2 + y^2))",
                        is_outer, a2, b2, a1, b1);
        const VectorFormula exact = test::vector_formula({"-y*" + angular, "x*" + angular});
        std::vector<double> cells, errors, moments, weak;
        for (const double size : {0.2, 0.1}) {
            const SimplexMesh mesh = read_mesh(test::gmsh_mesh("layered_annulus", 2, size));
            test::Flow<> flow(
                mesh, Formula(fmt::format("{} ? {:.17g} : 1", is_outer, ratio), "test"),
                {test::boundary("inner", "wall", test::vector_formula({"-1e-6*y", "1e-6*x"})),
                 test::boundary("outer", "wall")},
                exact);
            flow.run(30, 0.1 / std::min(1.0, ratio));
            cells.push_back(mesh.cell_count());
            errors.push_back(flow.error(exact));
            const double torque = 4 * M_PI * b2 * ratio * 1e-6;
            moments.push_back(
                std::abs(std::abs(flow.force_on("outer").moment.z) / std::abs(torque) - 1));
            weak.push_back(
                std::abs(std::abs(flow.force_on("outer").weak_moment.z) / std::abs(torque) - 1));
            tell("  cylinders, ratio %g, %6.0f triangles: velocity %.2e, torque %.2e, weak %.2e\n",
                 ratio, cells.back(), errors.back(), moments.back(), weak.back());
        }
        EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2),
                  1.8)
            << ratio;
        EXPECT_LT(weak.back(), 0.01) << ratio;
    }
}

// A scalar between walls of 0 and 1, with a source: layers that conduct 1 and `ratio`.
TEST(JumpsOrder, OfAScalar) {
    for (const double ratio : {0.01, 1e-4}) {
        std::vector<double> cells, errors, flows;
        const Layers exact{ratio};
        for (const int finer : {0, 1}) {
            const SimplexMesh mesh = test::layered_box(2, 300, 0, finer);
            FlowCase flow;
            flow.fluid.viscosity = 1;
            flow.initial_velocity = test::vector_formula({"0", "0"});
            flow.boundaries = {test::boundary("ymin", "wall", test::vector_formula({"0", "0"}),
                                              {{"T", {true, Formula(0.0)}}}),
                               test::boundary("far", "wall", test::vector_formula({"0", "0"}),
                                              {{"T", {true, Formula(0.0)}}})};
            flow.solvers = test::tight();
            flow.solvers.scalar.tolerance = 1e-11;
            flow.scalars.push_back({.name = "T",
                                    .diffusivity = exact.viscosity(),
                                    .initial = exact.velocity()[0],
                                    .source = Formula(1.0),
                                    .convection = "central",
                                    .place = "test"});
            const auto device = test::make_device("cpu");
            const Communicator comm = Communicator::world();
            const DistributedMesh distributed = distribute(comm, std::optional(mesh));
            const Domain domain(comm, *device, distributed);
            const auto solver = make_flow_solver<double>(domain, flow);
            for (int n = 0; n < 30; ++n) solver->step(0.1 / ratio);
            const auto T = solver->cell_scalar(0);
            double square = 0, size = 0;
            for (Index c = 0; c < distributed.range(Kind::cell).owned; ++c) {
                const double right = exact.velocity()[0](domain.geometry.cell_centroid[c]);
                square += domain.geometry.cell_volume[c] * std::pow(T[c] - right, 2);
                size += domain.geometry.cell_volume[c] * right * right;
            }
            cells.push_back(mesh.cell_count());
            errors.push_back(std::sqrt(square / size));
            const auto& names = distributed.mesh.boundaries;
            flows.push_back(
                std::abs(-solver->scalar_diffused_in(
                             0)[std::find(names.begin(), names.end(), "ymin") - names.begin()] /
                             exact.stress() -
                         1));
            tell("  scalar, ratio %g, %6.0f triangles: %.2e, flow through the wall %.2e\n", ratio,
                 cells.back(), errors.back(), flows.back());
        }
        EXPECT_GE(observed_order(errors.front(), errors.back(), cells.front(), cells.back(), 2),
                  1.9)
            << ratio;
        EXPECT_LT(flows[0], 0.01) << ratio;
    }
}

}  // namespace
}  // namespace solenoid::jumps_order_test
