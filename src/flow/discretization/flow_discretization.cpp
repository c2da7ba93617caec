#include "flow/discretization/flow_discretization.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <numeric>

#include "core/pieces.hpp"

namespace solenoid {
namespace {

bool is_boundary_face(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}

// The pseudo-inverse of a symmetric matrix. Cells in a line, or a cell with one face inside, do not
// determine the directions across; inverting the round-off in these would make constants inexact.
glm::dmat3 inverse_on_range(const glm::dmat3& matrix, int dimension) {
    constexpr double negligible = 1e-4;  // of the trace
    Eigen::Matrix3d m = Eigen::Matrix3d::Zero();
    for (int i = 0; i < dimension; ++i)
        for (int j = 0; j < dimension; ++j) m(i, j) = matrix[j][i];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> modes(m);
    glm::dmat3 inverse(0.0);
    for (int k = 0; k < 3; ++k) {
        if (modes.eigenvalues()[k] <= negligible * m.trace()) continue;
        const auto v = modes.eigenvectors().col(k);
        const Vec3 direction(v[0], v[1], v[2]);
        inverse += glm::outerProduct(direction, direction) / modes.eigenvalues()[k];
    }
    return inverse;
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

// of the sum of magnitudes of a row: 1 for a mean; boundary nodes have 1.5 to 2.5
constexpr double most = 3;

// Appends the weights of one node: those that give alpha in the fit u_c = alpha + g . d_c with d_c
// = x_c - x_i. With mirror images g, d_c and their moments have components along the kept
// directions only. At a boundary node with few cells g may be ill determined, and extrapolation by
// it unbounded; it is then scaled so that the sum of the weights' magnitudes stays below `most`.
static void append_weights(const std::vector<Vec3>& distances, int dimension, const Vec3* kept,
                           std::vector<double>& weights) {
    const auto weight = [](const Vec3& d) { return 1 / glm::dot(d, d); };
    glm::dmat3 along(1.0);
    if (kept) {
        along = glm::dmat3(0.0);
        for (int j = 0; j < dimension; ++j) along += glm::outerProduct(kept[j], kept[j]);
    }
    Vec3 mean(0);
    double total = 0;
    for (const Vec3& d : distances) {
        total += weight(d);
        mean += weight(d) * (along * d);
    }
    mean /= total;
    glm::dmat3 moment(0.0);
    for (const Vec3& d : distances)
        moment += weight(d) * glm::outerProduct(along * d - mean, along * d - mean);
    const Vec3 shift = inverse_on_range(moment, dimension) * mean;
    const auto entry = [&](const Vec3& d, double part) {
        return weight(d) * (1 / total - part * glm::dot(along * d - mean, shift));
    };
    const auto magnitude = [&](double part) {
        double sum = 0;
        for (const Vec3& d : distances) sum += std::abs(entry(d, part));
        return sum;
    };
    // magnitude() is convex and magnitude(0) = 1.
    const double whole = magnitude(1), part = whole > most ? (most - 1) / (whole - 1) : 1;
    for (const Vec3& d : distances) weights.push_back(entry(d, part));
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
                append_weights(distances, m.dimension, kept[i], weights);
            }
            return weights;
        },
        64));
    result.cells.start.assign(cells.start.begin(), cells.start.begin() + nodes + 1);
    result.cells.index.assign(cells.index.begin(), cells.index.begin() + cells.start[nodes]);
    return result;
}

}  // namespace solenoid
