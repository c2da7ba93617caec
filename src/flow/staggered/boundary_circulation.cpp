#include "flow/staggered/boundary_circulation.hpp"

#include <algorithm>
#include <glm/geometric.hpp>

namespace solenoid {
namespace {

// Adds the integral of phi_i u . t over a boundary side to both of its nodes, by Simpson's rule.
// outward: 1 where the normal of the side leaves the domain, else -1.
void add_side(const Mesh& m, const FlowBoundaries& boundaries, Index face, double outward, double t,
              std::vector<double>& b) {
    const Index* n = m.nodes_of(Kind::face, face);
    const auto x = m.face_corners(face);
    const Vec3 along = outward * (x[1] - x[0]),
               middle = boundaries.given_velocity(face, 0.5 * (x[0] + x[1]), t) / 3.0;
    for (int j = 0; j < 2; ++j)
        if (n[j] < b.size())
            b[n[j]] += glm::dot(boundaries.given_velocity(face, x[j], t) / 6.0 + middle, along);
}

// Adds the integral of (n x u) . w_e over a boundary triangle to its three edges,
//   w_e = lambda_from grad lambda_to - lambda_to grad lambda_from,
// by the rule of the three mid-sides. At the middle of the side between the nodes i and j lambda_i
// = lambda_j = 1/2.
void add_triangle(const Mesh& m, const FlowBoundaries& boundaries, Index face, const Vec3& area,
                  double outward, double t, std::vector<double>& b) {
    const auto edges = m.face_codim2(face);  // ab, bc, ca
    const auto x = m.face_corners(face);
    Vec3 gradient[3];
    for (int j = 0; j < 3; ++j)
        gradient[j] =
            glm::cross(area, x[(j + 2) % 3] - x[(j + 1) % 3]) / (2 * glm::dot(area, area));
    for (int side = 0; side < 3; ++side) {
        const int i = side, j = (side + 1) % 3;
        const Vec3 turned =
            glm::cross(outward / 3 * area, boundaries.given_velocity(face, 0.5 * (x[i] + x[j]), t));
        for (int e = 0; e < 3; ++e) {
            const Index edge = entity_of(edges[e]);
            if (edge >= b.size()) continue;
            const int from = e, to = (e + 1) % 3;  // as the face's boundary runs
            const double at_from = from == i || from == j ? 0.5 : 0,
                         at_to = to == i || to == j ? 0.5 : 0;
            b[edge] += orientation_of(edges[e]) *
                       glm::dot(turned, at_from * gradient[to] - at_to * gradient[from]);
        }
    }
}

}  // namespace

std::vector<double> boundary_circulation(const DistributedMesh& mesh, const Geometry& geometry,
                                         const FlowBoundaries& boundaries, double t) {
    const Mesh& m = mesh.mesh;
    std::vector<double> b(mesh.range(m.codim2_kind()).owned, 0.0);
    std::vector<Index> faces;
    for (Index f = 0; f < m.faces(); ++f)
        if (const FlowBoundary* boundary = boundaries.boundary(f);
            boundary && boundary->condition->holds())
            faces.push_back(f);
    if (const auto& names = mesh.halo(Kind::face).names)  // of a reproducible run
        std::ranges::sort(faces, {}, [&](Index f) { return (*names)[f]; });
    for (const Index f : faces) {
        const double outward = m.face_cells(f, 1) == none ? 1 : -1;
        if (m.dimension == 2)
            add_side(m, boundaries, f, outward, t, b);
        else
            add_triangle(m, boundaries, f, geometry.face_area[f], outward, t, b);
    }
    return b;
}

}  // namespace solenoid
