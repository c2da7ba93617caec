// A short wake on a coarse grid; the long one is ship_wake (tools/validate wake).
#include "boussinesq/ship_wake.hpp"

#include <gtest/gtest.h>

#include <cstdio>

#include "support/devices.hpp"

namespace solenoid::ship_wake_test {
namespace {

// Nodes a third of the depth apart: the wake is that of the scheme, which is off the equations' by
// the second order.
TEST(ShipWake, IsThatOfTheSteadySolution) {
    const auto device = test::make_device("cpu");
    const test::Wake wake{.froude = 0.85,
                          .a_depth = 3,
                          .width = 4,
                          .rise = 150,
                          .way = 300,
                          .nearest = 5,
                          .farthest = 15};
    const auto errors = test::wake_errors<float>(Communicator::self(), *device, wake, true);
    std::printf(
        "difference %.2f %%, rms %.4f, highest %.4f of the draught; of the scheme's from the "
        "equations' wake %.2f %%\n",
        100 * errors.difference, errors.root_mean_square, errors.highest,
        100 * test::error_of_scheme(wake));
    EXPECT_LE(errors.difference, 0.03);
    EXPECT_GE(errors.highest, 0.1);
    EXPECT_LE(test::error_of_scheme(wake), 0.15);
    test::Wake fine = wake;
    fine.a_depth = 6;
    EXPECT_LE(test::error_of_scheme(fine), 0.3 * test::error_of_scheme(wake));
}

}  // namespace
}  // namespace solenoid::ship_wake_test
