#include "flow/flow_discretization.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace solenoid {
namespace {

bool is_boundary_face(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}

// Gradients in the face's plane of the linear functions that are 1 at its node j and 0 at the others.
std::array<Vec3, 3> tangential_gradients(const Mesh& m, Index face, const Vec3& area) {
    const Index* n = m.nodes_of(Kind::face, face);
    std::array<Vec3, 3> gradient{};
    if (m.dimension == 2) {
        const Vec3 t = m.points[n[1]] - m.points[n[0]];
        gradient[1] = t / glm::dot(t, t);
        return gradient;
    }
    const double doubled = 2 * glm::dot(area, area);
    gradient[1] = glm::cross(area, m.points[n[0]] - m.points[n[2]]) / doubled;
    gradient[2] = glm::cross(area, m.points[n[1]] - m.points[n[0]]) / doubled;
    return gradient;
}

// The inverse of a symmetric matrix along its range: cells that lie in a line, or a cell with one face inside, tell nothing
// of the directions across. Inverting their round-off instead would spoil constants.
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
    }
    return boundary;
}

FaceCoefficients face_coefficients(const DistributedMesh& mesh, const Geometry& g, const BoundaryFaces& boundary) {
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
    for (std::size_t k = 0; k < boundary.faces.size(); ++k) value[boundary.faces[k]] = boundary.first + static_cast<Index>(k);
    for (Index f = 0; f < faces; ++f) {
        const Index left = m.face_cells(f, 0), right = m.face_cells(f, 1);
        const Vec3 a = left == none ? g.face_centroid[f] : g.cell_centroid[left];
        const Vec3 b = right == none ? g.face_centroid[f] : g.cell_centroid[right];
        c.cells(f, 0) = left == none ? value[f] : left;
        c.cells(f, 1) = right == none ? value[f] : right;
        const double area = glm::length(g.face_area[f]);
        const Vec3 n = g.face_area[f] / area, d = b - a;
        const double along = glm::dot(d, n);
        c.theta[f] = glm::dot(g.face_centroid[f] - a, n) / along;
        c.conduction[f] = (is_boundary_face(m, f) ? 2 : 1) * area / along;
        const Vec3 crossing = a + c.theta[f] * d;
        const auto gradient = tangential_gradients(m, f, g.face_area[f]);
        for (int j = 1; j <= tangents; ++j) {
            c.skew[std::size_t(j - 1) * faces + f] = glm::dot(gradient[j], g.face_centroid[f] - crossing);
            c.cross[std::size_t(j - 1) * faces + f] = c.conduction[f] * glm::dot(gradient[j], d - along * n);
        }
    }
    return c;
}

CellDiffusion cell_diffusion(const DistributedMesh& mesh, const FaceCoefficients& coefficients, double viscosity) {
    const Mesh& m = mesh.mesh;
    CellDiffusion result;
    result.to_boundary.assign(mesh.range(Kind::cell).owned, 0.0);
    for (Index cell = 0; cell < mesh.range(Kind::cell).owned; ++cell) {
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(cell, j));
            const Index other = m.face_cells(f, 0) == cell ? m.face_cells(f, 1) : m.face_cells(f, 0);
            const double weight = viscosity * coefficients.conduction[f];
            if (other == none) {
                result.to_boundary[cell] += weight;
                continue;
            }
            result.neighbours.index.push_back(other);
            result.weights.push_back(weight);
        }
        result.neighbours.start.push_back(static_cast<Index>(result.neighbours.index.size()));
    }
    return result;
}

std::vector<double> boundary_weights(const DistributedMesh& mesh, const Geometry& g, const BoundaryFaces& boundary) {
    const Mesh& m = mesh.mesh;
    const std::size_t count = boundary.faces.size();
    std::vector<double> weights(count * (m.dimension + 1));
    for (std::size_t k = 0; k < count; ++k) {
        const Index f = boundary.faces[k], c = boundary.cells[k];
        const double area = glm::length(g.face_area[f]);
        const Vec3 n = boundary.outward[k] * g.face_area[f] / area, r = g.face_centroid[f] - g.cell_centroid[c];
        const double along = glm::dot(r, n);
        const Vec3 direction = 2.0 * (r - along * n) / along + n;
        for (int j = 0; j <= m.dimension; ++j) {
            const Vec3 gradient = opposite_area(m, c, j) / (-m.dimension * g.cell_volume[c]);
            weights[j * count + k] = boundary.outward[k] * area * glm::dot(gradient, direction);
        }
    }
    return weights;
}

constexpr double most = 3;  // of the sum of a row's magnitudes: 1 is a mean, boundary nodes have 1.5 to 2.5

// The row of one node: of the fit u_c = alpha + g . d_c, d_c = x_c - x_i, the weights that give alpha. Where few cells
// lie round a node, on the boundary, g may be hardly determined, and extrapolation by it without bound: it then counts
// in part, so that the sum of the weights' magnitudes stays below `most`.
static void append_row(const Geometry& g, const Vec3& x, const Index* begin, const Index* end, int dimension, NodeWeights& result) {
    const auto weight = [&](Index c) { return 1 / glm::dot(g.cell_centroid[c] - x, g.cell_centroid[c] - x); };
    Vec3 mean(0);
    double total = 0;
    for (const Index* c = begin; c != end; ++c) {
        total += weight(*c);
        mean += weight(*c) * (g.cell_centroid[*c] - x);
    }
    mean /= total;
    glm::dmat3 moment(0.0);
    for (const Index* c = begin; c != end; ++c) {
        const Vec3 d = g.cell_centroid[*c] - x - mean;
        moment += weight(*c) * glm::outerProduct(d, d);
    }
    const Vec3 shift = inverse_on_range(moment, dimension) * mean;
    const auto entry = [&](Index c, double part) { return weight(c) * (1 / total - part * glm::dot(g.cell_centroid[c] - x - mean, shift)); };
    const auto magnitude = [&](double part) {
        double sum = 0;
        for (const Index* c = begin; c != end; ++c) sum += std::abs(entry(*c, part));
        return sum;
    };
    const double whole = magnitude(1), part = whole > most ? (most - 1) / (whole - 1) : 1;  // magnitude(0) = 1, and it is convex
    for (const Index* c = begin; c != end; ++c) {
        result.cells.index.push_back(*c);
        result.weights.push_back(entry(*c, part));
    }
}

NodeWeights node_weights(const DistributedMesh& mesh, const Geometry& g) {
    const Rows cells = cells_of(mesh.mesh, Kind::node);
    NodeWeights result;
    for (Index i = 0; i < mesh.range(Kind::node).shared; ++i) {
        append_row(g, mesh.mesh.points[i], cells.begin(i), cells.end(i), mesh.mesh.dimension, result);
        result.cells.start.push_back(static_cast<Index>(result.cells.index.size()));
    }
    return result;
}

std::vector<Vec3> reconstruction_vectors(const DistributedMesh& mesh, const Geometry& g) {
    const Mesh& m = mesh.mesh;
    const int faces = m.dimension + 1;
    std::vector<Vec3> vectors(std::size_t(m.cells()) * faces, Vec3(0));
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) {
        glm::dmat3 sum(0.0);
        for (int j = 0; j < faces; ++j) {
            const Index f = entity_of(m.cell_faces(c, j));
            if (is_boundary_face(m, f)) continue;
            sum += glm::outerProduct(g.face_area[f], g.face_area[f]) / glm::length(g.face_area[f]);
        }
        const glm::dmat3 inverse = inverse_on_range(sum, m.dimension);
        for (int j = 0; j < faces; ++j) {
            const Index o = m.cell_faces(c, j), f = entity_of(o);
            if (is_boundary_face(m, f)) continue;
            vectors[std::size_t(c) * faces + j] = inverse * g.face_area[f] * (double(orientation_of(o)) / glm::length(g.face_area[f]));
        }
    }
    return vectors;
}

}  // namespace solenoid
