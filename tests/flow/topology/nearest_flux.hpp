// The divergence-free flux nearest to a given one, by a direct solve on a whole small mesh: the
// oracle of projections.
#pragma once

#include <glm/geometric.hpp>

#include "mesh/geometry.hpp"
#include "support/eigen_problems.hpp"
#include "support/fields.hpp"

namespace solenoid::test {

// Least (U - star)^T H (U - star), H = X^T V^-1 X, where D U = 0 and U = star on the prescribed
// faces. By faces.
inline std::vector<double> nearest_flux(const Mesh& m, const std::vector<bool>& prescribed,
                                        const std::vector<double>& star) {
    const Geometry g = geometry(m);
    const int faces = static_cast<int>(m.faces()), size = faces + static_cast<int>(m.cells());
    Entries entries;
    Vector rhs = Vector::Zero(size);
    bool closed = true;
    for (int f = 0; f < faces; ++f) {
        const bool boundary = m.face_cells(f, 0) == none || m.face_cells(f, 1) == none;
        if (boundary && !prescribed[f]) closed = false;
        if (!prescribed[f]) continue;
        entries.emplace_back(f, f, 1);
        rhs[f] = star[f];
    }
    for (Index c = 0; c < m.cells(); ++c) {
        const int row = faces + static_cast<int>(c);
        // one condition follows from the others
        if (closed && c == 0) entries.emplace_back(row, row, 1);
        for (int i = 0; i <= m.dimension; ++i) {
            const Index f = entity_of(m.cell_faces(c, i));
            const double sign = orientation_of(m.cell_faces(c, i));
            if (!(closed && c == 0)) entries.emplace_back(row, f, sign);
            if (prescribed[f]) continue;
            if (!(closed && c == 0)) entries.emplace_back(f, row, sign);
            for (int j = 0; j <= m.dimension; ++j) {
                const Index k = entity_of(m.cell_faces(c, j));
                const double h = sign * orientation_of(m.cell_faces(c, j)) *
                                 glm::dot(face_offset(m, g, c, i), face_offset(m, g, c, j)) /
                                 g.cell_volume[c];
                entries.emplace_back(f, k, h);
                rhs[f] += h * star[k];
            }
        }
    }
    const SparseMatrix matrix = sparse(size, size, entries);
    const Vector x = solve(matrix, rhs);
    EXPECT_LT((matrix * x - rhs).norm(), 1e-9 * rhs.norm());
    return {x.data(), x.data() + faces};
}

}  // namespace solenoid::test
