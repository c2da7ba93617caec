#include "flow/discretization/normal_slope.hpp"

#include <glm/geometric.hpp>

#include "flow/discretization/singular_values.hpp"

namespace solenoid {
namespace {

constexpr double longest = 10;  // largest distance of the mean point, relative to the nearest point

}  // namespace

NormalSlope normal_slope(const Vec3& centre, const Vec3& normal, const std::vector<Vec3>& points,
                         std::size_t nearest, int dimension) {
    DenseMatrix directions(static_cast<Index>(points.size()), dimension);
    for (Index i = 0; i < points.size(); ++i)
        for (int k = 0; k < dimension; ++k)
            directions(i, k) = (points[i] - centre)[k] / glm::length(points[i] - centre);
    const DenseMatrix inverse = pseudo_inverse(directions);
    NormalSlope slope{0, std::vector<double>(points.size())};
    double sum = 0;
    for (Index i = 0; i < points.size(); ++i) {
        for (int k = 0; k < dimension; ++k)
            slope.weights[i] -= normal[k] * inverse(k, i) / glm::length(points[i] - centre);
        sum += slope.weights[i];
    }
    const double shortest = glm::dot(normal, centre - points[nearest]);
    slope.distance = 1 / sum;
    for (double& weight : slope.weights) weight /= sum;
    if (sum * longest * shortest > 1) return slope;
    slope = {shortest, std::vector<double>(points.size(), 0.0)};
    slope.weights[nearest] = 1;
    return slope;
}

}  // namespace solenoid
