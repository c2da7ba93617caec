#include "flow/discretization/principal_axes.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>
#include <glm/geometric.hpp>

namespace solenoid {
namespace {

constexpr double flat = 1e-9;  // relative to the largest size

}  // namespace

std::vector<PrincipalAxis> principal_axes(const std::vector<Vec3>& points, int dimension) {
    Eigen::Matrix3d moment = Eigen::Matrix3d::Zero();
    for (const Vec3& x : points)
        for (int i = 0; i < dimension; ++i)
            for (int j = 0; j < dimension; ++j) moment(i, j) += x[i] * x[j];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> modes(moment);
    std::vector<PrincipalAxis> axes;
    for (int k = 2; k >= 0; --k) {
        const auto v = modes.eigenvectors().col(k);
        const Vec3 direction(v[0], v[1], v[2]);
        // A short axis' eigenvalue has the rounding of the long ones; its direction has not.
        double square = 0;
        for (const Vec3& x : points) square += glm::dot(direction, x) * glm::dot(direction, x);
        const double size = std::sqrt(square / static_cast<double>(points.size()));
        if (!(size > 0) || (!axes.empty() && size <= flat * axes.front().size)) continue;
        axes.push_back({direction, size});
    }
    return axes;
}

std::vector<Vec3> corners_round(const Mesh& mesh, Index node, const Index* begin,
                                const Index* end) {
    std::vector<Vec3> corners;
    for (const Index* c = begin; c != end; ++c) {
        const Vec3 origin = mesh.corner(*c, mesh.place_in_cell(*c, node));
        for (int j = 0; j <= mesh.dimension; ++j) corners.push_back(mesh.corner(*c, j) - origin);
    }
    return corners;
}

}  // namespace solenoid
