// The derivative along the normal from a face's value and those of points inside.
#include "flow/discretization/normal_slope.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <numeric>
#include <random>

namespace solenoid::normal_slope_test {
namespace {

TEST(NormalSlope, IsExactForLinearValues) {
    std::mt19937 numbers(3);
    std::uniform_real_distribution<double> within(-1, 1);
    for (const int dimension : {2, 3})
        for (int attempt = 0; attempt < 20; ++attempt) {
            const auto random = [&] {
                const double x = within(numbers), y = within(numbers), z = within(numbers);
                return Vec3(x, y, dimension == 3 ? z : 0);
            };
            const Vec3 centre = random(), gradient = random(), normal = glm::normalize(random());
            const auto value = [&](const Vec3& x) { return 0.3 + glm::dot(gradient, x); };
            std::vector<Vec3> points;
            for (int i = 0; i < dimension + 2; ++i)
                points.push_back(centre - 0.8 * normal + 0.4 * random());
            const NormalSlope s = normal_slope(centre, normal, points, 0, dimension);
            double inside = 0, away = 0;
            for (std::size_t i = 0; i < points.size(); ++i) {
                inside += s.weights[i] * value(points[i]);
                away += s.weights[i] * glm::dot(normal, centre - points[i]);
            }
            EXPECT_NEAR((value(centre) - inside) / s.distance, glm::dot(gradient, normal), 1e-11);
            EXPECT_NEAR(std::accumulate(s.weights.begin(), s.weights.end(), 0.0), 1, 1e-12);
            EXPECT_NEAR(away, s.distance, 1e-12);
        }
}

// One point, a unit away at the angle of cosine c from the normal: the gradient of least norm runs
// towards it, so that its distance along the normal is 1 / c.
TEST(NormalSlope, OfOnePointFollowsTheLineToIt) {
    const double c = 0.5;
    const NormalSlope s =
        normal_slope({1, 2, 0}, {0, 1, 0}, {Vec3(1 + std::sqrt(1 - c * c), 2 - c, 0)}, 0, 2);
    EXPECT_NEAR(s.distance, 1 / c, 1e-14);
    EXPECT_NEAR(s.weights[0], 1, 1e-15);
}

// Almost along the face the line tells nothing of the normal.
TEST(NormalSlope, IsTheNearestPointsWherePointsDoNotTell) {
    const NormalSlope s =
        normal_slope({0, 0, 0}, {0, 1, 0}, {Vec3(2, -0.02, 0), Vec3(1, -0.01, 0)}, 1, 2);
    EXPECT_EQ(s.weights, (std::vector<double>{0, 1}));
    EXPECT_DOUBLE_EQ(s.distance, 0.01);
}

}  // namespace
}  // namespace solenoid::normal_slope_test
