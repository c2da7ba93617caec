// Spheres of several refinements against R^2 = R0^2 - 4 t, and the orders of the flow's error.
#include <gtest/gtest.h>

#include <cmath>

#include "support/devices.hpp"
#include "surface/flow/flowing_spheres.hpp"

namespace solenoid::mean_curvature_order_test {
namespace {

using test::radius_after;

TEST(SurfaceFlowOrder, SpheresAreWithinOnePercent) {
    const auto device = test::make_device("cpu");
    const double time = 0.15, exact = std::sqrt(1 - 4 * time);  // 0.63
    for (const int parts : {4, 8, 16})
        for (const bool is_random : {false, true}) {
            const double radius = radius_after(
                *device, is_random ? test::random_sphere(parts) : sphere_surface(parts), time, 100);
            std::printf("sphere, %d triangles%s: radius %.5f, %.2f %% off\n", 20 * parts * parts,
                        is_random ? ", random" : "", radius, 100 * (radius / exact - 1));
            EXPECT_NEAR(radius, exact, 0.01 * exact) << parts << is_random;
        }
}

TEST(SurfaceFlowOrder, IsOneInTheStep) {
    const auto device = test::make_device("cpu");
    const double time = 0.1, exact = std::sqrt(1 - 4 * time);
    std::vector<double> errors;
    for (const int steps : {8, 16, 32})
        errors.push_back(radius_after(*device, sphere_surface(12), time, steps) - exact);
    for (std::size_t k = 1; k < errors.size(); ++k) {
        const double order = std::log2(errors[k - 1] / errors[k]);
        std::printf("order in the step: %.3f (errors %.2e, %.2e)\n", order, errors[k - 1],
                    errors[k]);
        EXPECT_NEAR(order, 1, 0.15);
    }
}

// The step goes with the square of the size.
TEST(SurfaceFlowOrder, IsTwoInTheSize) {
    const auto device = test::make_device("cpu");
    const double time = 0.1, exact = std::sqrt(1 - 4 * time);
    for (const bool is_random : {false, true}) {
        std::vector<double> errors;
        for (const int parts : {3, 6, 12})
            errors.push_back(
                radius_after(*device,
                             is_random ? test::random_sphere(parts) : sphere_surface(parts), time,
                             parts * parts) -
                exact);
        for (std::size_t k = 1; k < errors.size(); ++k) {
            const double order = std::log2(errors[k - 1] / errors[k]);
            std::printf("order in the size%s: %.3f (errors %.2e, %.2e)\n",
                        is_random ? ", random" : "", order, errors[k - 1], errors[k]);
            EXPECT_GT(order, 1.7);
        }
    }
}

}  // namespace
}  // namespace solenoid::mean_curvature_order_test
