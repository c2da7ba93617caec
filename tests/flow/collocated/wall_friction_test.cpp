// Friction at walls with thin cells, where the pressure changes from step to step: it is that of
// the velocity before the projection, which such a change moves along the walls.
#include <gtest/gtest.h>

#include <cmath>

#include "flow/thin_meshes.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"

namespace solenoid::wall_friction_test {
namespace {

using test::vector_formula;

// u = 1 + exp(k t) (1 - cosh(m (y - 1/2)) / cosh(m/2)), m^2 = k / nu, between walls that move with
// velocity 1, by a pressure that grows likewise.
constexpr double k = 10, nu = 0.1, m = 10, length = 2, step = 0.002;
constexpr int columns = 8, steps = 20;
const char* const profile =
    "1 + exp(10*t)*(1 - (exp(10*y - 5) + exp(5 - 10*y))/(exp(5) + exp(-5)))";
constexpr double aspect = 1000, first = length / columns / aspect;

// Of a length of wall.
double shear() { return nu * m * std::tanh(m / 2) * std::exp(k * steps * step); }
// nu times the integral of (du/dy)^2 across.
double dissipation() {
    const double square = (std::sinh(m) / m - 1) / 2;  // integral of sinh^2(m (y - 1/2))
    return nu * std::pow(m * std::exp(k * steps * step) / std::cosh(m / 2), 2) * square;
}

// The wall at y = 0 in the middle half of the channel, away from its ends, is a boundary of its
// own.
constexpr std::size_t middle = 4;
bool is_in_the_middle(double x) { return std::abs(x - length / 2) < length / 4; }
SimplexMesh channel() {
    SimplexMesh mesh = test::flat_layers(columns, aspect, test::Diagonals::alternating, length);
    mesh.boundaries.push_back("middle");
    for (std::size_t s = 0; s < mesh.side_count(); ++s) {
        const Vec3 x = 0.5 * (mesh.points[mesh.side(s)[0]] + mesh.points[mesh.side(s)[1]]);
        if (x.y == 0 && is_in_the_middle(x.x)) mesh.side_group[s] = middle;
    }
    return mesh;
}

class WallFriction : public testing::TestWithParam<std::string> {
  protected:
    WallFriction()
        : flow(channel(), nu,
               {wall("ymin"), wall("ymax"), wall("middle"),
                test::boundary("xmin", "inflow", vector_formula({profile, "0"})),
                test::boundary("xmax", "outflow")},
               vector_formula({profile, "0"}), test::tight(), "cpu", test::by_method(GetParam())) {
        flow.run(steps, step);
    }
    static FlowBoundary wall(const std::string& name) {
        return test::boundary(name, "wall", vector_formula({"1", "0"}));
    }
    // The mean over the middle of the shear that the corrected velocity of the cells at the wall
    // has.
    double shear_of_corrected() {
        const auto u = flow.solver.cell_velocity();
        double sum = 0;
        int cells = 0;
        for (const Side& side : flow.mesh.mesh.sides) {
            const Mesh& mesh = flow.mesh.mesh;
            const Index one = mesh.face_cells(side.face, 0),
                        c = one == none ? mesh.face_cells(side.face, 1) : one;
            const Vec3 x = flow.domain.geometry.cell_centroid[c];
            if (x.y > first || !is_in_the_middle(x.x)) continue;
            sum += nu * (u[c] - 1) / x.y;
            ++cells;
        }
        return sum / cells;
    }
    test::Flow<> flow;
};
INSTANTIATE_TEST_SUITE_P(Methods, WallFriction, testing::Values("exact", "classical"),
                         [](const auto& info) { return info.param; });

TEST_P(WallFriction, IsOfTheVelocityBeforeTheProjection) {
    EXPECT_GT(std::abs(shear_of_corrected() / shear() - 1), 0.3) << "no test";
    EXPECT_NEAR(flow.solver.boundary_forces()[middle].friction.x / (length / 2) / shear(), 1, 0.01);
}

// Its work on the moving walls is what the cells beside them get of it.
TEST_P(WallFriction, OfTheBudgetIsToo) {
    EXPECT_NEAR(flow.solver.energy_terms().viscous / (dissipation() * length), 1, 0.03);
}

}  // namespace
}  // namespace solenoid::wall_friction_test
