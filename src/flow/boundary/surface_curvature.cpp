// The surface at a face is that of
//   z = c + s . x + x . H x / 2 + g z^2 / 2,   z along the face's outward normal,
// which fits the nodes of the faces round it by least squares. With g = (k1^3 + k2^3) / (k1^2 +
// k2^2), k the eigenvalues of H, circles, spheres and cylinders along the face are exact. Otherwise
// curvatures are of first order, normals of second.
#include "flow/boundary/surface_curvature.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>

#include "core/transposed_incidence.hpp"
#include "flow/discretization/principal_axes.hpp"
#include "flow/discretization/singular_values.hpp"
#include "mesh/coarse_curves.hpp"
#include "parallel/entity_subset.hpp"
#include "parallel/fill_ghosts.hpp"

namespace solenoid {
namespace {

// Nodes that leave the face's plane by less, over their distance, lie in it but for rounding.
constexpr double least_height = 1e-7;
// Directions that the nodes determine by less, over the best determined one, have no curvature.
constexpr double least_determined = 0.02;
// Where a parabola leaves more than this part of what is curved, the surface has an edge.
constexpr double most_left = 0.3;

using Dense = Eigen::MatrixXd;
using Column = Eigen::VectorXd;

Dense inverse_of(const Dense& m, double negligible) {
    DenseMatrix given(static_cast<Index>(m.rows()), static_cast<Index>(m.cols()));
    std::copy_n(m.data(), given.entries.size(), given.entries.data());
    const DenseMatrix found = pseudo_inverse(given, negligible);
    return Eigen::Map<const Dense>(found.entries.data(), m.cols(), m.rows());
}

struct Frame {
    Vec3 origin, normal;
    std::vector<Vec3> axes;  // in the plane of the face, 1 or 2
};

struct Surface {
    double c = 0, g = 0;
    Eigen::Vector2d s{0, 0};
    Eigen::Matrix2d h = Eigen::Matrix2d::Zero();

    // F = z - c - s . x - x . H x / 2 - g z^2 / 2, its gradient, and a . grad grad F b.
    double value(const Vec3& at) const {
        const Eigen::Vector2d x(at.x, at.y);
        return at.z - c - s.dot(x) - x.dot(h * x) / 2 - g / 2 * at.z * at.z;
    }
    double second(const Vec3& a, const Vec3& b) const {
        return -Eigen::Vector2d(a.x, a.y).dot(h * Eigen::Vector2d(b.x, b.y)) - g * a.z * b.z;
    }
    Vec3 gradient(double x, double y, double z) const {
        const Eigen::Vector2d along = s + h * Eigen::Vector2d(x, y);
        return {-along[0], -along[1], 1 - g * z};
    }
};

// Fits the surface to points relative to the frame, the last component of which is z. Returns false
// where they lie in a plane, or no smooth surface fits them.
bool fit(const std::vector<Vec3>& points, int axes, Surface& surface) {
    const auto count = static_cast<Eigen::Index>(points.size());
    double far = 0, high = 0;
    Eigen::Vector2d size(0, 0);
    for (const Vec3& p : points) {
        far = std::max(far, std::hypot(p.x, p.y));
        high = std::max(high, std::abs(p.z));
        size[0] = std::max(size[0], std::abs(p.x));
        size[1] = std::max(size[1], std::abs(p.y));
    }
    if (high <= least_height * far) return false;
    const int quadratics = axes == 1 ? 1 : 3;
    Dense linear(count, axes + 1), quadratic(count, quadratics);
    Column weight(count), z(count);
    for (Eigen::Index i = 0; i < count; ++i) {
        const Vec3& p = points[i];
        const double x = p.x / size[0], y = axes == 1 ? 0 : p.y / size[1];
        weight[i] = 1 / std::sqrt(0.1 + x * x + y * y);
        z[i] = p.z;
        linear(i, 0) = 1;
        linear(i, 1) = x;
        quadratic(i, 0) = x * x / 2;
        if (axes == 1) continue;
        linear(i, 2) = y;
        quadratic(i, 1) = x * y;
        quadratic(i, 2) = y * y / 2;
    }
    const auto w = weight.asDiagonal();
    // what is beyond a plane
    // products of few columns: small ones need no blocks, nor this room Eigen's code of them
    const Dense weighted = w * linear, of_linear = inverse_of(weighted, 1e-10);
    const auto beyond = [&](const auto& columns) {
        const Dense all = w * columns, of_plane = of_linear.lazyProduct(all);
        return Dense(all - weighted.lazyProduct(of_plane));
    };
    const Dense rest = beyond(quadratic), of_quadratic = inverse_of(rest, least_determined);
    Column parabola = Column::Zero(quadratics), height = z;
    for (int pass = 0; pass < 30; ++pass) {
        height = z - surface.g / 2 * z.cwiseProduct(z);
        parabola = of_quadratic.lazyProduct(beyond(height));
        surface.h(0, 0) = parabola[0] / (size[0] * size[0]);
        if (axes == 2) {
            surface.h(0, 1) = surface.h(1, 0) = parabola[1] / (size[0] * size[1]);
            surface.h(1, 1) = parabola[2] / (size[1] * size[1]);
        }
        const double trace = surface.h.trace(), square = surface.h.squaredNorm();
        const double cube = (surface.h * surface.h * surface.h).trace();
        const double before = surface.g;
        surface.g = square > 0 ? cube / square : 0;
        if (std::abs(surface.g - before) <= 1e-15 * std::abs(trace)) break;
    }
    const Column curved = rest * parabola;
    if ((beyond(height) - curved).norm() > most_left * curved.norm()) return false;
    const Column plane = of_linear * (w * (height - quadratic * parabola));
    surface.c = plane[0];
    for (int k = 0; k < axes; ++k) surface.s[k] = plane[k + 1] / size[k];
    return true;
}

CurvedFace curved_face(const Surface& surface, const Frame& frame,
                       const std::array<Vec3, 3>& corners, int dimension) {
    CurvedFace result;
    // The foot on the surface of the normal through the face's centroid, and its distance.
    const Vec3 up = glm::normalize(surface.gradient(0, 0, 0));
    double depth = 0;
    for (int pass = 0; pass < 30; ++pass) {
        const Vec3 x = depth * up;
        depth -= surface.value(x) / glm::dot(surface.gradient(x.x, x.y, x.z), up);
    }
    const Vec3 foot = depth * up, gradient = surface.gradient(foot.x, foot.y, foot.z);
    const double steepness = glm::length(gradient);
    const Vec3 n = gradient / steepness;
    const auto axes = static_cast<int>(frame.axes.size());
    // S = grad grad F / |grad F| along the surface there, in the face's axes turned into its plane
    std::array<Vec3, 2> along{};
    for (int i = 0; i < axes; ++i) {
        along[i][i] = 1;
        along[i] = turned(along[i], Vec3(0, 0, 1), n);
    }
    Eigen::Matrix2d bend = Eigen::Matrix2d::Zero();
    for (int i = 0; i < axes; ++i)
        for (int j = 0; j < axes; ++j) bend(i, j) = surface.second(along[i], along[j]) / steepness;
    if (axes == 1) {
        result.direction[0] = frame.axes[0];
        result.curvature[0] = bend(0, 0);
    } else {
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> modes;
        modes.computeDirect(bend);  // needs no products of blocks
        for (int k = 0; k < 2; ++k) {
            result.curvature[k] = modes.eigenvalues()[k];
            result.direction[k] = modes.eigenvectors()(0, k) * frame.axes[0] +
                                  modes.eigenvectors()(1, k) * frame.axes[1];
        }
    }
    for (int k = 0; k < axes; ++k)  // of the parallel surface through the centroid
        result.curvature[k] /= 1 - std::min(result.curvature[k] * depth, 0.5);
    const auto to_world = [&](const Vec3& v) {
        Vec3 sum = v.z * frame.normal + v.x * frame.axes[0];
        if (frame.axes.size() > 1) sum += v.y * frame.axes[1];
        return sum;
    };
    for (int j = 0; j < dimension; ++j) {
        const Vec3 r = corners[j] - frame.origin;
        const double x = glm::dot(r, frame.axes[0]), y = axes > 1 ? glm::dot(r, frame.axes[1]) : 0;
        result.normal[j] =
            glm::normalize(to_world(surface.gradient(x, y, glm::dot(r, frame.normal))));
    }
    result.depth = depth;
    result.is_curved = true;
    return result;
}

struct Node {
    GlobalIndex number;
    Vec3 place;
};

// The nodes of the faces round a face that go on along its surface, where the face's first cell
// sees them, in the order of their numbers. None where a face round it turns by so much that the
// mesh may not resolve the surface.
class NodesRound {
  public:
    NodesRound(const Mesh& m, const std::function<bool(Index)>& on_boundary,
               const std::function<Vec3(Index)>& normal)
        : m_(m), normal_(normal), faces_(inverse_rows(m.face_nodes, m.nodes(), on_boundary)) {}
    std::vector<Node> of(Index face) const {
        std::map<GlobalIndex, Vec3> found;
        const Index* nodes = m_.nodes_of(Kind::face, face);
        const std::array<Vec3, 3> corners = m_.face_corners(face);
        for (int j = 0; j < m_.dimension; ++j)
            for (const Index* at = faces_.begin(nodes[j]); at != faces_.end(nodes[j]); ++at) {
                const Index other = entity_of(*at);
                const FacesMeet meet = how_faces_meet(normal_(other), normal_(face));
                if (meet == FacesMeet::unresolved) return {};
                if (meet == FacesMeet::at_an_edge) continue;
                const Index* of_other = m_.nodes_of(Kind::face, other);
                const std::array<Vec3, 3> of_corners = m_.face_corners(other);
                const auto common = std::find(of_other, of_other + m_.dimension, nodes[j]);
                const Vec3 shift = corners[j] - of_corners[common - of_other];
                for (int k = 0; k < m_.dimension; ++k)
                    found.try_emplace(m_.node_number[of_other[k]], of_corners[k] + shift);
            }
        std::vector<Node> all;
        for (const auto& [number, place] : found) all.push_back({number, place});
        return all;
    }

  private:
    const Mesh& m_;
    const std::function<Vec3(Index)> normal_;
    const Rows faces_;  // of the boundary, at each node
};

}  // namespace

Vec3 turned(const Vec3& along, const Vec3& normal, const Vec3& other) {
    return along - glm::dot(other, along) / (1 + glm::dot(normal, other)) * (normal + other);
}

CurvedFaces::CurvedFaces(const Domain& domain, const std::function<bool(Index)>& on_boundary,
                         const std::function<bool(Index)>& is_asked) {
    const Mesh& m = domain.mesh.mesh;
    std::vector<bool> asked(m.faces(), false);
    bool any = false;
    for (Index f = 0; f < m.faces(); ++f) any = (asked[f] = on_boundary(f) && is_asked(f)) || any;
    if (!domain.comm.any(any)) return;
    const auto normal = [&](Index f) {
        return glm::normalize((m.face_cells(f, 1) == none ? 1.0 : -1.0) *
                              domain.geometry.face_area[f]);
    };
    const NodesRound round(m, on_boundary, normal);
    const EntitySubset near = entity_subset(domain.faces, domain.mesh.halo(Kind::face), asked);
    place_ = near.place;
    faces_.resize(near.members.size());
    for (Index k = 0; k < near.ranges.owned; ++k) {
        const Index f = near.members[k];
        Frame frame{domain.geometry.face_centroid[f], normal(f), {}};
        std::vector<Vec3> in_plane, points;
        const std::vector<Node> nodes = round.of(f);
        for (const Node& node : nodes) {
            const Vec3 r = node.place - frame.origin;
            in_plane.push_back(r - glm::dot(r, frame.normal) * frame.normal);
        }
        for (const PrincipalAxis& axis : principal_axes(in_plane, m.dimension))
            if (frame.axes.size() + 1 < std::size_t(m.dimension))
                frame.axes.push_back(axis.direction);
        if (frame.axes.size() + 1 < std::size_t(m.dimension)) continue;
        for (const Node& node : nodes) {
            const Vec3 r = node.place - frame.origin;
            points.emplace_back(glm::dot(r, frame.axes[0]),
                                frame.axes.size() > 1 ? glm::dot(r, frame.axes[1]) : 0,
                                glm::dot(r, frame.normal));
        }
        Surface surface;
        if (fit(points, m.dimension - 1, surface))
            faces_[k] = curved_face(surface, frame, m.face_corners(f), m.dimension);
    }
    fill_ghosts(domain.comm, near.halo, faces_);
    exist_ = domain.comm.any(std::ranges::any_of(faces_, &CurvedFace::is_curved));
}

}  // namespace solenoid
