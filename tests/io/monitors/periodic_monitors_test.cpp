// Places of monitors in periodic meshes, cut through their seam.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "io/monitors/monitors.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::periodic_monitors_test {
namespace {

using test::closed;
using test::plain_box;

DistributedMesh cut(const Communicator& comm, const SimplexMesh& whole) {
    return distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
}

// A line along the seam and across it finds every point, and the wave on it.
TEST(PeriodicOutput, MonitorsReachTheSeam) {
    const auto comm = Communicator::world();
    const DistributedMesh mesh = cut(comm, closed(plain_box(2, 4000), "xy"));
    std::vector<Vec3> points;
    for (int i = 0; i <= 40; ++i) {
        points.push_back({i / 40.0, 0.37, 0});
        points.push_back({1, i / 40.0, 0});
        points.push_back({0, i / 40.0, 0});
    }
    const LocatedPoints located = locate(comm, SimplexTopology(mesh), points);
    for (const char found : located.found) EXPECT_EQ(found, 1);
    for (const PointInCell& p : located.here) {
        Vec3 x(0);
        for (int j = 0; j <= 2; ++j) x += p.weight[j] * mesh.mesh.corner(p.cell, j);
        EXPECT_LT(glm::distance(x, points[p.point]), 1e-8);
    }
}

}  // namespace
}  // namespace solenoid::periodic_monitors_test
