// Points in cells: their weights, who claims them, and what is outside.
#include "io/monitors/point_locator.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <limits>

#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::point_locator_test {
namespace {

class Locator : public testing::TestWithParam<int> {
  protected:
    Locator()
        : mesh_(distribute(comm_, comm_.is_root() ? std::optional(box()) : std::nullopt)),
          mesh(mesh_.mesh) {}
    static SimplexMesh box() {
        return box_mesh({.dimension = GetParam(), .cells = 300, .jitter = 0.15});
    }
    LocatedPoints located(const std::vector<Vec3>& points) const {
        return locate(comm_, SimplexTopology(mesh_), points);
    }
    // Claimed by one rank each, with weights that are those of the point.
    void expect_all_found(const std::vector<Vec3>& points, const LocatedPoints& l) const {
        std::vector<double> claims(points.size(), 0.0);
        for (const PointInCell& p : l.here) {
            ++claims[p.point];
            EXPECT_LT(p.cell, mesh_.range(Kind::cell).owned);
            Vec3 x(0);
            double sum = 0;
            for (int j = 0; j <= GetParam(); ++j) {
                x += p.weight[j] * mesh.corner(p.cell, j);
                sum += p.weight[j];
                EXPECT_GT(p.weight[j], -1e-8);
            }
            EXPECT_LT(glm::length(x - points[p.point]), 1e-12);
            EXPECT_NEAR(sum, 1, 1e-12);
        }
        comm_.sum(std::span<double>(claims));
        for (std::size_t i = 0; i < points.size(); ++i) {
            EXPECT_EQ(claims[i], 1) << "point " << i;
            EXPECT_TRUE(l.found[i]) << "point " << i;
        }
    }

    const Communicator comm_ = Communicator::world();
    const DistributedMesh mesh_;
    const Mesh& mesh;
};
INSTANTIATE_TEST_SUITE_P(Dimensions, Locator, testing::Values(2, 3));

TEST_P(Locator, FindsPointsInside) {
    std::vector<Vec3> points;
    for (int i = 0; i < 50; ++i)
        points.emplace_back(std::fmod(0.618 * i, 1), std::fmod(0.755 * i, 1),
                            GetParam() == 3 ? std::fmod(0.437 * i, 1) : 0);
    expect_all_found(points, located(points));
}

// A node belongs to all cells round it: that with the smallest number claims it.
TEST_P(Locator, GivesANodeToTheCellOfTheSmallestNumber) {
    std::vector<Vec3> points;
    for (const double x : {0.0, 1.0})
        for (const double y : {0.0, 1.0}) points.emplace_back(x, y, 0);
    // One of the nodes inside, the same on all ranks.
    std::vector<double> inside(3, std::numeric_limits<double>::max());
    if (comm_.is_root())
        for (Index i = 0; i < mesh_.range(Kind::node).owned; ++i) {
            const Vec3& x = mesh.points[i];
            if (x.x > 0.3 && x.x < 0.7 && x.y > 0.01 && x.y < 0.99)
                for (int k = 0; k < 3; ++k) inside[k] = x[k];
        }
    comm_.min(std::span<double>(inside));
    if (inside[0] < 1) points.emplace_back(inside[0], inside[1], inside[2]);
    const LocatedPoints l = located(points);
    expect_all_found(points, l);
    std::vector<double> smallest(points.size(), 1e15), claimed(points.size(), 1e15);
    for (Index c = 0; c < mesh_.range(Kind::cell).owned; ++c)
        for (int j = 0; j <= GetParam(); ++j)
            for (std::size_t i = 0; i < points.size(); ++i)
                if (glm::length(mesh.corner(c, j) - points[i]) < 1e-12)
                    smallest[i] = std::min(smallest[i], double(mesh.cell_number[c]));
    for (const PointInCell& p : l.here) claimed[p.point] = double(mesh.cell_number[p.cell]);
    comm_.min(std::span<double>(smallest));
    comm_.min(std::span<double>(claimed));
    EXPECT_EQ(claimed, smallest);
}

// The mesh's diagonal is at most sqrt(3).
TEST_P(Locator, CountsRoundOffAsInsideAndNoMore) {
    const double z = GetParam() == 3 ? 0.4 : 0;
    const LocatedPoints l = located({{-1e-10, 0.37, z},
                                     {0.37, 1 + 1e-10, z},
                                     {-1e-8, 0.37, z},
                                     {0.37, 1 + 1e-8, z},
                                     {2, 0.5, z},
                                     {0.5, 0.5, GetParam() == 3 ? -1 : 0.1}});
    EXPECT_EQ(l.found, (std::vector<char>{1, 1, 0, 0, 0, 0}));
    EXPECT_EQ(comm_.sum(double(l.here.size())), 2);
}

TEST_P(Locator, FindsNothingOfNoPoints) {
    const LocatedPoints l = located({});
    EXPECT_TRUE(l.here.empty() && l.found.empty());
}

}  // namespace
}  // namespace solenoid::point_locator_test
