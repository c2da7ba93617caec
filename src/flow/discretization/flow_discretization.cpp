#include "flow/discretization/flow_discretization.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <numeric>

#include "core/pieces.hpp"
#include "flow/discretization/principal_axes.hpp"

namespace solenoid {
namespace {

bool is_boundary_face(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}

// Weights of a linear fit's value at the origin: w (1 / total - (offset - mean) . inverse mean),
// where inverse is that of the offsets' moments on its range. Cells in a line, or a cell with one
// face inside, do not determine the directions across; inverting the round-off in these would make
// constants inexact. rank: the directions that are determined; negligible: of the trace.
struct Regression {
    Regression(const std::vector<double>& weight, const std::vector<Vec3>& offsets, int dimension,
               double negligible) {
        constexpr double rounding = 1e-24;  // of squares
        double whole = 0;
        for (std::size_t i = 0; i < offsets.size(); ++i) {
            total += weight[i];
            mean += weight[i] * offsets[i];
            whole += weight[i] * glm::dot(offsets[i], offsets[i]);
        }
        mean /= total;
        glm::dmat3 moment(0.0);
        for (std::size_t i = 0; i < offsets.size(); ++i)
            moment += weight[i] * glm::outerProduct(offsets[i] - mean, offsets[i] - mean);
        Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
        for (int i = 0; i < dimension; ++i)
            for (int j = 0; j < dimension; ++j) m(i, j) = moment[j][i];
        if (m.trace() <= rounding * whole) return;
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> modes(m);
        for (int k = 0; k < 3; ++k) {
            if (modes.eigenvalues()[k] <= negligible * m.trace()) continue;
            const auto v = modes.eigenvectors().col(k);
            const Vec3 direction(v[0], v[1], v[2]);
            inverse += glm::outerProduct(direction, direction) / modes.eigenvalues()[k];
            ++rank;
        }
    }
    double total = 0;
    Vec3 mean{0};
    glm::dmat3 inverse{0.0};
    int rank = 0;
};

constexpr double undetermined = 1e-4;  // of the trace

// of the sum of magnitudes of a row: 1 for a mean; boundary nodes have 1.5 to 2.5
constexpr double most_of_weights = 3;

double magnitude(const std::vector<double>& row) {
    double sum = 0;
    for (const double entry : row) sum += std::abs(entry);
    return sum;
}

// The row of weights of the fit in units of the cells' own axes, where that determines more than
// `rank` directions; else empty. corners: places of the cells' corners.
std::vector<double> row_in_axes(const std::vector<double>& weight, const std::vector<Vec3>& offsets,
                                const std::vector<Vec3>& corners, int dimension, int rank) {
    const std::vector<PrincipalAxis> axes = principal_axes(corners, dimension);
    const std::size_t count = offsets.size();
    std::vector<Vec3> scaled(count, Vec3(0));
    std::vector<double> even(count);
    for (std::size_t i = 0; i < count; ++i) {
        for (std::size_t k = 0; k < axes.size(); ++k)
            scaled[i][static_cast<int>(k)] = glm::dot(axes[k].direction, offsets[i]) / axes[k].size;
        even[i] = 1 / glm::dot(scaled[i], scaled[i]);
    }
    // The weights themselves tell less of what is determined: in thin cells they differ by the
    // aspect's square.
    const int found = Regression(even, scaled, dimension, undetermined).rank;
    if (found <= rank) return {};
    constexpr double round_off = 1e-13;
    const Regression fit(weight, scaled, dimension,
                         found == static_cast<int>(axes.size()) ? round_off : undetermined);
    if (fit.rank <= rank) return {};
    // The sum of weights should be 1, and that of offsets 0 in what is determined. Rounding leaves
    // the more the more the weights differ, so that it is taken out again.
    std::vector<double> row(count, 0.0);
    for (int pass = 0; pass < 3; ++pass) {
        double sum = 1;
        Vec3 place(0);
        for (std::size_t i = 0; i < count; ++i) {
            sum -= row[i];
            place -= row[i] * scaled[i];
        }
        const Vec3 slope = fit.inverse * (place - sum * fit.mean);
        for (std::size_t i = 0; i < count; ++i)
            row[i] += weight[i] * (sum / fit.total + glm::dot(scaled[i] - fit.mean, slope));
    }
    return row;
}

}  // namespace

std::array<Vec3, 3> tangential_gradients(const Mesh& m, Index face, const Vec3& area) {
    const auto x = m.face_corners(face);
    std::array<Vec3, 3> gradient{};
    if (m.dimension == 2) {
        const Vec3 t = x[1] - x[0];
        gradient[1] = t / glm::dot(t, t);
        return gradient;
    }
    const double doubled = 2 * glm::dot(area, area);
    gradient[1] = glm::cross(area, x[0] - x[2]) / doubled;
    gradient[2] = glm::cross(area, x[1] - x[0]) / doubled;
    return gradient;
}

BoundaryFaces boundary_faces(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    BoundaryFaces boundary;
    boundary.first = mesh.range(Kind::cell).all;
    for (Index f = 0; f < mesh.range(Kind::face).shared; ++f) {
        if (!is_boundary_face(m, f)) continue;
        const bool leaves = m.face_cells(f, 1) == none;
        boundary.faces.push_back(f);
        boundary.cells.push_back(m.face_cells(f, leaves ? 0 : 1));
        boundary.outward.push_back(leaves ? 1 : -1);
        boundary.conductance_factor.push_back(parabolic_conductance_factor(m.dimension));
        boundary.slips_curved.push_back(false);
    }
    return boundary;
}

// Adds those axes, made orthonormal to the taken directions, that are farthest from them.
void FreeDirections::add(Index entity, const std::vector<Vec3>& taken, int dimension) {
    entities.push_back(entity);
    std::vector<Vec3> basis = taken;
    while (basis.size() < std::size_t(dimension)) {
        Vec3 best(0);
        for (int axis = 0; axis < dimension; ++axis) {
            Vec3 left(0);
            left[axis] = 1;
            for (const Vec3& e : basis) left -= glm::dot(left, e) * e;
            if (glm::dot(left, left) > glm::dot(best, best) + 1e-9) best = left;
        }
        basis.push_back(glm::normalize(best));
    }
    directions.insert(directions.end(), basis.begin() + taken.size(), basis.end());
    directions.resize(entities.size() * dimension, Vec3(0));
}

FaceGradient face_gradient(const Mesh& m, const Geometry& g, Index face) {
    const auto [a, b] = centroids_beside(m, g, face);
    const double area = glm::length(g.face_area[face]);
    const Vec3 n = g.face_area[face] / area, d = b - a;
    const double along = glm::dot(d, n);
    FaceGradient result{area / along, {}};
    const auto gradient = tangential_gradients(m, face, g.face_area[face]);
    for (int j = 1; j < m.dimension; ++j) {
        result.cross[j] = result.conduction * glm::dot(gradient[j], d - along * n);
        result.cross[0] -= result.cross[j];
    }
    return result;
}

FaceCoefficients face_coefficients(const DistributedMesh& mesh, const Geometry& g,
                                   const BoundaryFaces& boundary) {
    const Mesh& m = mesh.mesh;
    const Index faces = mesh.range(Kind::face).shared;
    FaceCoefficients c;
    c.cells = Table(faces, 2);
    c.theta.resize(faces);
    c.conduction.resize(faces);
    const int tangents = m.dimension - 1;
    c.skew.resize(std::size_t(faces) * tangents);
    c.cross.resize(std::size_t(faces) * tangents);
    std::vector<Index> value(faces, none);
    std::vector<double> conductance_factor(faces, 1.0);
    for (std::size_t k = 0; k < boundary.faces.size(); ++k) {
        value[boundary.faces[k]] = boundary.first + static_cast<Index>(k);
        conductance_factor[boundary.faces[k]] = boundary.conductance_factor[k];
    }
    for_each(0, faces, [&](Index f) {
        const Index left = m.face_cells(f, 0), right = m.face_cells(f, 1);
        const auto [a, b] = centroids_beside(m, g, f);
        c.cells(f, 0) = left == none ? value[f] : left;
        c.cells(f, 1) = right == none ? value[f] : right;
        const double area = glm::length(g.face_area[f]);
        const Vec3 n = g.face_area[f] / area, d = b - a;
        const double along = glm::dot(d, n);
        c.theta[f] = glm::dot(g.face_centroid[f] - a, n) / along;
        const FaceGradient one = face_gradient(m, g, f);
        c.conduction[f] = conductance_factor[f] * one.conduction;
        const Vec3 crossing = a + c.theta[f] * d;
        const auto gradient = tangential_gradients(m, f, g.face_area[f]);
        for (int j = 1; j <= tangents; ++j) {
            c.skew[std::size_t(j - 1) * faces + f] =
                glm::dot(gradient[j], g.face_centroid[f] - crossing);
            c.cross[std::size_t(j - 1) * faces + f] = conductance_factor[f] * one.cross[j];
        }
    });
    return c;
}

CellDiffusion cell_diffusion(const DistributedMesh& mesh, const FaceCoefficients& coefficients,
                             const BoundaryFaces& boundary, double viscosity,
                             const std::vector<double>& factors) {
    const Mesh& m = mesh.mesh;
    CellDiffusion result;
    const Index owned = mesh.range(Kind::cell).owned;
    const auto other_side = [&](Index cell, Index f) {
        return m.face_cells(f, 0) == cell ? m.face_cells(f, 1) : m.face_cells(f, 0);
    };
    result.to_boundary.assign(owned, 0.0);
    std::vector<Index>& start = result.neighbours.start;
    start.resize(owned + 1);
    for_each(0, owned, [&](Index cell) {
        for (int j = 0; j <= m.dimension; ++j)
            start[cell + 1] += other_side(cell, entity_of(m.cell_faces(cell, j))) != none;
    });
    std::partial_sum(start.begin(), start.end(), start.begin());
    result.neighbours.index.resize(start.back());
    result.faces.resize(start.back());
    result.conduction.resize(start.back());
    result.weights.resize(start.back());
    for_each(0, owned, [&](Index cell) {
        Index k = start[cell];
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(cell, j)), other = other_side(cell, f);
            if (other == none) continue;
            const double factor = factors.empty() ? 1 : factors[f];
            result.neighbours.index[k] = other;
            result.faces[k] = f;
            result.conduction[k] = coefficients.conduction[f] * factor;
            result.weights[k++] = viscosity * coefficients.conduction[f] * factor;
        }
    });
    for (std::size_t k = 0; k < boundary.faces.size(); ++k)
        if (boundary.conductance_factor[k] > 1 && boundary.cells[k] < result.to_boundary.size())
            result.to_boundary[boundary.cells[k]] +=
                viscosity * coefficients.conduction[boundary.faces[k]];
    return result;
}

std::vector<double> boundary_weights(const DistributedMesh& mesh, const Geometry& g,
                                     const BoundaryFaces& boundary) {
    const Mesh& m = mesh.mesh;
    const std::size_t count = boundary.faces.size();
    std::vector<double> weights(count * (m.dimension + 1));
    for (std::size_t k = 0; k < count; ++k) {
        const double c = boundary.conductance_factor[k];
        if (c <= 1) continue;
        const Index f = boundary.faces[k], cell = boundary.cells[k];
        const double area = glm::length(g.face_area[f]);
        const Vec3 n = boundary.outward[k] * g.face_area[f] / area,
                   r = g.face_centroid[f] - g.cell_centroid[cell];
        const double along = glm::dot(r, n);
        const Vec3 direction = c * (r - along * n) / along + (c - 1) * n;
        for (int j = 0; j <= m.dimension; ++j) {
            const Vec3 gradient = opposite_area(m, cell, j) / (-m.dimension * g.cell_volume[cell]);
            weights[j * count + k] = boundary.outward[k] * area * glm::dot(gradient, direction);
        }
    }
    return weights;
}

Vec3 mean_place(const Mesh& m, const Geometry& g, const NodeWeights& weights, Index node) {
    Vec3 place(0);
    for (Index k = weights.cells.start[node]; k < weights.cells.start[node + 1]; ++k) {
        const Index c = weights.cells.index[k];
        place += weights.weights[k] * (g.cell_centroid[c] - m.corner(c, m.place_in_cell(c, node)));
    }
    return place;
}

std::vector<double> foot_weights(const DistributedMesh& mesh, const Geometry& g,
                                 const BoundaryFaces& boundary, const std::vector<bool>& of) {
    const Mesh& m = mesh.mesh;
    const std::size_t count = boundary.faces.size();
    std::vector<double> weights(count * (m.dimension + 1));
    for (std::size_t k = 0; k < count; ++k) {
        if (!of[k]) continue;
        const Index f = boundary.faces[k], cell = boundary.cells[k];
        const Vec3 n = glm::normalize(g.face_area[f]),
                   r = g.face_centroid[f] - g.cell_centroid[cell];
        for (int j = 0; j <= m.dimension; ++j)
            weights[j * count + k] = glm::dot(opposite_area(m, cell, j), r - glm::dot(r, n) * n) /
                                     (-m.dimension * g.cell_volume[cell]);
    }
    return weights;
}

// Appends the weights of one node: those that give alpha in the fit u_c = alpha + g . d_c with d_c
// = x_c - x_i. With mirror images g, d_c and their moments have components along the kept
// directions only. At a boundary node with few cells g may be ill determined, and extrapolation by
// it unbounded; it is then scaled so that the sum of the weights' magnitudes stays below
// `most_of_weights`. Thin cells leave directions out of g that are merely short. So where one is
// left out, the fit is made in the cells' own axes, too, and the weights are moved to its own, as
// far as `most_of_weights` allows. corners(): the places of the cells' corners from the node.
template <class Corners>
static void append_weights(const std::vector<Vec3>& distances, const Corners& corners,
                           int dimension, const Vec3* kept, std::vector<double>& weights) {
    glm::dmat3 along(1.0);
    int directions = dimension;
    if (kept) {
        along = glm::dmat3(0.0);
        directions = 0;
        for (int j = 0; j < dimension; ++j) {
            along += glm::outerProduct(kept[j], kept[j]);
            directions += kept[j] != Vec3(0);
        }
    }
    std::vector<double> weight, row(distances.size());
    std::vector<Vec3> offsets;
    for (const Vec3& d : distances) {
        weight.push_back(1 / glm::dot(d, d));
        offsets.push_back(along * d);
    }
    const Regression fit(weight, offsets, dimension, undetermined);
    const Vec3 shift = fit.inverse * fit.mean;
    const auto fill = [&](double part) {
        for (std::size_t i = 0; i < row.size(); ++i)
            row[i] = weight[i] * (1 / fit.total - part * glm::dot(offsets[i] - fit.mean, shift));
    };
    fill(1);
    double whole = magnitude(row);
    // The magnitude is convex in part, and 1 for 0.
    if (whole > most_of_weights) {
        fill((most_of_weights - 1) / (whole - 1));
        whole = magnitude(row);
    }
    if (fit.rank < directions) {
        std::vector<Vec3> shape = corners();
        for (Vec3& x : shape) x = along * x;
        const std::vector<double> other = row_in_axes(weight, offsets, shape, dimension, fit.rank);
        const double further = magnitude(other),
                     part = further > most_of_weights
                                ? std::max(0.0, (most_of_weights - whole) / (further - whole))
                                : 1;
        for (std::size_t i = 0; i < other.size(); ++i) row[i] += part * (other[i] - row[i]);
    }
    weights.insert(weights.end(), row.begin(), row.end());
}

NodeWeights node_weights(const DistributedMesh& mesh, const Geometry& g,
                         const FreeDirections& mirrored) {
    const Mesh& m = mesh.mesh;
    const Rows cells = cells_of(m, Kind::node);
    std::vector<const Vec3*> kept(m.nodes(), nullptr);
    for (std::size_t k = 0; k < mirrored.entities.size(); ++k)
        kept[mirrored.entities[k]] = &mirrored.directions[k * m.dimension];
    const Index nodes = mesh.range(Kind::node).shared;
    NodeWeights result;
    result.weights = joined(pieces_of(
        nodes,
        [&](Index begin, Index end) {
            std::vector<double> weights;
            std::vector<Vec3> distances;
            for (Index i = begin; i < end; ++i) {
                distances.clear();
                for (const Index* c = cells.begin(i); c != cells.end(i); ++c)
                    distances.push_back(g.cell_centroid[*c] - m.corner(*c, m.place_in_cell(*c, i)));
                const auto corners = [&] {
                    return corners_round(m, i, cells.begin(i), cells.end(i));
                };
                append_weights(distances, corners, m.dimension, kept[i], weights);
            }
            return weights;
        },
        64));
    result.cells.start.assign(cells.start.begin(), cells.start.begin() + nodes + 1);
    result.cells.index.assign(cells.index.begin(), cells.index.begin() + cells.start[nodes]);
    return result;
}

}  // namespace solenoid
