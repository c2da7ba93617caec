#include "flow/diagnostics/boundary_forces.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

#include "device/kernels.hpp"
#include "device/upload.hpp"

namespace solenoid {
namespace {

// Of the pressures at a face's nodes in its mean over the face: a d-th each, but where some of them lie on a sharp edge. There p = p_e + (p_o - p_e) (r/h)^(e - 1),
// p_e the mean at the nodes on the edge, p_o at the others, which are a distance h off.
std::array<double, 3> shares_of_nodes(const Index* node, int d, const std::vector<double>& exponent) {
    int on_edge = 0;
    double e = 1;
    for (int j = 0; j < d; ++j) {
        on_edge += exponent[node[j]] < 1;
        e = std::min(e, exponent[node[j]]);
    }
    std::array<double, 3> share{};
    const bool is_plain = on_edge == 0 || on_edge == d;
    const double others = d == 2 ? 1 / e : on_edge == 2 ? 2 / (e * (e + 1)) : 2 / (e + 1);  // the mean of (r/h)^(e - 1)
    for (int j = 0; j < d; ++j) {
        if (is_plain) share[j] = 1.0 / d;
        else share[j] = exponent[node[j]] < 1 ? (1 - others) / on_edge : others / (d - on_edge);
    }
    return share;
}

}  // namespace

template <class Real>
BoundaryForces<Real>::BoundaryForces(const Domain& domain, const FlowBoundaries& boundaries, const SharpEdges& edges, const CellStencil<Real>& stencil, const Viscosity<Real>& viscosity)
    : domain_(domain),
      boundaries_(boundaries),
      stencil_(stencil),
      viscosity_(viscosity),
      place_(domain.mesh.mesh.faces(), none) {
    const BoundaryFaces& b = boundaries.faces();
    const int d = domain.dimension;
    const std::size_t count = b.faces.size();
    const FaceCoefficients c = face_coefficients(domain.mesh, domain.geometry, b);
    std::vector<double> weights = boundary_weights(domain.mesh, domain.geometry, b), conduction(count);
    std::vector<Vec3> areas(count);
    for (std::size_t k = 0; k < count; ++k) {
        place_[b.faces[k]] = static_cast<Index>(k);
        share_.push_back(shares_of_nodes(domain.mesh.mesh.nodes_of(Kind::face, b.faces[k]), d, edges.exponent));
        conduction[k] = boundaries.condition(k).slips() ? 0 : c.conduction[b.faces[k]];  // nothing rubs there
        areas[k] = b.outward[k] * domain.geometry.face_area[b.faces[k]];
        for (int j = 0; j <= d; ++j) weights[j * count + k] *= b.outward[k];
    }
    cell_ = uploaded(domain.device, b.cells);
    weight_ = uploaded<Real>(domain.device, weights, d + 1);
    conduction_ = uploaded<Real>(domain.device, conduction);
    area_ = uploaded_vectors<Real>(domain.device, areas, count, 1, d);
    friction_ = domain.device.buffer<Real>(cell_.size(), d);
}

// Where the velocity changes along the boundary (a wall turns, a flow slips), friction has a part from that alone:
// -nu A (L^T n - 2 n tr L), L the gradient of the velocity along the face. du/dn . n = -tr L, the divergence being zero.
template <class Real>
Vec3 BoundaryForces<Real>::moving_part(std::size_t k, const std::vector<Real>& at_nodes) const {
    const Mesh& m = domain_.mesh.mesh;
    const Index f = boundaries_.faces().faces[k];
    const Index* node = m.nodes_of(Kind::face, f);
    const Vec3 area = boundaries_.faces().outward[k] * domain_.geometry.face_area[f];
    const auto velocity = [&](Index i) {
        Vec3 u(0);
        for (int j = 0; j < m.dimension; ++j) u[j] = at_nodes[std::size_t(j) * m.nodes() + i];
        return u;
    };
    const auto gradient = tangential_gradients(m, f, domain_.geometry.face_area[f]);
    Vec3 turned(0);
    double trace = 0;
    for (int j = 1; j < m.dimension; ++j) {
        const Vec3 rise = velocity(node[j]) - velocity(node[0]);
        turned += gradient[j] * glm::dot(rise, area);
        trace += glm::dot(rise, gradient[j]);
    }
    return -viscosity_.host_boundary()[k] * (turned - 2 * trace * area);
}

template <class Real>
std::vector<BoundaryForce> BoundaryForces<Real>::measure(const Buffer<Real>& u, const Buffer<Real>& at_nodes, const std::vector<double>& p) {
    const Mesh& m = domain_.mesh.mesh;
    const int d = m.dimension;
    const std::size_t count = cell_.size();
    if (count)
        kernels::WallFriction<Real>{.dimension = d, .cell = cell_, .node = stencil_.boundary_cell_nodes, .weight = weight_, .conduction = conduction_,
                                    .nu = viscosity_.at_boundary(), .area = area_, .u = u, .t = at_nodes, .value = friction_,
                                    .first = boundaries_.faces().first}.run(domain_.device, {0, cell_.size()});
    const auto friction = friction_.download();
    const auto velocity = at_nodes.download();

    struct Pushed {
        std::size_t boundary;
        double p;
        Vec3 area, rubbed;
    };
    std::vector<Pushed> pushed;
    std::vector<double> sums(m.boundaries.size() * 9, 0.0), means(m.boundaries.size() * 2, 0.0);
    for (const Side& side : m.sides) {
        const Index k = place_[side.face];
        if (k == none || side.face >= domain_.faces.owned || boundaries_.is_open(side.face)) continue;
        double mean = 0;
        for (int j = 0; j < d; ++j) mean += share_[k][j] * p[m.nodes_of(Kind::face, side.face)[j]];
        const Vec3 area = boundaries_.faces().outward[k] * domain_.geometry.face_area[side.face], pressure = mean * area;
        Vec3 rubbed = moving_part(k, velocity);
        for (int j = 0; j < d; ++j) rubbed[j] += friction[j * count + k];
        pushed.push_back({side.boundary, mean, area, rubbed});
        means[side.boundary * 2] += mean * glm::length(area);
        means[side.boundary * 2 + 1] += glm::length(area);
        const Vec3 moment = glm::cross(domain_.geometry.face_centroid[side.face], pressure + rubbed);
        for (int j = 0; j < 3; ++j) {
            sums[side.boundary * 9 + j] += pressure[j];
            sums[side.boundary * 9 + 3 + j] += rubbed[j];
            sums[side.boundary * 9 + 6 + j] += moment[j];
        }
    }
    sums.insert(sums.end(), means.begin(), means.end());
    domain_.comm.sum(sums);
    std::vector<double> strengths(m.boundaries.size(), 0.0);
    for (const Pushed& face : pushed) {
        const double* mean = &sums[m.boundaries.size() * 9 + face.boundary * 2];
        strengths[face.boundary] += glm::length((face.p - mean[0] / mean[1]) * face.area + face.rubbed);
    }
    domain_.comm.sum(strengths);
    std::vector<BoundaryForce> forces(m.boundaries.size());
    for (std::size_t g = 0; g < forces.size(); ++g)
        for (int j = 0; j < 3; ++j) {
            forces[g].pressure[j] = sums[g * 9 + j];
            forces[g].friction[j] = sums[g * 9 + 3 + j];
            forces[g].moment[j] = sums[g * 9 + 6 + j];
            forces[g].strength = strengths[g];
        }
    return forces;
}

template class BoundaryForces<float>;
template class BoundaryForces<double>;

}  // namespace solenoid
