// The stream function on the boundary against the formula of a flow: s - its mean, in the plane.
// (A net flux through a closed boundary: stream_function_test.)
#include "flow/projection/stream_function_boundary.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"

namespace solenoid::stream_function_boundary_test {
namespace {

// A box whose whole boundary has its flux given.
struct Box {
    explicit Box(int dimension)
        : comm(Communicator::world()),
          device(test::make_device("cpu")),
          mesh(distribute(comm, whole(dimension))),
          domain(comm, *device, mesh),
          boundary(domain, faces()) {}
    std::optional<SimplexMesh> whole(int dimension) const {
        if (!comm.is_root()) return std::nullopt;
        return box_mesh({.dimension = dimension, .cells = 400, .jitter = 0.1});
    }
    std::vector<bool> faces() const {
        std::vector<bool> flags(mesh.mesh.faces(), false);
        for (const Side& side : mesh.mesh.sides) flags[side.face] = true;
        return flags;
    }
    // Of a velocity that is linear on each face, along the normal.
    std::vector<double> flux(const std::function<Vec3(const Vec3&)>& velocity) const {
        std::vector<double> values;
        for (const Index f : boundary.faces())
            values.push_back(
                glm::dot(velocity(domain.geometry.face_centroid[f]), domain.geometry.face_area[f]));
        return values;
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    StreamFunctionBoundary boundary;
};

// u = (dpsi/dy, -dpsi/dx): the flux of a linear velocity through an edge is the difference of psi
// at its ends, and of all s with that difference the least one has the mean zero.
TEST(StreamFunctionBoundary, IsThatOfALinearFlow) {
    Box b(2);
    const auto psi = [](const Vec3& x) {
        return 0.3 * x.y + x.y * x.y + 0.5 * x.x * x.y + 0.4 * x.x + 0.5 * x.x * x.x;
    };
    const auto flux = b.flux(
        [](const Vec3& x) { return Vec3(0.3 + 2 * x.y + 0.5 * x.x, -0.4 - x.x - 0.5 * x.y, 0); });
    const std::vector<double> s = b.boundary.solve(flux, flux);
    const auto& nodes = b.boundary.codim2_entities();
    ASSERT_EQ(s.size(), nodes.size());
    double mean = 0;
    for (const Index node : nodes) mean += psi(b.mesh.mesh.points[node]);
    const double count = b.comm.sum(double(nodes.size()));
    mean = b.comm.sum(mean) / count;
    EXPECT_GT(count, 20);
    for (std::size_t i = 0; i < s.size(); ++i)
        EXPECT_NEAR(s[i], psi(b.mesh.mesh.points[nodes[i]]) - mean, 1e-10);
}

TEST(StreamFunctionBoundary, OfNoFluxIsZero) {
    for (const int dimension : {2, 3}) {
        Box b(dimension);
        const auto flux = b.flux([](const Vec3&) { return Vec3(0); });
        for (const double s : b.boundary.solve(flux, flux)) EXPECT_EQ(s, 0);
    }
}

// Linear in the flux: also from where another solve has ended.
TEST(StreamFunctionBoundary, OfTwiceTheFluxIsTwice) {
    Box b(3);
    const auto flux = b.flux([](const Vec3& x) { return Vec3(x.y, -2 * x.z, x.x); });
    std::vector<double> twice(flux);
    for (double& q : twice) q *= 2;
    const auto one = b.boundary.solve(flux, flux), two = b.boundary.solve(twice, twice);
    double largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i) {
        EXPECT_NEAR(two[i], 2 * one[i], 1e-10);
        largest = std::max(largest, std::abs(one[i]));
    }
    EXPECT_GT(b.comm.max(largest), 1e-3);
}

}  // namespace
}  // namespace solenoid::stream_function_boundary_test
