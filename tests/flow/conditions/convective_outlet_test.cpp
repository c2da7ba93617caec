// The convective outlet: a vortex that a stream carries leaves through it as if the stream went on,
// and what enters leaves.
#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>

#include "mesh/box.hpp"
#include "support/boundaries.hpp"
#include "support/flows.hpp"

namespace solenoid::convective_outlet_test {
namespace {

constexpr double length = 2;

// A steady vortex without circulation in a stream of speed 1, between planes of symmetry: an exact
// solution without viscosity. It is half out at t = 1 s.
const VectorFormula vortex = test::vector_formula(
    {"1-5*y*exp(-12.5*((x-1-t)^2+y^2))", "5*(x-1-t)*exp(-12.5*((x-1-t)^2+y^2))", "0"});

// Largest over a run: by how much the pressure upstream changes, the root mean square error of the
// flux through the outlet, the net flow through the boundary, and the divergence.
struct Passing {
    double disturbance = 0, error = 0, net = 0, divergence = 0;
};

double outlet_error(test::Flow<double>& flow) {
    const auto flux = flow.solver.face_flux();
    const Mesh& m = flow.mesh.mesh;
    double square = 0, area = 0;
    for (const Side& side : m.sides) {
        const Vec3 x = flow.domain.geometry.face_centroid[side.face];
        if (side.face >= flow.domain.faces.owned || x.x < length - 1e-9) continue;
        const double size = glm::length(flow.domain.geometry.face_area[side.face]),
                     error = std::abs(flux[side.face]) / size - vortex[0](x, flow.solver.time());
        square += size * error * error;
        area += size;
    }
    return std::sqrt(flow.comm.sum(square) / flow.comm.sum(area));
}

// The extremes of the pressure with x < 0.4.
std::array<double, 2> upstream_pressure(test::Flow<double>& flow) {
    const auto p = flow.solver.node_pressure();
    std::array<double, 2> range{HUGE_VAL, -HUGE_VAL};
    for (Index i = 0; i < flow.mesh.range(Kind::node).owned; ++i) {
        if (flow.mesh.mesh.points[i].x > 0.4) continue;
        range = {std::min(range[0], p[i]), std::max(range[1], p[i])};
    }
    return {flow.comm.min(range[0]), flow.comm.max(range[1])};
}

Passing passing(int dimension, const std::string& outlet, const std::string& method) {
    const SimplexMesh whole = box_mesh({.dimension = dimension,
                                        .cells = dimension == 2 ? 2400u : 6000u,
                                        .low = {0, -0.75, 0},
                                        .high = {length, 0.75, dimension == 2 ? 0 : 0.07}});
    std::vector<FlowBoundary> boundaries{
        test::boundary("xmin", "inflow", test::vector_formula({"1", "0", "0"})),
        test::boundary("xmax", outlet)};
    for (const char* side : {"ymin", "ymax", "zmin", "zmax"})
        if (dimension == 3 || side[0] == 'y')
            boundaries.push_back(test::boundary(side, "symmetry"));
    FlowSettings settings;
    settings.method = method;
    test::Flow<double> flow(whole, 1e-5, boundaries, vortex, test::tight(), "cpu", settings);
    Passing most;
    flow.run(20, 0.005);
    const auto before = upstream_pressure(flow);
    for (int n = 0; n < 28; ++n) {
        flow.run(10, 0.005);
        const auto p = upstream_pressure(flow);
        most.disturbance = std::max({most.disturbance, p[1] - before[0], before[1] - p[0]});
        most.error = std::max(most.error, outlet_error(flow));
        double net = 0;
        for (const double in : flow.solver.boundary_inflow()) net += in;
        most.net = std::max(most.net, std::abs(net));
        most.divergence = std::max(most.divergence, flow.solver.max_divergence());
    }
    return most;
}

void expect_half(int dimension, const std::string& method) {
    const Passing open = passing(dimension, "outflow", method),
                  convective = passing(dimension, "convective", method);
    test::tell(
        "  %dD, %s: pressure upstream changes by %.2e (outflow), %.2e m^2/s^2 (convective), the "
        "outlet's velocity is wrong by %.2e, %.2e m/s\n",
        dimension, method.c_str(), open.disturbance, convective.disturbance, open.error,
        convective.error);
    EXPECT_LT(convective.disturbance, 0.5 * open.disturbance);
    EXPECT_LT(convective.error, 0.5 * open.error);
    EXPECT_LT(convective.net, 1e-13);
    EXPECT_LT(convective.divergence, method == "exact" ? 1e-13 : 1e-9);
}

TEST(ConvectiveOutlet, LetsAVortexLeave) { expect_half(2, "exact"); }
TEST(ConvectiveOutlet, LetsAVortexLeaveByPressure) { expect_half(2, "classical"); }
// By tools/validate long-tests.
TEST(ConvectiveOutlet, DISABLED_LetsAVortexLeaveAmongTets) { expect_half(3, "exact"); }

// Where it would stay shut it is refused: beside a pressure, which takes what enters, and without
// an inflow. One through which the fluid leaves from the start is not.
TEST(ConvectiveOutlet, IsRefusedWhereItWouldStayShut) {
    const auto refusal = [](const std::string& inlet, const std::string& side,
                            const std::string& initial) -> std::string {
        const SimplexMesh whole = box_mesh({.dimension = 2, .cells = 100, .high = {1, 1, 0}});
        FlowSettings settings;
        settings.method = "classical";
        const auto stream = test::vector_formula({"1", "0", "0"});
        try {
            test::Flow<double> flow(
                whole, 0.1,
                {test::boundary("xmin", inlet, stream, {}, 0.8),
                 test::boundary("xmax", "convective"), test::boundary("ymin", "wall"),
                 test::boundary("ymax", side, {}, {}, 0.0)},
                test::vector_formula({initial, "0", "0"}), test::tight(), "cpu", settings);
            return "";
        } catch (const AgreedError& error) {
            EXPECT_EQ(error.exit_code(), 2);
            return error.what();
        }
    };
    const auto expect_words = [](const std::string& message, const std::string& reason) {
        for (const std::string& word : {std::string("[boundary.xmax]"), reason})
            EXPECT_NE(message.find(word), std::string::npos) << message;
    };
    EXPECT_EQ(refusal("inflow", "wall", "0"), "");
    EXPECT_EQ(refusal("pressure", "wall", "1"), "");
    EXPECT_EQ(refusal("inflow", "outflow", "1"), "");
    expect_words(refusal("pressure", "wall", "0"), "the pressure is given at another boundary");
    expect_words(refusal("inflow", "outflow", "0"), "the pressure is given at another boundary");
    expect_words(refusal("pressure", "wall", "-1"), "the pressure is given at another boundary");
    expect_words(refusal("wall", "wall", "0"), "no other boundary is an inflow");
}

}  // namespace
}  // namespace solenoid::convective_outlet_test
