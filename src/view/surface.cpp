#include "view/surface.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <tuple>

#include "mesh/simplex.hpp"
#include "parallel/bytes.hpp"
#include "parallel/periodic_geometry.hpp"

namespace solenoid {
namespace {

struct Triangle {
    GlobalIndex cell;
    std::array<Index, 3> nodes;
};

struct NumberedPoint {
    GlobalIndex number;
    Vec3 point;
};

// Triangles of this rank's owned cells, in points of the periodic geometry. A face next to a ghost
// has two cells here, so that a face with one cell is on the boundary of the whole mesh. In the
// periodic geometry the mesh also ends at its periodic sides.
std::vector<Triangle> visible_triangles(const Topology& topology,
                                        const PeriodicGeometry& periodic_geometry) {
    std::vector<Triangle> triangles;
    for (Index c = 0; c < topology.range(Kind::cell).owned; ++c) {
        const GlobalIndex number = topology.cell_number(c);
        const CellNodes points = periodic_geometry.points_of(c);
        if (dimension_of(points.shape) == 2) {
            for (const auto& corner : simplices_of(points.shape))
                triangles.push_back(
                    {number, {points[corner[0]], points[corner[1]], points[corner[2]]}});
            continue;
        }
        for (int j = 0; j < points.size(); ++j)
            if (topology.beyond(c, j) != Beyond::cell)
                triangles.push_back({number, outward_face<3>(points.begin(), j)});
    }
    return triangles;
}

// Renumbers the triangles' points by the list of points used, which it returns.
std::vector<Index> compress(std::vector<Triangle>& triangles, Index point_count) {
    std::vector<Index> place(point_count, none), nodes;
    for (Triangle& t : triangles)
        for (Index& n : t.nodes) {
            if (place[n] == none) {
                place[n] = static_cast<Index>(nodes.size());
                nodes.push_back(n);
            }
            n = place[n];
        }
    return nodes;
}

// The points of all ranks in ascending global number, each once. Returns for each rank the new
// places of its points.
std::vector<std::vector<Index>> merge_points(
    const std::vector<std::vector<NumberedPoint>>& of_ranks, std::vector<Vec3>& points) {
    std::vector<NumberedPoint> all;
    for (const auto& some : of_ranks) all.insert(all.end(), some.begin(), some.end());
    const auto less = [](const NumberedPoint& a, const NumberedPoint& b) {
        return a.number < b.number;
    };
    const auto same = [](const NumberedPoint& a, const NumberedPoint& b) {
        return a.number == b.number;
    };
    std::stable_sort(all.begin(), all.end(), less);
    all.erase(std::unique(all.begin(), all.end(), same), all.end());

    points.resize(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) points[i] = all[i].point;
    std::vector<std::vector<Index>> place(of_ranks.size());
    for (std::size_t r = 0; r < of_ranks.size(); ++r)
        for (const NumberedPoint& p : of_ranks[r]) {
            const auto found = std::lower_bound(all.begin(), all.end(), p, less);
            place[r].push_back(static_cast<Index>(found - all.begin()));
        }
    return place;
}

// Triangles in the order of their cells, which are added to `cells`, within a cell in the order of
// their nodes; each begins with its lowest node.
std::vector<std::array<Index, 3>> merge_triangles(
    const std::vector<std::vector<Triangle>>& of_ranks,
    const std::vector<std::vector<Index>>& point_of, std::vector<GlobalIndex>& cells) {
    std::vector<Triangle> all;
    for (std::size_t r = 0; r < of_ranks.size(); ++r)
        for (Triangle t : of_ranks[r]) {
            for (Index& n : t.nodes) n = point_of[r][n];
            std::rotate(t.nodes.begin(), std::min_element(t.nodes.begin(), t.nodes.end()),
                        t.nodes.end());
            all.push_back(t);
        }
    std::sort(all.begin(), all.end(), [](const Triangle& a, const Triangle& b) {
        return a.cell != b.cell ? a.cell < b.cell : a.nodes < b.nodes;
    });
    std::vector<std::array<Index, 3>> triangles(all.size());
    std::transform(all.begin(), all.end(), triangles.begin(),
                   [](const Triangle& t) { return t.nodes; });
    for (const Triangle& t : all) cells.push_back(t.cell);
    return triangles;
}

Rows triangles_of_points(const Surface& surface) {
    Rows rows;
    rows.start.assign(surface.points.size() + 1, 0);
    for (const auto& t : surface.triangles)
        for (const Index n : t) ++rows.start[n + 1];
    std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
    rows.index.resize(rows.start.back());
    std::vector<Index> next(rows.start.begin(), rows.start.end() - 1);
    for (Index t = 0; t < surface.triangles.size(); ++t)
        for (const Index n : surface.triangles[t]) rows.index[next[n]++] = t;
    return rows;
}

const double crease_cosine = std::cos(40 * std::acos(-1.0) / 180);

bool is_smooth(const Vec3& a, const Vec3& b) {
    return glm::dot(a, b) > crease_cosine * glm::length(a) * glm::length(b);
}

std::vector<Vec3> area_vectors(const Surface& surface) {
    std::vector<Vec3> areas;
    for (const auto& t : surface.triangles) {
        const Vec3 &a = surface.points[t[0]], &b = surface.points[t[1]], &c = surface.points[t[2]];
        areas.push_back(0.5 * glm::cross(b - a, c - a));
    }
    return areas;
}

// The normal of a corner: the mean of the area vectors of triangles at its point whose normal is
// within the crease angle of the triangle's own.
std::vector<std::array<glm::vec3, 3>> corner_normals(const Surface& surface,
                                                     const std::vector<Vec3>& areas) {
    const Rows around = triangles_of_points(surface);
    std::vector<std::array<glm::vec3, 3>> normals(surface.triangles.size());
    for (std::size_t t = 0; t < normals.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            Vec3 sum = areas[t];
            const Index n = surface.triangles[t][i];
            for (const Index* other = around.begin(n); other != around.end(n); ++other)
                if (*other != t && is_smooth(areas[t], areas[*other])) sum += areas[*other];
            const double length = glm::length(sum);
            normals[t][i] = length > 0 ? glm::vec3(sum / length) : glm::vec3(0, 0, 1);
        }
    return normals;
}

// Flags of sides where two triangles meet at more than the crease angle, or that are not shared by
// two triangles; and of those within a cell of a plane mesh.
std::vector<std::uint8_t> crease_flags(const Surface& surface, const std::vector<Vec3>& areas,
                                       const std::vector<GlobalIndex>& cells) {
    struct TriangleSide {
        Index a, b, triangle, corner;
    };
    std::vector<TriangleSide> sides;
    for (Index t = 0; t < surface.triangles.size(); ++t)
        for (Index i = 0; i < 3; ++i) {
            const auto [a, b] =
                std::minmax(surface.triangles[t][(i + 1) % 3], surface.triangles[t][(i + 2) % 3]);
            sides.push_back({a, b, t, i});
        }
    std::sort(sides.begin(), sides.end(), [](const TriangleSide& s, const TriangleSide& t) {
        return std::tie(s.a, s.b, s.triangle) < std::tie(t.a, t.b, t.triangle);
    });

    std::vector<std::uint8_t> flags(surface.triangles.size(), 0);
    for (std::size_t i = 0, end; i < sides.size(); i = end) {
        for (end = i + 1;
             end < sides.size() && sides[end].a == sides[i].a && sides[end].b == sides[i].b;)
            ++end;
        if (end == i + 2 && is_smooth(areas[sides[i].triangle], areas[sides[i + 1].triangle])) {
            const bool is_within =
                surface.dimension == 2 && cells[sides[i].triangle] == cells[sides[i + 1].triangle];
            for (std::size_t k = i; k < end && is_within; ++k)
                flags[sides[k].triangle] |= std::uint8_t(8u << sides[k].corner);
            continue;
        }
        for (std::size_t k = i; k < end; ++k)
            flags[sides[k].triangle] |= std::uint8_t(1u << sides[k].corner);
    }
    return flags;
}

void set_bounds(Surface& surface) {
    if (surface.points.empty()) return;
    surface.low = surface.high = surface.points[0];
    for (const Vec3& p : surface.points) {
        surface.low = glm::min(surface.low, p);
        surface.high = glm::max(surface.high, p);
    }
}

}  // namespace

double Surface::scale() const {
    const Vec3 extent = high - low;
    const double longest = std::max({extent.x, extent.y, extent.z});
    return longest > 0 ? longest : 1;
}

Surface surface_of(std::vector<Vec3> points, std::vector<std::array<Index, 3>> triangles) {
    Surface surface;
    surface.triangles = std::move(triangles);
    move_points(surface, std::move(points));
    set_bounds(surface);
    return surface;
}

void move_points(Surface& surface, std::vector<Vec3> points) {
    surface.points = std::move(points);
    const std::vector<Vec3> areas = area_vectors(surface);
    surface.normals = corner_normals(surface, areas);
    surface.creases = crease_flags(surface, areas, {});
}

SurfaceGather::SurfaceGather(const Communicator& comm, const Topology& topology)
    : comm_(comm), marked_nodes_(topology.range(Kind::node).owned) {
    const PeriodicGeometry periodic_geometry(topology, topology.range(Kind::cell).owned);
    std::vector<Triangle> triangles = visible_triangles(topology, periodic_geometry);
    std::vector<NumberedPoint> points;
    for (const Index p : compress(triangles, periodic_geometry.size())) {
        nodes_.push_back(periodic_geometry.node(p));
        points.push_back({periodic_geometry.number(p), periodic_geometry.position(p)});
    }

    const auto point_bytes = comm_.gather(bytes_of(points));
    const auto triangle_bytes = comm_.gather(bytes_of(triangles));
    surface_.dimension = topology.dimension();
    if (!comm_.is_root()) return;

    std::vector<std::vector<NumberedPoint>> all_points;
    std::vector<std::vector<Triangle>> all_triangles;
    for (const auto& bytes : point_bytes) all_points.push_back(values_in<NumberedPoint>(bytes));
    for (const auto& bytes : triangle_bytes) all_triangles.push_back(values_in<Triangle>(bytes));
    point_of_ = merge_points(all_points, surface_.points);
    std::vector<GlobalIndex> cells;
    surface_.triangles = merge_triangles(all_triangles, point_of_, cells);
    const std::vector<Vec3> areas = area_vectors(surface_);
    surface_.normals = corner_normals(surface_, areas);
    surface_.creases = crease_flags(surface_, areas, cells);
    set_bounds(surface_);
}

std::array<double, 2> SurfaceGather::range(std::span<const double> node_values) const {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double low = infinity, high = -infinity;
    for (Index i = 0; i < marked_nodes_; ++i) {
        if (!std::isfinite(node_values[i])) continue;
        low = std::min(low, node_values[i]);
        high = std::max(high, node_values[i]);
    }
    low = comm_.min(low);
    high = comm_.max(high);
    if (low > high) return {0, 0};
    return {low, high};
}

std::vector<float> SurfaceGather::gather(std::span<const double> node_values, double low,
                                         double high) const {
    std::vector<float> mine(nodes_.size());
    for (std::size_t i = 0; i < mine.size(); ++i) {
        const double place = (node_values[nodes_[i]] - low) / (high - low);
        mine[i] =
            std::isfinite(place) ? static_cast<float>(std::clamp(place, -1e4, 1e4)) : not_a_value;
    }
    const auto bytes = comm_.gather(bytes_of(mine));
    if (!comm_.is_root()) return {};

    std::vector<float> values(surface_.points.size(), not_a_value);
    for (std::size_t r = 0; r < bytes.size(); ++r) {
        const auto of_rank = values_in<float>(bytes[r]);
        for (std::size_t i = 0; i < of_rank.size(); ++i) values[point_of_[r][i]] = of_rank[i];
    }
    return values;
}

}  // namespace solenoid
