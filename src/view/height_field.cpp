#include "view/height_field.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace solenoid {
namespace {

// Of a range to its greatest magnitude: below this its values are equal up to rounding.
constexpr double rounding = 1e-6;

// A ship's hull: the bow is forward.
const Marker::Polygon ship{{-0.5, -0.38}, {-0.3, -0.5}, {0.15, -0.5}, {0.36, -0.32}, {0.5, 0},
                           {0.36, 0.32},  {0.15, 0.5},  {-0.3, 0.5},  {-0.5, 0.38}};
// Above and below the surface under the middle, in parts of the width.
constexpr double freeboard = 0.35, draught = 0.45;

using Plane = std::array<double, 2>;

double cross(const Vec3& a, const Vec3& b, const Vec3& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Weights of the corners at (x, y); none outside of the triangle, up to rounding.
std::optional<Vec3> weights_at(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& at) {
    const double whole = cross(a, b, c);
    if (!(whole > 0)) return std::nullopt;
    const Vec3 w = Vec3(cross(b, c, at), cross(c, a, at), cross(a, b, at)) / whole;
    if (std::min({w.x, w.y, w.z}) < -1e-12) return std::nullopt;
    return w;
}

Vec3 raised(const Surface& surface, const Heights& heights, Index point) {
    Vec3 drawn = surface.drawn(surface.points[point]);
    drawn.z += heights.z_of_point(point);
    return drawn;
}

// The part of the way from `from` to `to` at which the segment meets the triangle (Möller &
// Trumbore 1997), from either side; none where it does not.
std::optional<double> meeting(const Vec3& from, const Vec3& to, const std::array<Vec3, 3>& t) {
    const Vec3 way = to - from, ab = t[1] - t[0], ac = t[2] - t[0], n = glm::cross(way, ac);
    const double volume = glm::dot(ab, n);
    if (volume == 0) return std::nullopt;
    const Vec3 off = from - t[0], q = glm::cross(off, ab);
    const double u = glm::dot(off, n) / volume, v = glm::dot(way, q) / volume,
                 part = glm::dot(ac, q) / volume;
    if (u < -1e-9 || v < -1e-9 || u + v > 1 + 1e-9 || part < 0 || part > 1) return std::nullopt;
    return part;
}

// The prism over a polygon, which is drawn from `bottom` to `top`.
void add_prism(const std::vector<Vec3>& corners, double bottom, double top,
               std::vector<BodyTriangle>& bodies) {
    const auto at = [](Vec3 p, double z) {
        p.z = z;
        return p;
    };
    Vec3 middle(0);
    for (const Vec3& p : corners) middle += p / double(corners.size());
    for (std::size_t i = 0; i < corners.size(); ++i) {
        const Vec3 &a = corners[i], &b = corners[(i + 1) % corners.size()];
        bodies.push_back({{at(middle, top), at(a, top), at(b, top)}, Vec3(0, 0, 1), 1, true});
        const Vec3 side = b - a;
        const double length = glm::length(side);
        if (!(length > 0)) continue;
        const Vec3 outward = Vec3(side.y, -side.x, 0) / length;
        bodies.push_back({{at(a, bottom), at(b, bottom), at(b, top)}, outward, 0, false});
        bodies.push_back({{at(a, bottom), at(b, top), at(a, top)}, outward, 1, false});
    }
}

}  // namespace

void HeightFrame::include(const std::array<double, 2>& range) {
    const auto [low, high] = held();
    if (range_ && range[0] >= low && range[1] <= high) return;
    if (!range_) range_ = range;
    (*range_)[0] = std::min((*range_)[0], range[0]);
    (*range_)[1] = std::max((*range_)[1], range[1]);
}

std::array<double, 2> HeightFrame::held() const {
    if (!range_) return {0, 0};
    const auto [low, high] = *range_;
    const double room = 0.5 * (high - low);
    return {low - room, high + room};
}

double HeightFrame::scale(double extent) const {
    if (scale_) return *scale_;
    if (!range_) return 0;
    const auto [low, high] = *range_;
    if (high - low <= rounding * std::max(std::abs(low), std::abs(high))) return 0;
    return usual_part * extent / (high - low);
}

std::optional<double> z_at(const Surface& surface, const Heights& heights, const Vec3& at) {
    for (const auto& t : surface.triangles) {
        const Vec3 &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
        if (at.x < std::min({a.x, b.x, c.x}) || at.x > std::max({a.x, b.x, c.x}) ||
            at.y < std::min({a.y, b.y, c.y}) || at.y > std::max({a.y, b.y, c.y}))
            continue;
        if (const auto w = weights_at(a, b, c, at))
            return w->x * raised(surface, heights, t[0]).z +
                   w->y * raised(surface, heights, t[1]).z +
                   w->z * raised(surface, heights, t[2]).z;
    }
    return std::nullopt;
}

std::optional<Vec3> point_under(const Surface& surface, const Heights& heights,
                                const glm::dmat4& clip, double x, double y) {
    const glm::dmat4 back = glm::inverse(clip);
    const auto unseen = [&](double depth) {
        const glm::dvec4 p = back * glm::dvec4(x, y, depth, 1);
        return Vec3(p) / p.w;
    };
    const Vec3 near = unseen(-1), far = unseen(1);
    double nearest = 2;
    for (const auto& t : surface.triangles)
        if (const auto part =
                meeting(near, far,
                        {raised(surface, heights, t[0]), raised(surface, heights, t[1]),
                         raised(surface, heights, t[2])}))
            nearest = std::min(nearest, *part);
    if (nearest > 1) return std::nullopt;
    Vec3 point = surface.centre() + surface.scale() * (near + nearest * (far - near));
    point.z = surface.centre().z;
    return point;
}

// By A. M. Andrew (1979): the points from left to right below, and back above.
std::vector<Vec3> hull_of(const Surface& surface) {
    std::vector<Vec3> points;
    for (const Vec3& p : surface.points) points.push_back(surface.drawn(p));
    std::ranges::sort(
        points, [](const Vec3& a, const Vec3& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<Vec3> hull;
    for (int half = 0; half < 2; ++half) {
        const std::size_t first = hull.size();
        for (const Vec3& p : points) {
            while (hull.size() >= first + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0)
                hull.pop_back();
            hull.push_back(p);
        }
        std::ranges::reverse(points);
    }
    return hull;
}

// Where a body floats: the mean height of the surface ahead of it, behind it and at its sides,
// since a ship that presses on the water lies in a hollow; else that at its middle.
std::optional<double> afloat(const Surface& surface, const Heights& heights, const Marker& marker) {
    const double c = std::cos(marker.heading), s = std::sin(marker.heading);
    double sum = 0;
    int found = 0;
    for (const Plane& p : {Plane{0.6, 0}, Plane{-0.6, 0}, Plane{0, 0.8}, Plane{0, -0.8}}) {
        const double ahead = marker.length * p[0], left = marker.width * p[1];
        const Vec3 at = marker.position + Vec3(c * ahead - s * left, s * ahead + c * left, 0);
        if (const auto z = z_at(surface, heights, at)) {
            sum += *z;
            ++found;
        }
    }
    const auto middle = z_at(surface, heights, marker.position);
    return middle && found == 4 ? std::optional(sum / 4) : middle;
}

std::vector<BodyTriangle> bodies_of(const std::vector<Marker>& markers, const Surface& surface,
                                    const Heights& heights) {
    std::vector<BodyTriangle> bodies;
    for (const Marker& marker : markers) {
        const std::optional<double> z = afloat(surface, heights, marker);
        if (!z) continue;
        const Vec3 middle = surface.drawn(marker.position);
        const double c = std::cos(marker.heading), s = std::sin(marker.heading),
                     length = marker.length / surface.scale(),
                     width = marker.width / surface.scale();
        const auto add = [&](const Marker::Polygon& polygon) {
            std::vector<Vec3> corners;
            for (const Plane& p : polygon) {
                const double ahead = length * p[0], left = width * p[1];
                corners.emplace_back(middle.x + c * ahead - s * left,
                                     middle.y + s * ahead + c * left, 0);
            }
            if (!corners.empty())
                add_prism(corners, *z - draught * width, *z + freeboard * width, bodies);
        };
        if (marker.polygons.empty()) add(ship);
        for (const Marker::Polygon& polygon : marker.polygons) add(polygon);
    }
    return bodies;
}

}  // namespace solenoid
