// A short wake on a coarse grid; the long one is ship_wake (tools/validate wake).
#include "boussinesq/ship_wake.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "support/devices.hpp"

namespace solenoid {
namespace {

TEST(ShipWake, IsThatOfTheSteadySolution) {
    const auto device = test::make_device("cpu");
    const test::Wake wake{.froude = 0.85,
                          .a_depth = 4,
                          .width = 8,
                          .rise = 100,
                          .way = 200,
                          .nearest = 5,
                          .farthest = 15};
    const auto errors = test::wake_errors<float>(Communicator::self(), *device, wake);
    std::printf("difference %.2f %%, rms %.4f, highest %.4f of the draught\n",
                100 * errors.difference, errors.root_mean_square, errors.highest);
    EXPECT_LE(errors.difference, 0.08);
    EXPECT_GE(errors.highest, 0.1);
}

}  // namespace
}  // namespace solenoid
