#include "surface/flow/flow_limits.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <utility>

namespace solenoid {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Adds the volume between each border and the middle of its points.
void close_borders(const CheckedSurface& surface, std::vector<PartMeasures>& parts) {
    if (surface.is_closed()) return;
    const auto& points = surface.surface.points;
    std::vector<Index> after(points.size(), none);
    for (const auto& [from, to, opposite, other] : surface.edges)
        if (other == none) after[from] = to;
    std::vector<Index> line;
    for (Index i = 0; i < after.size(); ++i) {
        line.clear();
        for (Index at = i; after[at] != none; at = std::exchange(after[at], none))
            line.push_back(at);
        if (line.empty()) continue;
        PartMeasures& part = parts[surface.part_of_point[i]];
        const Vec3 centre = 0.5 * (part.low + part.high);
        Vec3 middle(0);
        for (const Index k : line) middle += (points[k] - centre) / double(line.size());
        for (std::size_t k = 0; k < line.size(); ++k) {
            const Vec3 a = points[line[k]] - centre,
                       b = points[line[(k + 1) % line.size()]] - centre;
            part.volume += glm::dot(middle, glm::cross(b, a)) / 6;
        }
    }
}

}  // namespace

double PartMeasures::usual_time() const {
    const double thickness = std::abs(volume) / area;
    return 0.2 * thickness * thickness + 0.016 * turned * turned * area;
}

bool has_volume(const PartMeasures& part) {
    constexpr double least = 1e-9;  // over area^(3/2)
    return std::abs(part.volume) >= least * std::pow(part.area, 1.5);
}

std::vector<PartMeasures> measures_of(const CheckedSurface& surface) {
    const auto& points = surface.surface.points;
    std::vector<PartMeasures> parts(surface.parts(), {Vec3(infinity), Vec3(-infinity)});
    std::vector<Vec3> normals(parts.size(), Vec3(0));
    for (std::size_t i = 0; i < points.size(); ++i) {
        PartMeasures& part = parts[surface.part_of_point[i]];
        part.low = glm::min(part.low, points[i]);
        part.high = glm::max(part.high, points[i]);
    }
    for (std::size_t t = 0; t < surface.surface.triangles.size(); ++t) {
        const auto& [a, b, c] = surface.surface.triangles[t];
        const Index at = surface.part_of_triangle[t];
        PartMeasures& part = parts[at];
        const Vec3 x = points[a] - 0.5 * (part.low + part.high),
                   normal = glm::cross(points[b] - points[a], points[c] - points[a]);
        part.area += glm::length(normal) / 2;
        part.volume += glm::dot(x, normal) / 6;
        normals[at] += normal / 2.0;
    }
    for (const auto& edge : surface.edges) {
        PartMeasures& part = parts[surface.part_of_point[edge[0]]];
        part.edge += glm::length(points[edge[0]] - points[edge[1]]);
        ++part.edges;
    }
    close_borders(surface, parts);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        parts[k].edge /= parts[k].edges;
        if (!surface.part_is_closed[k]) parts[k].turned = glm::length(normals[k]) / parts[k].area;
    }
    return parts;
}

FlowLimit limit_of(const CheckedSurface& surface, const std::vector<bool>& spared) {
    const auto& points = surface.surface.points;
    const std::vector<PartMeasures> parts = measures_of(surface);
    std::vector<double> radius(parts.size(), 0.0);
    for (std::size_t i = 0; i < points.size(); ++i) {
        const Index part = surface.part_of_point[i];
        const Vec3 middle = 0.5 * (parts[part].low + parts[part].high);
        radius[part] = std::max(radius[part], glm::length(points[i] - middle));
    }
    FlowLimit limit{infinity, none, infinity};
    for (Index part = 0; part < parts.size(); ++part) {
        if (!surface.part_is_closed[part] || radius[part] >= limit.radius) continue;
        if (!spared.empty() && spared[part]) continue;
        limit = {radius[part] * radius[part] / 4, part, radius[part]};
    }
    return limit;
}

UsualFlow usual_flow_of(const std::vector<PartMeasures>& parts) {
    constexpr double share_of_thin = 0.05;
    std::vector<Index> order(parts.size());
    std::iota(order.begin(), order.end(), Index(0));
    std::ranges::stable_sort(order, {}, [&](Index k) { return parts[k].usual_time(); });
    double area = 0;
    for (const PartMeasures& part : parts) area += part.area;
    UsualFlow usual{0, 0, none, std::vector<bool>(parts.size(), false)};
    double area_of_thin = 0, edges = 0;
    for (const Index k : order) {
        area_of_thin += parts[k].area;
        if (usual.thinnest == none && area_of_thin <= share_of_thin * area) {
            usual.thin[k] = true;
            continue;
        }
        if (usual.thinnest == none) {
            usual.thinnest = k;
            usual.time = parts[k].usual_time();
        }
        usual.edge += parts[k].edges * parts[k].edge;
        edges += parts[k].edges;
    }
    usual.edge /= edges;
    return usual;
}

std::string triangle_of(const CheckedSurface& surface, Index part) {
    const auto first = std::ranges::find(surface.part_of_triangle, part);
    return triangle_text(surface.surface,
                         static_cast<Index>(first - surface.part_of_triangle.begin()));
}

}  // namespace solenoid
