#include "io/monitors/point_locator.hpp"

#include <algorithm>
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

Box box_of_cell(const Mesh& mesh, Index cell) {
    Box box;
    for (int j = 0; j <= mesh.dimension; ++j) box.add(mesh.corner(cell, j));
    return box;
}

double diagonal(const Communicator& comm, const Mesh& mesh) {
    Bounds box = bounds(mesh);
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

// The shape functions at a point: that of node j is the distance from the face opposite it divided
// by the height of node j above this face. Absent where the point is more than `tolerance` outside
// a face.
std::optional<std::array<double, 4>> weights(const Mesh& mesh, Index cell, const Vec3& point,
                                             double tolerance) {
    std::array<double, 4> weight{};
    for (int j = 0; j <= mesh.dimension; ++j) {
        const Vec3 outward = opposite_area(mesh, cell, j);
        const Vec3 on_face = mesh.corner(cell, j == 0 ? 1 : 0);
        // distance times the area of the face
        const double beyond = glm::dot(point - on_face, outward);
        if (beyond > tolerance * glm::length(outward)) return {};
        weight[j] = beyond / glm::dot(mesh.corner(cell, j) - on_face, outward);
    }
    return weight;
}

constexpr double unclaimed = std::numeric_limits<double>::max();

}  // namespace

LocatedPoints locate(const Communicator& comm, const DistributedMesh& distributed,
                     std::span<const Vec3> points) {
    const Mesh& mesh = distributed.mesh;
    const double tolerance = 1e-9 * diagonal(comm, mesh);
    const SortedPoints sorted(points);

    // The smallest cell on this rank that contains each point, then the smallest on any rank.
    // Doubles hold cell numbers exactly.
    std::vector<PointInCell> candidate(points.size());
    std::vector<double> number(points.size(), unclaimed);
    for (Index cell = 0; cell < distributed.range(Kind::cell).owned; ++cell)
        sorted.visit_inside(box_of_cell(mesh, cell).grown(tolerance), [&](Index i) {
            const auto cell_number = static_cast<double>(mesh.cell_number[cell]);
            if (cell_number >= number[i]) return;
            if (const auto weight = weights(mesh, cell, points[i], tolerance)) {
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
