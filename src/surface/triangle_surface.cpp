#include "surface/triangle_surface.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>

namespace solenoid {
namespace {

Vec3 normal_of(const TriangleSurface& surface, const std::array<Index, 3>& t) {
    const Vec3& a = surface.points[t[0]];
    return glm::cross(surface.points[t[1]] - a, surface.points[t[2]] - a);
}

double quotient(double a, double b) { return b == 0 ? 0 : a / b; }

}  // namespace

double area_of(const TriangleSurface& surface) {
    double area = 0;
    for (const auto& t : surface.triangles) area += glm::length(normal_of(surface, t)) / 2;
    return area;
}

double volume_of(const TriangleSurface& surface) {
    double volume = 0;
    for (const auto& t : surface.triangles)
        volume += glm::dot(surface.points[t[0]], normal_of(surface, t)) / 6;
    return volume;
}

double shape_of(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 u = b - a, w = c - a, d = c - b;
    return quotient(std::sqrt(12.0) * glm::length(glm::cross(u, w)),
                    glm::dot(u, u) + glm::dot(w, w) + glm::dot(d, d));
}

std::string triangle_text(const TriangleSurface& surface, Index triangle) {
    const auto& t = surface.triangles[triangle];
    const Vec3 centroid =
        surface.points[t[0]] / 3.0 + surface.points[t[1]] / 3.0 + surface.points[t[2]] / 3.0;
    return fmt::format("triangle {} with its centroid at ({:.6g}, {:.6g}, {:.6g})", triangle + 1,
                       centroid.x, centroid.y, centroid.z);
}

void merge_equal_points(TriangleSurface& surface) {
    const std::vector<Vec3>& points = surface.points;
    std::vector<Index> order(points.size());
    std::iota(order.begin(), order.end(), Index(0));
    // points that are no numbers are equal to none, and stay for the check; -0 is 0
    const auto is_number = [&](Index i) {
        return std::isfinite(points[i].x) && std::isfinite(points[i].y) &&
               std::isfinite(points[i].z);
    };
    const auto numbers = std::stable_partition(order.begin(), order.end(), is_number);
    std::sort(order.begin(), numbers, [&](Index i, Index j) {
        const Vec3 &a = points[i], &b = points[j];
        return a.x != b.x ? a.x < b.x : a.y != b.y ? a.y < b.y : a.z != b.z ? a.z < b.z : i < j;
    });
    std::vector<Index> first(points.size());
    for (auto at = order.begin(); at != order.end(); ++at) {
        const bool is_again =
            at != order.begin() && at < numbers && points[*at] == points[*(at - 1)];
        first[*at] = is_again ? first[*(at - 1)] : *at;
    }
    std::vector<Index> place(points.size());
    std::vector<Vec3> kept;
    for (Index i = 0; i < points.size(); ++i) {
        if (first[i] == i) {
            place[i] = static_cast<Index>(kept.size());
            kept.push_back(points[i]);
        } else {
            place[i] = place[first[i]];
        }
    }
    for (auto& t : surface.triangles)
        for (Index& corner : t)
            if (corner < place.size()) corner = place[corner];
    surface.points = std::move(kept);
}

std::vector<double> curvatures_of(const TriangleSurface& surface) {
    const std::size_t n = surface.points.size();
    std::vector<Vec3> pull(n, Vec3(0)), normals(n, Vec3(0));
    std::vector<double> area(n, 0.0);
    std::vector<std::array<Index, 2>> sides;
    for (const auto& t : surface.triangles) {
        const Vec3 normal = normal_of(surface, t);
        const double twice = glm::length(normal);
        std::array<double, 3> cosines;  // cotangents of the corners, times twice the area
        for (int k = 0; k < 3; ++k) {
            const Vec3& at = surface.points[t[k]];
            cosines[k] =
                glm::dot(surface.points[t[(k + 1) % 3]] - at, surface.points[t[(k + 2) % 3]] - at);
        }
        for (int k = 0; k < 3; ++k) {
            const Index i = t[(k + 1) % 3], j = t[(k + 2) % 3];
            const Vec3 d = surface.points[i] - surface.points[j];
            const double weight = quotient(cosines[k], twice);
            pull[i] += weight * d;
            pull[j] -= weight * d;
            normals[t[k]] += normal;
            sides.push_back({std::min(i, j), std::max(i, j)});
            const double b = cosines[(k + 1) % 3], c = cosines[(k + 2) % 3];
            const Vec3 to_b = surface.points[i] - surface.points[t[k]],
                       to_c = surface.points[j] - surface.points[t[k]];
            area[t[k]] +=
                cosines[k] < 0 ? twice / 4
                : b < 0 || c < 0
                    ? twice / 8
                    : quotient(glm::dot(to_b, to_b) * c + glm::dot(to_c, to_c) * b, 8 * twice);
        }
    }
    std::sort(sides.begin(), sides.end());
    std::vector<bool> is_border(n, false);
    for (std::size_t k = 0; k < sides.size(); ++k)
        if ((k == 0 || sides[k] != sides[k - 1]) &&
            (k + 1 == sides.size() || sides[k] != sides[k + 1]))
            is_border[sides[k][0]] = is_border[sides[k][1]] = true;
    std::vector<double> curvatures(n, 0.0);
    for (std::size_t i = 0; i < n; ++i)
        if (!is_border[i])
            curvatures[i] =
                quotient(glm::dot(pull[i], normals[i]), 2 * area[i] * glm::length(normals[i]));
    return curvatures;
}

TriangleSurface sphere_surface(int parts) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    const std::array<Vec3, 12> corners{{{-1, g, 0},
                                        {1, g, 0},
                                        {-1, -g, 0},
                                        {1, -g, 0},
                                        {0, -1, g},
                                        {0, 1, g},
                                        {0, -1, -g},
                                        {0, 1, -g},
                                        {g, 0, -1},
                                        {g, 0, 1},
                                        {-g, 0, -1},
                                        {-g, 0, 1}}};
    constexpr std::array<std::array<int, 3>, 20> faces{
        {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
         {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
         {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}}};
    TriangleSurface sphere;
    const auto add = [&](const Vec3& p) {
        sphere.points.push_back(glm::normalize(p));
        return static_cast<Index>(sphere.points.size() - 1);
    };
    for (const Vec3& corner : corners) add(corner);
    // inner points of each side, from its lower corner to the higher
    std::map<std::array<int, 2>, Index> first_of_side;
    const auto on_side = [&](int a, int b, int k) -> Index {  // k parts from a on the way to b
        if (k == 0) return static_cast<Index>(a);
        if (k == parts) return static_cast<Index>(b);
        const auto [low, high] = std::minmax(a, b);
        if (a != low) k = parts - k;
        const auto [found, is_new] = first_of_side.try_emplace({low, high}, 0);
        if (is_new) {
            found->second = static_cast<Index>(sphere.points.size());
            for (int i = 1; i < parts; ++i)
                add((double(parts - i) * corners[low] + double(i) * corners[high]) / double(parts));
        }
        return found->second + static_cast<Index>(k - 1);
    };
    for (const auto& [a, b, c] : faces) {
        // rows from the side a b to c; row k has parts - k + 1 points
        std::vector<Index> before;
        for (int i = 0; i <= parts; ++i) before.push_back(on_side(a, b, i));
        for (int k = 1; k <= parts; ++k) {
            std::vector<Index> row;
            for (int i = 0; i <= parts - k; ++i) {
                if (i == 0)
                    row.push_back(on_side(a, c, k));
                else if (i == parts - k)
                    row.push_back(on_side(b, c, k));
                else
                    row.push_back(add((double(parts - k - i) * corners[a] + double(i) * corners[b] +
                                       double(k) * corners[c]) /
                                      double(parts)));
            }
            for (std::size_t i = 0; i < row.size(); ++i) {
                sphere.triangles.push_back({before[i], before[i + 1], row[i]});
                if (i + 1 < row.size())
                    sphere.triangles.push_back({row[i], before[i + 1], row[i + 1]});
            }
            before = std::move(row);
        }
    }
    return sphere;
}

}  // namespace solenoid
