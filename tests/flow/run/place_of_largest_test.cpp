// The cell in which a quantity is largest: the same on any number of ranks.
#include "flow/run/place_of_largest.hpp"

#include <gtest/gtest.h>

#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"

namespace solenoid::place_of_largest_test {
namespace {

class PlaceOfLargestTest : public testing::Test {
  protected:
    PlaceOfLargestTest() : comm(Communicator::world()) {
        BoxSettings box;
        box.cells = 400;
        box.dimension = 2;
        box.high.z = 0;
        mesh = distribute(comm, comm.is_root() ? std::optional(box_mesh(box)) : std::nullopt);
    }

    std::vector<double> values(const std::function<double(const Vec3&)>& of) const {
        const Geometry g = geometry(mesh.mesh);
        std::vector<double> all;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            all.push_back(of(g.cell_centroid[c]));
        return all;
    }
    std::optional<Vec3> place(const std::function<double(const Vec3&)>& of) const {
        return centroid_of_largest(comm, mesh, values(of));
    }

    Communicator comm;
    DistributedMesh mesh;
};

// Between cells of a tenth.
TEST_F(PlaceOfLargestTest, IsTheCentroidOfThatCell) {
    for (const Vec3 peak : {Vec3(0.9, 0.35, 0), Vec3(0.2, 0.8, 0)}) {
        const auto found = place([&](const Vec3& x) { return -glm::distance(x, peak); });
        ASSERT_TRUE(found);
        EXPECT_LT(glm::distance(*found, peak), 0.1);
        const double nearest = comm.min([&] {
            double least = HUGE_VAL;
            for (const double d : values([&](const Vec3& x) { return glm::distance(x, peak); }))
                least = std::min(least, d);
            return least;
        }());
        EXPECT_EQ(glm::distance(*found, peak), nearest);
    }
}

TEST_F(PlaceOfLargestTest, IsTheFirstOfEqualOnes) {
    const auto found = place([](const Vec3& x) { return x.x > 0.5 ? 1.0 : 0.0; });
    ASSERT_TRUE(found);
    double first = HUGE_VAL;
    for (const double x : values([](const Vec3& x) { return x.x > 0.5 ? x.x : HUGE_VAL; }))
        first = std::min(first, x);
    EXPECT_EQ(found->x, comm.min(first));
}

TEST_F(PlaceOfLargestTest, IsNoneOfNoNumbers) {
    EXPECT_FALSE(place([](const Vec3&) { return std::nan(""); }));
}

}  // namespace
}  // namespace solenoid::place_of_largest_test
