// A fluid that is accelerated as a whole, through all of its boundary as given: it stays uniform,
// and presses on a hole that it passes as if there were none with Froude and Krylov's force,
// density times the hole's volume times the acceleration. Coarse meshes, at cell Reynolds numbers
// of hundreds.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "io/mesh/mesh_file.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::accelerated_stream_test {
namespace {

using test::tell;
using test::vector_formula;

const Vec3 along(1, 0.5, -0.3);

struct Stream {
    const char *geometry, *body;
    int dimension;
    double size;
};

class Accelerated : public testing::TestWithParam<std::tuple<Stream, const char*, const char*>> {};

// The volume of a hole, by Gauss's theorem.
double volume_inside(const test::Flow<>& flow, const std::string& body) {
    const Mesh& m = flow.mesh.mesh;
    double sum = 0;
    for (const Side& side : m.sides)
        if (m.boundaries[side.boundary] == body)
            sum += (m.face_cells(side.face, 1) == none ? -1 : 1) *
                   glm::dot(flow.domain.geometry.face_centroid[side.face],
                            flow.domain.geometry.face_area[side.face]) /
                   m.dimension;
    return sum;
}

TEST_P(Accelerated, StaysUniformAndPressesAsFroudeAndKrylovSay) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const auto& [stream, method, time_scheme] = GetParam();
    const SimplexMesh mesh =
        read_mesh(test::gmsh_mesh(stream.geometry, stream.dimension, stream.size));
    // BDF2 and the midpoint rule are exact for this speed
    std::vector<std::string> velocity;
    for (int k = 0; k < stream.dimension; ++k)
        velocity.push_back(std::to_string(along[k]) + "*(t + t^2)");
    const VectorFormula given = vector_formula(velocity);
    FlowSettings settings = test::by_method(method);
    settings.time_scheme = time_scheme;
    test::Flow<> flow(mesh, 1e-3, test::on_every_side(mesh, "inflow", given),
                      vector_formula(std::vector<std::string>(stream.dimension, "0")),
                      test::tight(), "cpu", settings);
    flow.run(19, 0.02);
    flow.solver.boundary_forces();  // the rate of change is of second order from the next step on
    flow.run(1, 0.02);
    const double t = flow.solver.time(), error = flow.error(given);
    const Vec3 exact = volume_inside(flow, stream.body) * (1 + 2 * t) *
                       (stream.dimension == 2 ? Vec3(along.x, along.y, 0) : along);
    const BoundaryForce force = flow.force_on(stream.body);
    const double by_surface =
                     glm::length(force.pressure + force.friction - exact) / glm::length(exact),
                 by_weak_form = glm::length(force.weak - exact) / glm::length(exact);
    tell("  velocity %.2e, surface %.2e, weak form %.2e\n", error, by_surface, by_weak_form);
    // what extrapolations in time leave
    EXPECT_LT(error, 5e-4);
    EXPECT_LT(by_surface, 5e-4);
    EXPECT_LT(by_weak_form, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(
    , Accelerated,
    testing::Combine(testing::Values(Stream{"annulus", "inner", 2, 0.25},
                                     Stream{"sphere_inside", "sphere", 3, 0.4}),
                     testing::Values("exact", "classical"), testing::Values("bdf2", "midpoint")),
    [](const auto& info) {
        return std::string(std::get<0>(info.param).body) + "_" + std::get<1>(info.param) + "_" +
               std::get<2>(info.param);
    });

}  // namespace
}  // namespace solenoid::accelerated_stream_test
