#include "flow/discretization/kinked_nodes.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>

#include "device/kernels.hpp"
#include "device/upload.hpp"
#include "flow/discretization/dense_fits.hpp"
#include "flow/discretization/principal_axes.hpp"
#include "parallel/component_labels.hpp"

namespace solenoid {
namespace {

constexpr double determined = 1e-2;  // relative to the largest singular value of the fit
constexpr double most_of_row = 6;    // largest sum of the magnitudes of a row
// least cosine of the angle between a face's normal and the mean normal at a node; below it the
// node is on an edge or a crossing of surfaces
constexpr double bent = 0.5;

// The surface through a node, and the sides of the cells at the node.
struct Surface {
    bool is_plain = false;          // two sides and one normal
    Vec3 normal{0};                 // from side 0 to side 1
    std::array<double, 2> value{};  // of the coefficient on each side
    std::vector<int> side;          // of the cells
};

Surface surface_at(const Mesh& m, const Geometry& g, Index node, const Index* begin,
                   const Index* end, const std::vector<Index>& jump_on,
                   const std::vector<SampledCoefficient::Jump>& jumps) {
    const std::size_t count = end - begin;
    std::vector<std::size_t> part(count);
    std::iota(part.begin(), part.end(), 0);
    const auto root = [&](std::size_t i) {
        while (part[i] != i) i = part[i] = part[part[i]];
        return i;
    };
    struct Between {
        std::size_t a, b;
        Index jump;
    };
    std::vector<Between> between;
    for (std::size_t i = 0; i < count; ++i)
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(begin[i], j)), b = m.face_cells(f, 1);
            // the face opposite the node does not contain it
            if (m.face_cells(f, 0) != begin[i] || b == none || m.cell_nodes(begin[i], j) == node)
                continue;
            const std::size_t other = std::find(begin, end, b) - begin;
            if (other == count) continue;
            if (jump_on[f] != none)
                between.push_back({i, other, jump_on[f]});
            else
                part[root(i)] = root(other);
        }
    Surface surface;
    std::map<std::size_t, int> number;
    for (std::size_t i = 0; i < count; ++i)
        surface.side.push_back(
            number.try_emplace(root(i), static_cast<int>(number.size())).first->second);
    if (number.size() != 2) return surface;
    double whole = 0;
    std::vector<Vec3> normals;
    for (const Between& one : between) {
        const auto& jump = jumps[one.jump];
        const int side = surface.side[one.a];
        if (side == surface.side[one.b]) return surface;  // the surface ends at this node
        const Vec3 normal = (side == 0 ? 1.0 : -1.0) * g.face_area[jump.face];
        const double area = glm::length(normal);
        normals.push_back(normal / area);
        surface.normal += normal;
        for (int k = 0; k < 2; ++k)
            surface.value[k] += area * jump.beside[k == 0 ? side : 1 - side];
        whole += area;
    }
    if (!(glm::length(surface.normal) > 0)) return surface;
    surface.normal = glm::normalize(surface.normal);
    for (double& value : surface.value) value /= whole;
    surface.is_plain = std::ranges::all_of(
        normals, [&](const Vec3& n) { return glm::dot(n, surface.normal) >= bent; });
    return surface;
}

// The directions of the fitted functions: the surface's normal, then tangential directions.
std::vector<Vec3> directions(const Vec3& normal, int d, const Vec3* kept) {
    std::vector<Vec3> found{normal};
    for (int j = 0; j < d; ++j) {
        Vec3 left(0);
        if (kept)
            left = kept[j];
        else
            left[j] = 1;
        for (const Vec3& e : found) left -= glm::dot(left, e) * e;
        if (glm::length(left) > 0.3 && found.size() < std::size_t(d))
            found.push_back(glm::normalize(left));
    }
    return found;
}

// The principal axes of the points, a column each, by their components along the directions.
DenseMatrix axes_in(const std::vector<Vec3>& along, const std::vector<Vec3>& points) {
    const int count = static_cast<int>(along.size());
    std::vector<Vec3> components(points.size(), Vec3(0));
    for (std::size_t i = 0; i < points.size(); ++i)
        for (int j = 0; j < count; ++j) components[i][j] = glm::dot(along[j], points[i]);
    const std::vector<PrincipalAxis> axes = principal_axes(components, count);
    DenseMatrix columns(along.size(), along.size());
    for (Index k = 0; k < axes.size(); ++k)
        for (int j = 0; j < count; ++j) columns(j, k) = axes[k].direction[j];
    return columns;
}

// The row of a node on a surface. With distances x of the cells' centroids it gives alpha of the
// fit
//   u_c = alpha + s phi(n . x) + g . x,   g along the surface,   phi(z) = z / nu of the side.
// A cell has weight nu / x^2, since the error of the fit by curvature goes with 1 / nu. This is sum
// w u_c where the stress is nu du/dn. The stress of a velocity along the surface is nu (du/dn +
// grad (n . u)), so that u_c + n . x grad (n . u) has the kink; the terms s (n . u_c) add this,
// with the gradient of the fit without a kink.
struct NodeRow {
    std::vector<double> weight;
    std::vector<Vec3> slope;
};
// corners: of the cells, whose own axes the fits are made in where they are thin.
NodeRow node_row(const std::vector<Vec3>& distances, const std::vector<Vec3>& corners,
                 const Surface& surface, int d, const Vec3* kept) {
    const auto count = static_cast<Index>(distances.size());
    const double most_viscous = std::max(surface.value[0], surface.value[1]);
    const std::vector<Vec3> along = directions(surface.normal, d, kept);
    const DenseMatrix axes = axes_in(along, corners);
    std::vector<double> weight(count), plain(count), across(count), row(count);
    DenseMatrix linear(count, static_cast<Index>(along.size()));
    for (Index i = 0; i < count; ++i) {
        const Vec3& x = distances[i];
        plain[i] = 1 / glm::dot(x, x);
        for (Index j = 0; j < linear.columns; ++j) linear(i, j) = glm::dot(x, along[j]);
        across[i] = linear(i, 0);
    }
    const DenseMatrix gradient = linear_fit(plain, linear, axes, determined, most_of_row);
    for (Index i = 0; i < count; ++i) {
        const double part = surface.value[surface.side[i]] / most_viscous;
        weight[i] = part * plain[i];
        linear(i, 0) = part > 0 ? across[i] / part : 0;
    }
    const DenseMatrix fit = linear_fit(weight, linear, axes, determined, most_of_row);
    for (Index i = 0; i < count; ++i) row[i] = fit(0, i);
    const double reach = std::inner_product(row.begin(), row.end(), across.begin(), 0.0);
    NodeRow result{row, std::vector<Vec3>(count, Vec3(0))};
    for (Index i = 0; i < count; ++i)
        for (Index j = 1; j < linear.columns; ++j)
            result.slope[i] += reach * gradient(j + 1, i) * along[j];
    return result;
}

}  // namespace

template <class Real>
void KinkedNodes<Real>::find_parts(const std::vector<Index>& jump_on) {
    const DistributedMesh& mesh = stencil_.domain.mesh;
    const Mesh& m = mesh.mesh;
    std::vector<std::array<Index, 2>> links;
    for (Index f = 0; f < m.faces(); ++f)
        if (m.face_cells(f, 0) != none && m.face_cells(f, 1) != none && jump_on[f] == none)
            links.push_back({m.face_cells(f, 0), m.face_cells(f, 1)});
    parts_ = component_labels(stencil_.domain.comm, stencil_.domain.cells, mesh.halo(Kind::cell),
                              m.cell_number, links);
}

template <class Real>
void KinkedNodes<Real>::update_coefficient(const SampledCoefficient& coefficient) {
    const Domain& domain = stencil_.domain;
    const Mesh& m = domain.mesh.mesh;
    const Geometry& g = domain.geometry;
    const int d = m.dimension;
    const bool jumps = domain.comm.any(!coefficient.jumps.empty());
    if (!jumps && parts_.empty()) return;
    ++version_;
    surfaces_ = nullptr;
    parts_.clear();
    if (!jumps) return;
    std::vector<Index> jump_on(m.faces(), none), nodes;
    for (std::size_t k = 0; k < coefficient.jumps.size(); ++k) {
        jump_on[coefficient.jumps[k].face] = static_cast<Index>(k);
        for (int j = 0; j < d; ++j)
            if (const Index i = m.nodes_of(Kind::face, coefficient.jumps[k].face)[j];
                i < domain.nodes.shared)
                nodes.push_back(i);
    }
    find_parts(jump_on);
    std::ranges::sort(nodes);
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    if (round_.index.empty()) round_ = cells_of(m, Kind::node);
    std::map<Index, const Vec3*> mirrored;
    for (std::size_t k = 0; k < stencil_.mirrored.entities.size(); ++k)
        mirrored[stencil_.mirrored.entities[k]] = &stencil_.mirrored.directions[k * d];

    Rows rows;
    NodeRow all;
    std::vector<Vec3> normals;
    std::vector<Index> list;
    for (const Index i : nodes) {
        const Index *begin = round_.begin(i), *end = round_.end(i);
        const Surface surface = surface_at(m, g, i, begin, end, jump_on, coefficient.jumps);
        if (!surface.is_plain) continue;
        std::vector<Vec3> distances;
        for (const Index* c = begin; c != end; ++c)
            distances.push_back(g.cell_centroid[*c] - m.corner(*c, m.place_in_cell(*c, i)));
        const auto kept = mirrored.find(i);
        const NodeRow row = node_row(distances, corners_round(m, i, begin, end), surface, d,
                                     kept == mirrored.end() ? nullptr : kept->second);
        all.weight.insert(all.weight.end(), row.weight.begin(), row.weight.end());
        all.slope.insert(all.slope.end(), row.slope.begin(), row.slope.end());
        rows.index.insert(rows.index.end(), begin, end);
        rows.start.push_back(static_cast<Index>(rows.index.size()));
        list.push_back(i);
        normals.push_back(surface.normal);
    }
    Device& device = domain.device;
    const auto count = static_cast<Index>(list.size());
    const RowLayout layout(rows, device.row_stride());
    std::vector<Real> slopes(layout.entries() * d, Real(0));
    std::size_t k = 0;
    for (Index i = 0; i < layout.rows(); ++i)
        for (Index j = 0; j < layout.count(i); ++j, ++k)
            for (int component = 0; component < d; ++component)
                slopes[component * layout.entries() + layout.position(i, j)] =
                    static_cast<Real>(all.slope[k][component]);
    surfaces_ = std::make_shared<Surfaces>(
        Surfaces{uploaded(device, list), SellRows(device, rows),
                 layout.template upload<Real>(device, std::span<const double>(all.weight)),
                 device.buffer<Real>(std::span<const Real>(slopes), d),
                 uploaded_vectors<Real>(device, normals, list.size(), 1, d),
                 device.buffer<Real>(count), device.buffer<Real>(count, d)});
}

template <class Real>
void KinkedNodes<Real>::interpolate(const Field<Real>& cells, Field<Real>& at_nodes) const {
    if (!surfaces_ || !surfaces_->node.size()) return;
    Surfaces& s = *surfaces_;
    Device& device = stencil_.domain.device;
    if (cells.columns() == 1) {
        kernels::ScalarNodeInterpolation<Real>{.cells = s.cells.rows,
                                               .cell = s.cells.index,
                                               .weight = s.weight,
                                               .u = cells,
                                               .value = s.value}
            .run(device, {0, s.node.size()});
        device.scatter(s.value, s.node, at_nodes, Reach::closure);
        return;
    }
    kernels::KinkedNode<Real>{.dimension = cells.columns(),
                              .cells = s.cells.rows,
                              .cell = s.cells.index,
                              .weight = s.weight,
                              .slope = s.slope,
                              .node = s.node,
                              .normal = s.normal,
                              .u = cells,
                              .t = at_nodes,
                              .value = s.vector}
        .run(device, {0, s.node.size()});
    device.scatter(s.vector, s.node, at_nodes, Reach::closure);
}

template class KinkedNodes<float>;
template class KinkedNodes<double>;

}  // namespace solenoid
