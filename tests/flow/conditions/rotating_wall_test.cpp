// Walls that turn about an axis: their velocity, and the torque on Taylor and Couette's cylinders.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <toml++/toml.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "io/mesh/mesh_file.hpp"
#include "support/flows.hpp"
#include "support/gmsh.hpp"

namespace solenoid::rotating_wall_test {
namespace {

FlowBoundary turning(const std::string& name, const std::string& keys) {
    const toml::table table = toml::parse(keys);
    const FlowConditionKind& kind = kind_of(flow_condition_kinds(), "rotating_wall");
    return {name, "test",
            kind.read(TableReader(table, fmt::format("[boundary.{}]", name), "test"), {})};
}

TEST(RotatingWall, TurnsAboutItsAxis) {
    const FlowBoundary wall =
        turning("rotor", "omega = \"2*t\"\naxis = [1, -2, 2]\ncentre = [0.5, -1, 3]");
    const Vec3 x(0.3, 2, -1), axis = Vec3(1, -2, 2) / 3.0, centre(0.5, -1, 3);
    const Vec3 expected = 2 * 0.7 * glm::cross(axis, x - centre);
    for (int k = 0; k < 3; ++k)
        EXPECT_NEAR(wall.condition->velocity()[k](x, 0.7), expected[k], 1e-14);
    EXPECT_TRUE(wall.condition->velocity()[0].depends_on_time());
    EXPECT_FALSE(wall.condition->lets_through());
    EXPECT_TRUE(wall.condition->holds());
}

TEST(RotatingWall, StaysInThePlane) {
    const FlowBoundary wall = turning("rotor", "omega = 3");
    EXPECT_EQ(wall.condition->velocity()[0](Vec3(1, 2, 0)), -6);
    EXPECT_EQ(wall.condition->velocity()[1](Vec3(1, 2, 0)), 3);
    EXPECT_TRUE(wall.condition->velocity()[2].is_constant());
}

TEST(RotatingWall, TakesAnAxisOfAnyLength) {
    for (const char* axis : {"[0, 0, 1e-300]", "[0, 0, 5e-324]", "[0, 0, 1e30]"}) {
        const FlowBoundary wall = turning("rotor", std::string("omega = 3\naxis = ") + axis);
        EXPECT_EQ(wall.condition->velocity()[0](Vec3(1, 2, 0)), -6) << axis;
        EXPECT_EQ(wall.condition->velocity()[1](Vec3(1, 2, 0)), 3) << axis;
    }
}

TEST(RotatingWall, RefusesAnAxisWithoutDirection) {
    EXPECT_THROW(turning("rotor", "omega = 1\naxis = [0, 0, 0]"), InputError);
    EXPECT_THROW(turning("rotor", "centre = [0, 0, 0]"), InputError);
}

// u_theta = 2 r - 1 / r between cylinders of 1/2 and 1 m: a torque of 4 pi nu on each, against one
// another.
TEST(RotatingWall, GivesTaylorAndCouettesTorque) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const double nu = 0.2, torque = 4 * M_PI * nu;
    const SimplexMesh mesh = read_mesh(test::gmsh_mesh("annulus", 2, 0.05));
    test::Flow<> flow(mesh, nu, {turning("inner", "omega = -2"), turning("outer", "omega = 1")},
                      {});
    flow.run(60, 0.05);
    const auto forces = flow.solver.boundary_forces();
    for (std::size_t b = 0; b < forces.size(); ++b) {
        const double sign = flow.mesh.mesh.boundaries[b] == "inner" ? 1 : -1;
        test::tell("  torque on %s: surface %.4f, weak form %.4f of 1\n",
                   flow.mesh.mesh.boundaries[b].c_str(), sign * forces[b].moment.z / torque,
                   sign * forces[b].weak_moment.z / torque);
        EXPECT_NEAR(sign * forces[b].moment.z / torque, 1, 1e-2);
        EXPECT_NEAR(sign * forces[b].weak_moment.z / torque, 1, 1e-2);
    }
}

}  // namespace
}  // namespace solenoid::rotating_wall_test
