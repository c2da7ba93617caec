// Surfaces with known areas, curvatures and faults.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <random>

#include "surface/triangle_surface.hpp"

namespace solenoid::test {

inline double cotangent(const Vec3& at, const Vec3& a, const Vec3& b) {
    const double angle =
        std::acos(std::clamp(glm::dot(glm::normalize(a - at), glm::normalize(b - at)), -1.0, 1.0));
    return 1 / std::tan(angle);
}

// Flips edges whose opposite angles are more than two right ones together, until none is left.
inline void make_delaunay(TriangleSurface& surface) {
    for (int pass = 0; pass < 100; ++pass) {
        std::map<std::array<Index, 2>, std::vector<std::array<Index, 2>>>
            sides;  // triangle, corner
        for (Index t = 0; t < surface.triangles.size(); ++t)
            for (Index k = 0; k < 3; ++k) {
                const auto [a, b] = std::minmax(surface.triangles[t][(k + 1) % 3],
                                                surface.triangles[t][(k + 2) % 3]);
                sides[{a, b}].push_back({t, k});
            }
        int flips = 0;
        std::vector<bool> is_touched(surface.triangles.size(), false);
        for (const auto& [ends, of] : sides) {
            if (of.size() != 2 || is_touched[of[0][0]] || is_touched[of[1][0]]) continue;
            auto &s = surface.triangles[of[0][0]], &t = surface.triangles[of[1][0]];
            const Index p = s[of[0][1]], a = s[(of[0][1] + 1) % 3], b = s[(of[0][1] + 2) % 3],
                        q = t[of[1][1]];
            const auto& x = surface.points;
            if (cotangent(x[p], x[a], x[b]) + cotangent(x[q], x[a], x[b]) > -1e-9) continue;
            if (sides.contains({std::min(p, q), std::max(p, q)})) continue;
            s = {p, a, q};
            t = {q, b, p};
            is_touched[of[0][0]] = is_touched[of[1][0]] = true;
            ++flips;
        }
        if (flips == 0) return;
    }
}

// A unit sphere whose points lie anywhere, with five to eight triangles at a point.
inline TriangleSurface random_sphere(int parts, unsigned seed = 7) {
    TriangleSurface sphere = sphere_surface(parts);
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> shift(-0.4 / parts, 0.4 / parts);
    for (Vec3& p : sphere.points)
        p = glm::normalize(p + Vec3(shift(random), shift(random), shift(random)));
    make_delaunay(sphere);
    return sphere;
}

// The sphere with its points moved in and out by up to `size`.
inline TriangleSurface noisy_sphere(int parts, double size) {
    TriangleSurface sphere = sphere_surface(parts);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> factor(1 - size, 1 + size);
    for (Vec3& p : sphere.points) p *= factor(random);
    return sphere;
}

// A tube of radius 1 about the z axis, from -half to half, open at its ends.
inline TriangleSurface tube(int round, int along, double half) {
    TriangleSurface surface;
    const double part = 2 * std::acos(-1.0) / round;
    for (int j = 0; j <= along; ++j)
        for (int i = 0; i < round; ++i) {
            const double angle = part * (i + 0.5 * (j % 2));
            surface.points.emplace_back(std::cos(angle), std::sin(angle),
                                        half * (2.0 * j / along - 1));
        }
    const auto at = [&](int i, int j) { return static_cast<Index>(j * round + i % round); };
    for (int j = 0; j < along; ++j)
        for (int i = 0; i < round; ++i) {
            const int up = j % 2;
            surface.triangles.push_back({at(i, j), at(i + 1, j), at(i + up, j + 1)});
            surface.triangles.push_back({at(i + 1 - up, j), at(i + 1, j + 1), at(i, j + 1)});
        }
    return surface;
}

}  // namespace solenoid::test
