// Flows so slow that viscosity crosses many cells within a step: their pressure is that of Stokes'
// equations after a few steps, not after thousands.
#include <gtest/gtest.h>

#include <cmath>

#include "mesh/box.hpp"
#include "support/flows.hpp"

namespace solenoid::slow_flow_test {
namespace {

using test::by_method;
using test::Flow;
using test::tell;
using test::tight;
using test::vector_formula;

class SlowFlow : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Methods, SlowFlow, testing::Values("exact", "classical"),
                         [](const auto& info) { return std::string(info.param); });

// Relative error of the node pressure, both less their means over the nodes.
double pressure_error(Flow<double>& flow, const std::function<double(const Vec3&)>& exact) {
    const auto p = flow.solver.node_pressure();
    const Index n = flow.mesh.range(Kind::node).owned;
    std::vector<double> sums(3, 0.0);
    for (Index i = 0; i < n; ++i) {
        sums[0] += 1;
        sums[1] += p[i];
        sums[2] += exact(flow.mesh.mesh.points[i]);
    }
    flow.comm.sum(std::span<double>(sums));
    double square = 0, size = 0;
    for (Index i = 0; i < n; ++i) {
        const double e = exact(flow.mesh.mesh.points[i]) - sums[2] / sums[0],
                     found = p[i] - sums[1] / sums[0];
        square += (found - e) * (found - e);
        size += e * e;
    }
    return std::sqrt(flow.comm.sum(square) / flow.comm.sum(size));
}

// u = (20 x y^3, 5 x^4 - 5 y^4), p = nu (60 x^2 y - 20 y^3): a solution of Stokes' equations, given
// on all sides of a square in which the fluid rests at first.
TEST_P(SlowFlow, HasStokesPressureAfterAFewSteps) {
    const auto exact = vector_formula({"20*x*y^3", "5*x^4 - 5*y^4"});
    for (const auto& [nu, cells] : {std::pair{1e2, 500}, {1e6, 500}, {1e4, 3000}}) {
        const SimplexMesh mesh = box_mesh({.dimension = 2, .cells = std::size_t(cells)});
        Flow<double> flow(mesh, nu, test::on_every_side(mesh, "inflow", exact),
                          vector_formula({"0", "0"}), tight(), "cpu", by_method(GetParam()));
        flow.run(8, 0.5 / flow.solver.courant(1));
        const double error = pressure_error(flow, [nu = nu](const Vec3& x) {
            return nu * (60 * x.x * x.x * x.y - 20 * x.y * x.y * x.y);
        });
        tell("  %s, nu = %.0e, %d triangles: pressure %.2e, velocity %.2e\n", GetParam(), nu, cells,
             error, flow.error(exact));
        EXPECT_LT(error, 0.1 * 500 / cells);
    }
}

}  // namespace
}  // namespace solenoid::slow_flow_test
