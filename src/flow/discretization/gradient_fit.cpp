#include "flow/discretization/gradient_fit.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <numeric>

#include "core/pieces.hpp"
#include "device/kernels.hpp"
#include "flow/discretization/dense_fits.hpp"
#include "flow/discretization/principal_axes.hpp"

namespace solenoid {
namespace {

// relative to the largest singular value: directions below it are left out
constexpr double negligible = 1e-3;
// Largest sum of the magnitudes of a row times area; beyond it H is scaled down. A mean has up to
// 1.5, cells at a wall 3 to 4 on triangles and 4 to 6 on tets.
constexpr double most = 8;

struct Neighbour {
    Index face;
    Vec3 normal, distance;  // of its centroid from the cell's
    double area;
};

// A reflection in the symmetry planes at a node of a cell, or a product of such reflections.
struct Reflection {
    std::vector<Vec3> normals;  // orthonormal
    Vec3 place;                 // a point of the planes, relative to the cell's centroid

    Vec3 turned(Vec3 v) const {
        for (const Vec3& n : normals) v -= 2 * glm::dot(v, n) * n;
        return v;
    }
    Vec3 moved(const Vec3& x) const { return place + turned(x - place); }
    bool is(const Reflection& other, double size) const {
        const Vec3 probe(0.3 * size, 0.5 * size, 0.7 * size);
        return glm::length(moved(probe) - other.moved(probe)) < 1e-6 * size;
    }
};

// The reflections at one node, whose plane normals are orthogonal to the kept directions.
std::vector<Reflection> reflections_at(const Vec3* kept, int d, const Vec3& place) {
    std::vector<Vec3> basis, normals;
    for (int k = 0; k < d; ++k)
        if (glm::dot(kept[k], kept[k]) > 0.5) basis.push_back(kept[k]);
    for (int axis = 0; axis < d && basis.size() < std::size_t(d); ++axis) {
        Vec3 left(0);
        left[axis] = 1;
        for (const Vec3& e : basis) left -= glm::dot(left, e) * e;
        if (glm::dot(left, left) < 0.3) continue;
        normals.push_back(glm::normalize(left));
        basis.push_back(normals.back());
    }
    std::vector<Reflection> all;
    for (unsigned choice = 1; choice < (1u << normals.size()); ++choice) {
        Reflection one{{}, place};
        for (std::size_t k = 0; k < normals.size(); ++k)
            if (choice >> k & 1) one.normals.push_back(normals[k]);
        all.push_back(one);
    }
    return all;
}

// The known faces of the cells that share a node with this one, once each, then their mirror
// images, in the order of the cells' global numbers, so that the result is equal on all ranks.
// kept: the free directions of each node; null: it is in no symmetry plane.
std::vector<Neighbour> faces_round(const Mesh& m, const Geometry& g, const Rows& round, Index cell,
                                   const std::vector<bool>& known,
                                   const std::vector<const Vec3*>& kept) {
    std::map<GlobalIndex, std::pair<Index, Vec3>> cells;
    const double size = glm::length(m.corner(cell, 1) - m.corner(cell, 0));
    std::vector<Reflection> reflections;
    std::vector<std::map<GlobalIndex, std::pair<Index, Vec3>>> images;  // cells of each reflection
    for (int j = 0; j <= m.dimension; ++j) {
        const Index node = m.cell_nodes(cell, j);
        const Vec3 to_node = m.corner(cell, j) - g.cell_centroid[cell];
        const auto add = [&](auto& to) {
            for (const Index* c = round.begin(node); c != round.end(node); ++c)
                to.try_emplace(
                    m.cell_number[*c], *c,
                    to_node + g.cell_centroid[*c] - m.corner(*c, m.place_in_cell(*c, node)));
        };
        add(cells);
        if (!kept[node]) continue;
        for (const Reflection& r : reflections_at(kept[node], m.dimension, to_node)) {
            const auto same =
                std::find_if(reflections.begin(), reflections.end(),
                             [&](const Reflection& other) { return r.is(other, size); });
            const auto place = static_cast<std::size_t>(same - reflections.begin());
            if (same == reflections.end()) {
                reflections.push_back(r);
                images.emplace_back();
            }
            add(images[place]);
        }
    }
    std::vector<Neighbour> faces;
    const auto add_faces = [&](const auto& of, const Reflection& r) {
        for (const auto& [number, neighbour] : of)
            for (int j = 0; j <= m.dimension; ++j) {
                const Index f = entity_of(m.cell_faces(neighbour.first, j));
                if (!known[f]) continue;
                const double area = glm::length(g.face_area[f]);
                const Vec3 distance =
                    r.moved(neighbour.second + face_offset(m, g, neighbour.first, j));
                const auto is_there = [&](const Neighbour& n) {
                    return n.face == f && glm::length(n.distance - distance) < 1e-6 * size;
                };
                if (std::none_of(faces.begin(), faces.end(), is_there))
                    faces.push_back({f, r.turned(g.face_area[f] / area), distance, area});
            }
    };
    add_faces(cells, Reflection{{}, Vec3(0)});
    for (std::size_t k = 0; k < reflections.size(); ++k) add_faces(images[k], reflections[k]);
    return faces;
}

// The rows that give q of the fit q + H r, H symmetric, to the normal components at `faces`. H is
// fitted to the remainder of a constant fit, so that constants are exact however the faces
// determine H. In thin cells faces leave out what is short: then the fit is made again in their own
// axes with columns in units of their own, and taken from there if that determines more.
DenseMatrix fitted_rows(const std::vector<Neighbour>& faces, int d) {
    const auto count = static_cast<Index>(faces.size());
    if (count == 0) return DenseMatrix(d, 0);  // a cell without known faces
    double size = 0;
    for (const Neighbour& n : faces) size += glm::length(n.distance) / count;
    DenseMatrix constant(count, d), linear(count, d * (d + 1) / 2);
    std::vector<double> weight(count);
    // of normals and distances with components along the axes
    const auto fill = [&](const auto& components) {
        for (Index i = 0; i < count; ++i) {
            const Vec3 n = components(faces[i].normal), r = components(faces[i].distance) / size;
            Index column = 0;
            for (int a = 0; a < d; ++a) {
                constant(i, a) = weight[i] * n[a];
                for (int b = a; b < d; ++b)
                    linear(i, column++) =
                        weight[i] * (a == b ? n[a] * r[a] : n[a] * r[b] + n[b] * r[a]);
            }
        }
    };
    for (Index i = 0; i < count; ++i) {
        const Vec3 r = faces[i].distance / size;
        weight[i] = 1 / (0.05 + glm::dot(r, r));
    }
    fill([](const Vec3& x) { return x; });
    StagedFit fit = staged_fit(constant, linear, weight, negligible, most);
    if (fit.rank == std::pair(constant.columns, linear.columns)) return std::move(fit.rows);
    std::vector<Vec3> points;
    for (const Neighbour& n : faces) points.push_back(n.distance);
    const std::vector<PrincipalAxis> axes = principal_axes(points, d);
    if (axes.size() < std::size_t(d)) return std::move(fit.rows);
    fill([&](const Vec3& x) {
        Vec3 along(0);
        for (int k = 0; k < d; ++k) along[k] = glm::dot(axes[k].direction, x);
        return along;
    });
    // Faces oblique in cells of height h and length l have normals with a part of h / l along l.
    const double whole =
        std::sqrt(std::inner_product(weight.begin(), weight.end(), weight.begin(), 0.0));
    const LeastValue least = [&](std::span<const double> direction) {
        double square = 0;
        for (int k = 0; k < d; ++k) square += std::pow(direction[k] * axes[k].size, 2);
        return negligible * whole * axes[d - 1].size / std::sqrt(square);
    };
    const StagedFit of_axes = scaled_staged_fit(constant, linear, weight, least, negligible, most);
    if (of_axes.rank <= fit.rank) return std::move(fit.rows);
    for (Index i = 0; i < count; ++i)
        for (int j = 0; j < d; ++j) {
            fit.rows(j, i) = 0;
            for (int k = 0; k < d; ++k) fit.rows(j, i) += axes[k].direction[j] * of_axes.rows(k, i);
        }
    return std::move(fit.rows);
}

}  // namespace

GradientFit gradient_fit(const DistributedMesh& mesh, const Geometry& geometry,
                         const std::vector<Index>& cells, const std::vector<bool>& known,
                         const FreeDirections& mirrored) {
    const Mesh& m = mesh.mesh;
    const Rows round = cells_of(m, Kind::node);
    std::vector<const Vec3*> kept(m.nodes(), nullptr);
    for (std::size_t k = 0; k < mirrored.entities.size(); ++k)
        kept[mirrored.entities[k]] = &mirrored.directions[k * m.dimension];
    std::vector<Rows> rows_of_faces;
    std::vector<std::vector<Vec3>> vectors;
    for (GradientFit& piece : pieces_of(
             cells.size(),
             [&](Index begin, Index end) {
                 GradientFit fit;
                 for (Index n = begin; n < end; ++n) {
                     const std::vector<Neighbour> faces =
                         faces_round(m, geometry, round, cells[n], known, kept);
                     const DenseMatrix rows = fitted_rows(faces, m.dimension);
                     const std::size_t first = fit.faces.index.size();
                     for (std::size_t i = 0; i < faces.size(); ++i) {
                         Vec3 vector(0);
                         for (int k = 0; k < m.dimension; ++k)
                             vector[k] = rows(k, static_cast<Index>(i)) / faces[i].area;
                         // a face and its images share an entry
                         const auto same = std::find(fit.faces.index.begin() + first,
                                                     fit.faces.index.end(), faces[i].face);
                         if (same != fit.faces.index.end()) {
                             fit.vectors[same - fit.faces.index.begin()] += vector;
                             continue;
                         }
                         fit.faces.index.push_back(faces[i].face);
                         fit.vectors.push_back(vector);
                     }
                     fit.faces.start.push_back(static_cast<Index>(fit.faces.index.size()));
                 }
                 return fit;
             },
             16)) {
        rows_of_faces.push_back(std::move(piece.faces));
        vectors.push_back(std::move(piece.vectors));
    }
    return {joined(std::move(rows_of_faces)), joined(std::move(vectors))};
}

template <class Real>
FittedRows<Real>::FittedRows(Device& device, const GradientFit& fit, int dimension)
    : faces(device, fit.faces) {
    const RowLayout layout(fit.faces, device.row_stride());
    std::vector<Real> vectors(layout.entries() * dimension, Real(0));
    std::size_t k = 0;
    for (Index i = 0; i < layout.rows(); ++i)
        for (Index j = 0; j < layout.count(i); ++j, ++k)
            for (int component = 0; component < dimension; ++component)
                vectors[component * layout.entries() + layout.position(i, j)] =
                    static_cast<Real>(fit.vectors[k][component]);
    vector = device.buffer<Real>(std::span<const Real>(vectors), dimension);
}

template <class Real>
void FittedRows<Real>::apply(Device& device, const Gathered<Real>& gradient,
                             Buffer<Real>& value) const {
    kernels::FittedGradient<Real>{.dimension = value.columns(),
                                  .faces = faces.rows,
                                  .face = faces.index,
                                  .vector = vector,
                                  .number = gradient,
                                  .value = value}
        .run(device, {0, value.size()});
}

template struct FittedRows<float>;
template struct FittedRows<double>;

}  // namespace solenoid
