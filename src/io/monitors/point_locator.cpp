#include "io/monitors/point_locator.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <numeric>
#include <optional>

#include "mesh/geometry.hpp"

namespace solenoid {

namespace {

struct Box : Bounds {
    Box grown(double by) const { return {{low - Vec3(by), high + Vec3(by)}}; }
    bool contains(const Vec3& p) const {
        return glm::all(glm::lessThanEqual(low, p)) && glm::all(glm::lessThanEqual(p, high));
    }
    bool meets(const Box& other) const {
        return glm::all(glm::lessThanEqual(low, other.high)) &&
               glm::all(glm::lessThanEqual(other.low, high));
    }
};

Box box_of(std::span<const Vec3> points) {
    Box box;
    for (const Vec3& p : points) box.add(p);
    return box;
}

Box box_of_cell(const Topology& topology, Index cell) {
    Box box;
    const int corners = topology.nodes_of(cell).size();
    for (int j = 0; j < corners; ++j) box.add(topology.corner(cell, j));
    return box;
}

// Of the box round all cells held, as the cells see their corners.
double diagonal(const Communicator& comm, const Topology& topology) {
    Bounds box;
    if (topology.is_periodic())
        for (Index c = 0; c < topology.range(Kind::cell).all; ++c) {
            const int corners = topology.nodes_of(c).size();
            for (int j = 0; j < corners; ++j) box.add(topology.corner(c, j));
        }
    else
        for (Index i = 0; i < topology.range(Kind::node).all; ++i) box.add(topology.position(i));
    comm.min(std::span(&box.low[0], 3));
    comm.max(std::span(&box.high[0], 3));
    return glm::length(box.high - box.low);
}

// Points sorted along the direction of their largest extent.
class SortedPoints {
  public:
    explicit SortedPoints(std::span<const Vec3> points)
        : points_(points), box_(box_of(points)), order_(points.size()) {
        const Vec3 extent = box_.high - box_.low;
        for (int k = 1; k < 3; ++k)
            if (extent[k] > extent[axis_]) axis_ = k;
        std::iota(order_.begin(), order_.end(), Index(0));
        std::ranges::stable_sort(order_, {}, [this](Index i) { return points_[i][axis_]; });
    }

    template <class Visit>
    void visit_inside(const Box& box, Visit visit) const {
        if (!box.meets(box_)) return;
        const auto along = [this](Index i) { return points_[i][axis_]; };
        for (auto i = std::ranges::lower_bound(order_, box.low[axis_], {}, along);
             i != order_.end() && along(*i) <= box.high[axis_]; ++i)
            if (box.contains(points_[*i])) visit(*i);
    }

  private:
    std::span<const Vec3> points_;
    Box box_;
    int axis_ = 0;
    std::vector<Index> order_;
};

using Weights = std::optional<std::array<double, 4>>;

// The shape functions of a simplex at a point: that of node j is the distance from the face
// opposite it divided by the height of node j above this face. Absent where the point is more than
// `tolerance` outside a face.
Weights weights_in_simplex(const Topology& topology, Index cell, int corners, const Vec3& point,
                           double tolerance) {
    std::array<double, 4> weight{};
    for (int j = 0; j < corners; ++j) {
        const Vec3 outward = topology.side_area(cell, j);
        const Vec3 on_face = topology.corner(cell, j == 0 ? 1 : 0);
        // distance times the area of the face
        const double beyond = glm::dot(point - on_face, outward);
        if (beyond > tolerance * glm::length(outward)) return {};
        weight[j] = beyond / glm::dot(topology.corner(cell, j) - on_face, outward);
    }
    return weight;
}

double cross(const Vec3& a, const Vec3& b) { return a.x * b.y - a.y * b.x; }

// The bilinear shape functions at a point x = x0 + s e + t f + s t g, found by Newton's method from
// the centre: in a convex quadrilateral s and t are unique. Absent as above, and where the
// quadrilateral has no area.
Weights weights_in_quadrilateral(const Topology& topology, Index cell, const Vec3& point,
                                 double tolerance) {
    std::array<Vec3, 4> x;
    for (int j = 0; j < 4; ++j) x[j] = topology.corner(cell, j);
    for (int j = 0; j < 4; ++j) {
        const Vec3 along = x[(j + 1) % 4] - x[j];
        if (cross(point - x[j], along) > tolerance * glm::length(along)) return {};
    }
    const Vec3 e = x[1] - x[0], f = x[3] - x[0], g = x[0] - x[1] + x[2] - x[3];
    double s = 0.5, t = 0.5;
    constexpr int most_iterations = 50;
    for (int i = 0; i < most_iterations; ++i) {
        const Vec3 by_s = e + t * g, by_t = f + s * g;
        const Vec3 rest = point - (x[0] + s * e + t * by_t);
        const double area = cross(by_s, by_t);
        if (!(std::abs(area) > 0)) return {};
        const double ds = cross(rest, by_t) / area, dt = cross(by_s, rest) / area;
        s += ds;
        t += dt;
        if (std::abs(ds) + std::abs(dt) < 1e-15) break;
    }
    return std::array{(1 - s) * (1 - t), s * (1 - t), s * t, (1 - s) * t};
}

Weights weights(const Topology& topology, Index cell, const Vec3& point, double tolerance) {
    const CellNodes nodes = topology.nodes_of(cell);
    return nodes.shape == CellShape::quadrilateral
               ? weights_in_quadrilateral(topology, cell, point, tolerance)
               : weights_in_simplex(topology, cell, nodes.size(), point, tolerance);
}

constexpr double unclaimed = std::numeric_limits<double>::max();

}  // namespace

LocatedPoints locate(const Communicator& comm, const Topology& topology,
                     std::span<const Vec3> points) {
    const double tolerance = 1e-9 * diagonal(comm, topology);
    const SortedPoints sorted(points);

    // The smallest cell on this rank that contains each point, then the smallest on any rank.
    // Doubles hold cell numbers exactly.
    std::vector<PointInCell> candidate(points.size());
    std::vector<double> number(points.size(), unclaimed);
    for (Index cell = 0; cell < topology.range(Kind::cell).owned; ++cell)
        sorted.visit_inside(box_of_cell(topology, cell).grown(tolerance), [&](Index i) {
            const auto cell_number = static_cast<double>(topology.cell_number(cell));
            if (cell_number >= number[i]) return;
            if (const auto weight = weights(topology, cell, points[i], tolerance)) {
                candidate[i] = {i, cell, *weight};
                number[i] = cell_number;
            }
        });
    std::vector<double> smallest = number;
    comm.min(smallest);

    LocatedPoints located;
    located.found.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
        located.found[i] = smallest[i] != unclaimed;
        if (located.found[i] && smallest[i] == number[i]) located.here.push_back(candidate[i]);
    }
    return located;
}

}  // namespace solenoid
