// What a given pressure is made of: the formulas at open faces and nodes, and the speed with which
// fluid enters where the total pressure is given.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/boundary/inlet_mean.hpp"
#include "flow/boundary/open_pressure.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"

namespace solenoid::pressure_parts_test {
namespace {

FlowBoundary pressed(const std::string& name, const std::string& type, const std::string& formula) {
    return test::boundary(name, type, {}, {}, Formula(formula, "case.toml:7"));
}

// A box whose side xmin has equal faces. Sides that are not given are walls.
struct Box {
    Box(int dimension, std::vector<FlowBoundary> sides, std::size_t cells = 300)
        : device(test::make_device("cpu")),
          mesh(distribute(comm, box_mesh({.dimension = dimension, .cells = cells, .jitter = 0}))),
          domain(comm, *device, mesh),
          boundaries(domain, with_walls(std::move(sides))) {
        for (std::size_t k = 0; k < boundaries.faces().faces.size(); ++k)
            if (boundaries.boundary(boundaries.faces().faces[k])->condition->is_total())
                inlets.push_back(static_cast<Index>(k));
    }
    std::vector<FlowBoundary> with_walls(std::vector<FlowBoundary> sides) const {
        for (const std::string& name : mesh.mesh.boundaries)
            if (std::ranges::find(sides, name, &FlowBoundary::name) == sides.end())
                sides.push_back(test::boundary(name, "wall"));
        return sides;
    }
    Index face(std::size_t i) const { return boundaries.faces().faces[inlets[i]]; }
    // Into the domain through each inlet face, of a speed at its centroid.
    std::vector<double> inflow(const std::function<double(const Vec3&)>& speed) const {
        std::vector<double> values;
        for (std::size_t i = 0; i < inlets.size(); ++i)
            values.push_back(glm::length(boundaries.area(face(i))) *
                             speed(domain.geometry.face_centroid[face(i)]));
        return values;
    }
    bool is_inside(Index node) const {  // of the side, not on its rim
        const Vec3& x = mesh.mesh.points[node];
        return x.y > 1e-9 && x.y < 1 - 1e-9 &&
               (mesh.mesh.dimension == 2 || (x.z > 1e-9 && x.z < 1 - 1e-9));
    }

    Communicator comm = Communicator::self();
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    FlowBoundaries boundaries;
    std::vector<Index> inlets;
};

TEST(InletMean, AUniformStreamHasItsSpeedEverywhere) {
    for (const int dimension : {2, 3}) {
        const Box b(dimension, {pressed("xmin", "total_pressure", "1")});
        ASSERT_FALSE(b.inlets.empty());
        InletMean mean(b.domain, b.boundaries, b.inlets);
        mean.start(b.inflow([](const Vec3&) { return 3; }));
        for (std::size_t i = 0; i < b.inlets.size(); ++i) {
            EXPECT_NEAR(mean.dynamic_pressure(b.face(i)), 4.5, 1e-13);
            for (int j = 0; j < dimension; ++j)
                EXPECT_NEAR(mean.node_speeds()[i][j], 3, 1e-14) << dimension;
        }
        for (const Index f : b.boundaries.faces().faces)
            if (!b.boundaries.boundary(f)->condition->is_total()) {
                EXPECT_EQ(mean.dynamic_pressure(f), 0);
            }
    }
}

// On equal faces in the plane: of a linear speed the mean of two faces is that at the node between
// them. A face's is the integral over it of what its nodes have, by Simpson's rule, which is exact.
TEST(InletMean, InterpolatesBetweenItsNodes) {
    const Box b(2, {pressed("xmin", "total_pressure", "1")});
    InletMean mean(b.domain, b.boundaries, b.inlets);
    const auto speed = [](const Vec3& x) { return 1 + 2 * x.y; };
    mean.start(b.inflow(speed));
    const auto nodes = mean.node_speeds();
    const int side =
        static_cast<int>(b.boundaries.boundary(b.face(0)) - b.boundaries.settings().data());
    for (std::size_t i = 0; i < b.inlets.size(); ++i) {
        for (int j = 0; j < 2; ++j) {
            const Index node = b.mesh.mesh.face_nodes(b.face(i), j);
            if (b.is_inside(node)) {
                EXPECT_NEAR(nodes[i][j], speed(b.mesh.mesh.points[node]), 1e-13);
            }
            EXPECT_NEAR(mean.dynamic_pressure(side, node), nodes[i][j] * nodes[i][j] / 2, 1e-13);
            EXPECT_EQ(mean.dynamic_pressure(side + 1, node), 0);
        }
        const double first = nodes[i][0], last = nodes[i][1], middle = (first + last) / 2;
        EXPECT_NEAR(mean.dynamic_pressure(b.face(i)),
                    (first * first + 4 * middle * middle + last * last) / 12, 1e-13);
    }
}

TEST(InletMean, LooksAheadAndTakesNothingOfWhatLeaves) {
    const Box b(2, {pressed("xmin", "total_pressure", "1")});
    InletMean mean(b.domain, b.boundaries, b.inlets);
    const auto uniform = [&](double u) { return b.inflow([u](const Vec3&) { return u; }); };
    mean.start(uniform(1));
    mean.look_ahead(2);  // nothing has changed so far
    EXPECT_NEAR(mean.node_speeds()[0][0], 1, 1e-14);
    mean.advance(uniform(1.5));
    EXPECT_NEAR(mean.node_speeds()[0][0], 2.5, 1e-14);
    mean.look_ahead(0.5);
    EXPECT_NEAR(mean.node_speeds()[0][0], 1.75, 1e-14);
    mean.advance(uniform(-4));
    EXPECT_EQ(mean.node_speeds()[0][0], 0);
    EXPECT_EQ(mean.dynamic_pressure(b.face(0)), 0);
}

TEST(OpenPressure, IsTheFormulaOverTheDensity) {
    const Box b(2, {pressed("xmin", "pressure", "2 + 3*y + t"), test::boundary("xmax", "outflow")});
    const OpenPressure p(b.domain, b.boundaries, 4);
    EXPECT_TRUE(p.is_given());
    EXPECT_TRUE(p.depends_on_time());
    const auto at_faces = p.at_faces(5), at_nodes = p.at_nodes(5);
    std::size_t entering = 0;
    for (std::size_t i = 0; i < p.positions().size(); ++i) {
        const Vec3 x =
            b.domain.geometry.face_centroid[b.boundaries.faces().faces[p.positions()[i]]];
        EXPECT_NEAR(at_faces[i], x.x < 0.5 ? (7 + 3 * x.y) / 4 : 0, 1e-14);
        entering += x.x < 0.5;
    }
    EXPECT_GT(entering, 3);
    EXPECT_GT(p.positions().size(), entering);
    EXPECT_EQ(p.nodes().size(), p.positions().size() + 2);  // one more than faces on each side
    for (std::size_t i = 0; i < p.nodes().size(); ++i) {
        const Vec3& x = b.mesh.mesh.points[p.nodes()[i]];
        EXPECT_NEAR(at_nodes[i], x.x < 0.5 ? (7 + 3 * x.y) / 4 : 0, 1e-14);
    }
}

TEST(OpenPressure, IsTheMeanWhereGroupsMeet) {
    const Box b(2, {pressed("xmin", "pressure", "2"), pressed("ymin", "pressure", "4")});
    const OpenPressure p(b.domain, b.boundaries, 1);
    EXPECT_FALSE(p.depends_on_time());
    const auto at_nodes = p.at_nodes(0);
    int corners = 0;
    for (std::size_t i = 0; i < p.nodes().size(); ++i) {
        const Vec3& x = b.mesh.mesh.points[p.nodes()[i]];
        const bool left = x.x < 1e-9, below = x.y < 1e-9;
        corners += left && below;
        EXPECT_EQ(at_nodes[i], left && below ? 3 : left ? 2 : 4);
    }
    EXPECT_EQ(corners, 1);
}

TEST(OpenPressure, OfAnOutflowAloneIsNotGiven) {
    const Box b(2, {test::boundary("xmax", "outflow")});
    const OpenPressure p(b.domain, b.boundaries, 1);
    EXPECT_FALSE(p.is_given());
    EXPECT_FALSE(p.depends_on_time());
    for (const double value : p.at_faces(1)) EXPECT_EQ(value, 0);
}

// Of the total pressure what enters at u takes u^2 / 2; by density as all of it.
TEST(OpenPressure, OfATotalOneIsLessByWhatEnters) {
    const Box b(3, {pressed("xmin", "total_pressure", "6")});
    OpenPressure p(b.domain, b.boundaries, 2);
    EXPECT_TRUE(p.depends_on_time());
    InletMean mean(b.domain, b.boundaries, b.inlets);
    mean.start(b.inflow([](const Vec3&) { return 2; }));
    for (const double value : p.at_faces(0)) EXPECT_EQ(value, 3);
    p.follow(mean);
    for (const auto& values : {p.at_faces(0), p.at_nodes(0)})
        for (const double value : values) EXPECT_NEAR(value, 1, 1e-13);
}

TEST(OpenPressure, ThatIsNotFiniteIsAnError) {
    const Box b(2, {pressed("xmin", "pressure", "1/(y-y)")});
    const OpenPressure p(b.domain, b.boundaries, 1);
    try {
        p.at_faces(0);
        FAIL() << "accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("1/(y-y)"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace solenoid::pressure_parts_test
