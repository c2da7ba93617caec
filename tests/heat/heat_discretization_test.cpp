// The matrix of heat conduction beside the stiffness matrix of linear finite elements.
#include "heat/heat_discretization.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/fields.hpp"

namespace solenoid::heat_discretization_test {
namespace {

// Gradients of the shape functions by solving for their coefficients: the oracle of the stiffness
// matrix.
std::array<Vec3, 4> shape_gradients(const Mesh& m, Index cell) {
    const Index* n = m.cell_nodes.row(cell);
    const Vec3 last = m.points[n[m.dimension]];
    glm::dmat3 edges(1.0);
    for (int j = 0; j < m.dimension; ++j) edges[j] = m.points[n[j]] - last;
    if (m.dimension == 2) edges[2] = Vec3(0, 0, 1);
    const glm::dmat3 rows = glm::inverse(edges);  // row j is the gradient of shape function j
    std::array<Vec3, 4> gradient{};
    for (int j = 0; j < m.dimension; ++j) {
        gradient[j] = {rows[0][j], rows[1][j], rows[2][j]};
        gradient[m.dimension] -= gradient[j];
    }
    return gradient;
}

// A T with the linear finite-element stiffness matrix, assembled cell by cell; on marked nodes.
std::vector<double> stiffness_product(const Mesh& m, const Geometry& geometry,
                                      const std::vector<double>& t) {
    std::vector<double> product(m.nodes(), 0.0);
    for (Index c = 0; c < m.cells(); ++c) {
        const auto gradient = shape_gradients(m, c);
        for (int i = 0; i <= m.dimension; ++i)
            for (int j = 0; j <= m.dimension; ++j)
                product[m.cell_nodes(c, i)] += geometry.cell_volume[c] *
                                               glm::dot(gradient[i], gradient[j]) *
                                               t[m.cell_nodes(c, j)];
    }
    return product;
}

TEST(HeatMatrix, IsTheStiffnessMatrix) {
    const auto comm = Communicator::world();
    for (int dimension : {2, 3}) {
        BoxSettings box;
        box.dimension = dimension;
        box.cells = dimension == 2 ? 400 : 900;
        box.high = {1, 0.8, dimension == 2 ? 0.0 : 1.2};
        const DistributedMesh mesh =
            distribute(comm, comm.is_root() ? std::optional(box_mesh(box)) : std::nullopt);
        const Geometry sizes = geometry(mesh.mesh);
        const auto heat = discretize_heat(mesh, sizes, {MaterialSettings{}});
        std::vector<double> t(mesh.mesh.nodes());
        for (Index i = 0; i < mesh.mesh.nodes(); ++i)
            t[i] = test::random_value(test::key_of(mesh.mesh, Kind::node, i), 10);
        const auto expected = stiffness_product(mesh.mesh, sizes, t);
        double volume = 0;
        for (Index i = 0; i < mesh.range(Kind::node).owned; ++i) {
            double sum = 0;
            for (Index k = heat.neighbours.start[i]; k < heat.neighbours.start[i + 1]; ++k)
                sum += heat.weights[k] * (t[i] - t[heat.neighbours.index[k]]);
            ASSERT_NEAR(sum, expected[i], 1e-12);
            volume += heat.mass[i];
        }
        EXPECT_NEAR(comm.sum(volume), dimension == 2 ? 0.8 : 0.96, 1e-12);
    }
}

}  // namespace
}  // namespace solenoid::heat_discretization_test
