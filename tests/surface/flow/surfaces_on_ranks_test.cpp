// A surface is its rank's own: ranks smooth unlike ones, in as many steps as each needs, and none
// waits for another.
#include <gtest/gtest.h>

#include <optional>

#include "parallel/communicator.hpp"
#include "support/devices.hpp"
#include "support/reproducible.hpp"
#include "surface/flow/flowing_spheres.hpp"
#include "surface/flow/mean_curvature_flow.hpp"

namespace solenoid::surfaces_on_ranks_test {
namespace {

TEST(SurfacesOnRanks, AreSmoothedByEachAlone) {
    const Communicator comm = Communicator::world();
    const auto device = test::make_device("cpu");
    const int rank = comm.rank();
    const TriangleSurface surface = test::noisy_sphere(2 + rank % 2, 0.1 + 0.02 * rank);
    const CheckedSurface checked = check_surface(surface, "sample");
    const auto smoothed = [&] {
        const auto flow = make_flow(*device, checked, {.keeps_volume = true});
        for (int n = 0; n < 2 + rank; ++n) flow->step(1e-3);
        return flow->points();
    };
    const std::vector<Vec3> plain = smoothed();
    const test::Reproducible reproducible;
    const std::vector<Vec3> same = smoothed();
    ASSERT_EQ(plain.size(), same.size());
    for (std::size_t i = 0; i < plain.size(); ++i)
        for (int k = 0; k < 3; ++k) EXPECT_NEAR(plain[i][k], same[i][k], 1e-9) << i;
    EXPECT_EQ(comm.sum(std::int64_t(1)), comm.size());  // all are here
}

}  // namespace
}  // namespace solenoid::surfaces_on_ranks_test
