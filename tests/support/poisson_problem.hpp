// Poisson problems on a mesh's nodes, cells or edges for tests of solvers, assembled here from the
// mesh alone: linear finite elements on nodes, two-point fluxes on cells, edge elements on edges.
#pragma once

#include <functional>
#include <glm/geometric.hpp>

#include "mesh/geometry.hpp"
#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid::test {

struct PoissonProblem {
    Kind kind;
    HostMatrix matrix;         // a row for each owned entity
    std::vector<Index> fixed;  // owned entities held at 0
    std::vector<double> rhs;   // of the owned entities, 0 on fixed ones
};

// k at a cell.
using Conductivity = std::function<double(const Mesh& mesh, const Geometry& geometry, Index cell)>;

// Owned entities of a kind on the boundary of the domain. All cells round them are held, so that a
// face of theirs with one cell is the domain's.
inline std::vector<Index> on_boundary(const DistributedMesh& mesh, Kind kind) {
    const Mesh& m = mesh.mesh;
    std::vector<bool> flags(m.count(kind), false);
    for (Index f = 0; f < m.faces(); ++f) {
        if (m.face_cells(f, 0) != none && m.face_cells(f, 1) != none) continue;
        for (int j = 0; j < m.dimension; ++j)
            flags[kind == Kind::node ? m.nodes_of(Kind::face, f)[j]
                                     : entity_of(m.face_codim2(f)[j])] = true;
    }
    std::vector<Index> result;
    for (Index i = 0; i < mesh.range(kind).owned; ++i)
        if (flags[i]) result.push_back(i);
    return result;
}

// Integrals of k grad(phi_a) . grad(phi_b) and of phi_a, none fixed: grad(phi_j) = -S_j / (d V).
inline PoissonProblem stiffness(const DistributedMesh& mesh, const Conductivity& conductivity) {
    const Mesh& m = mesh.mesh;
    const Geometry g = geometry(m);
    const Rows cells = cells_of(m, Kind::node), edges = node_edges(m);
    PoissonProblem problem{Kind::node, {}, {}, {}};
    for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) {
        std::vector<Index> columns{i};
        for (const Index* e = edges.begin(i); e != edges.end(i); ++e) {
            const Index* ends = m.nodes_of(Kind::edge, entity_of(*e));
            columns.push_back(ends[0] == i ? ends[1] : ends[0]);
        }
        std::vector<double> entries(columns.size(), 0.0);
        double share = 0;
        for (const Index* c = cells.begin(i); c != cells.end(i); ++c) {
            const double v = g.cell_volume[*c];
            const Vec3 s = opposite_area(m, *c, m.place_in_cell(*c, i));
            share += v / (m.dimension + 1);
            for (int j = 0; j <= m.dimension; ++j) {
                const auto at = std::find(columns.begin(), columns.end(), m.cell_nodes(*c, j));
                entries[at - columns.begin()] += conductivity(m, g, *c) *
                                                 glm::dot(s, opposite_area(m, *c, j)) /
                                                 (m.dimension * m.dimension * v);
            }
        }
        for (std::size_t k = 0; k < columns.size(); ++k)
            problem.matrix.append(columns[k], entries[k]);
        problem.matrix.end_row();
        problem.rhs.push_back(share);
    }
    return problem;
}

// A / d a face, d the distance along its normal of the centroids beside it, to the face itself on
// the boundary, where the value is 0; right-hand side: the cells' volumes.
inline PoissonProblem two_point_fluxes(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const Geometry g = geometry(m);
    PoissonProblem problem{Kind::cell, {}, {}, {}};
    for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) {
        double diagonal = 0;
        std::vector<std::pair<Index, double>> row;
        for (int j = 0; j <= m.dimension; ++j) {
            const Index f = entity_of(m.cell_faces(c, j));
            const auto beside = centroids_beside(m, g, f);
            const Vec3& area = g.face_area[f];
            const double conductance =
                glm::dot(area, area) / std::abs(glm::dot(area, beside[1] - beside[0]));
            const Index other = m.face_cells(f, m.face_cells(f, 0) == c ? 1 : 0);
            diagonal += conductance;
            if (other != none) row.emplace_back(other, -conductance);
        }
        problem.matrix.append(c, diagonal);
        for (const auto& [column, entry] : row) problem.matrix.append(column, entry);
        problem.matrix.end_row();
        problem.rhs.push_back(g.cell_volume[c]);
    }
    return problem;
}

// Integrals of curl(w_e) . curl(w_f) over the edge elements w = lambda_a grad(lambda_b) - lambda_b
// grad(lambda_a) (Nedelec 1980), curl(w) = 2 grad(lambda_a) x grad(lambda_b) in a tet; right-hand
// side: those of (-y, x, 0) at the cells' centroids . curl(w_e). Nothing is fixed.
inline PoissonProblem curl_curl(const DistributedMesh& mesh) {
    const Mesh& m = mesh.mesh;
    const Geometry g = geometry(m);
    const auto curl = [&](Index edge, Index c) {
        const auto gradient = [&](int end) {
            const int j = m.place_in_cell(c, m.edge_nodes(edge, end));
            return opposite_area(m, c, j) / (-3 * g.cell_volume[c]);
        };
        return 2.0 * glm::cross(gradient(0), gradient(1));
    };
    const Rows cells = cells_of(m, Kind::edge);
    PoissonProblem problem{Kind::edge, {}, {}, {}};
    for (Index e = 0; e < mesh.range(Kind::edge).owned; ++e) {
        std::vector<std::pair<Index, double>> row;
        double rhs = 0;
        for (const Index* c = cells.begin(e); c != cells.end(e); ++c) {
            const Vec3 own = curl(e, *c), &x = g.cell_centroid[*c];
            rhs += g.cell_volume[*c] * glm::dot(own, Vec3(-x.y, x.x, 0));
            for (int j = 0; j < 6; ++j) {
                const Index other = m.cell_edges(*c, j);
                auto at = std::find_if(row.begin(), row.end(),
                                       [&](const auto& entry) { return entry.first == other; });
                if (at == row.end()) at = row.insert(row.end(), {other, 0.0});
                at->second += g.cell_volume[*c] * glm::dot(own, curl(other, *c));
            }
        }
        for (const auto& [column, entry] : row) problem.matrix.append(column, entry);
        problem.matrix.end_row();
        problem.rhs.push_back(rhs);
    }
    return problem;
}

// Fixed at 0 on the whole boundary. On edges: tets.
inline PoissonProblem poisson_problem(const DistributedMesh& mesh, Kind kind) {
    if (kind == Kind::cell) return two_point_fluxes(mesh);
    PoissonProblem problem =
        kind == Kind::edge
            ? curl_curl(mesh)
            : stiffness(mesh, [](const Mesh&, const Geometry&, Index) { return 1.0; });
    problem.fixed = on_boundary(mesh, kind);
    for (Index i : problem.fixed) problem.rhs[i] = 0;
    return problem;
}

}  // namespace solenoid::test
