// Weights and coefficients at faces of periodic meshes, on several ranks.
#include <gtest/gtest.h>

#include <glm/common.hpp>
#include <glm/geometric.hpp>

#include "flow/discretization/flow_discretization.hpp"
#include "support/periodic_calculus.hpp"

namespace solenoid::periodic_coefficients_test {
namespace {

using Calculus = test::PeriodicCalculus;

// The coefficients of the collocated scheme, for fields that are linear where the cell or node
// stands. The oracle takes the nearest copy of everything.
TEST(PeriodicFlow, CoefficientsAreExactForLocallyLinearFields) {
    for (int dimension : {2, 3}) {
        Calculus o(dimension);
        const Mesh& m = o.mesh.mesh;
        const Vec3 slope(0.7, -1.3, dimension == 3 ? 0.4 : 0);
        const auto nearest = [](Vec3 x) { return x - glm::round(x); };  // the offsets are 1
        const NodeWeights weights = node_weights(o.mesh, o.g, {});
        for (Index i = 0; i < o.mesh.range(Kind::node).shared; ++i) {
            double value = 0, sum = 0;
            for (Index e = weights.cells.start[i]; e < weights.cells.start[i + 1]; ++e) {
                value += weights.weights[e] *
                         glm::dot(slope,
                                  nearest(o.g.cell_centroid[weights.cells.index[e]] - m.points[i]));
                sum += weights.weights[e];
            }
            ASSERT_NEAR(value, 0, 1e-13);
            ASSERT_NEAR(sum, 1, 1e-12);
        }
        const BoundaryFaces boundary = boundary_faces(o.mesh);
        EXPECT_TRUE(boundary.faces.empty());
        const FaceCoefficients c = face_coefficients(o.mesh, o.g, boundary);
        const std::size_t faces = o.mesh.range(Kind::face).shared;
        for (Index f = 0; f < faces; ++f) {
            const Vec3 origin = m.points[m.face_nodes(f, 0)];
            const auto at = [&](const Vec3& x) { return glm::dot(slope, nearest(x - origin)); };
            const double a = at(o.g.cell_centroid[c.cells(f, 0)]),
                         b = at(o.g.cell_centroid[c.cells(f, 1)]);
            double value = (1 - c.theta[f]) * a + c.theta[f] * b, flux = c.conduction[f] * (b - a);
            for (int j = 1; j < dimension; ++j) {
                const double t = at(m.points[m.face_nodes(f, j)]);
                value += c.skew[(j - 1) * faces + f] * t;
                flux -= c.cross[(j - 1) * faces + f] * t;
            }
            ASSERT_NEAR(value, at(o.g.face_centroid[f]), 1e-13);
            ASSERT_NEAR(flux, glm::dot(slope, o.g.face_area[f]), 1e-13);
        }
    }
}

}  // namespace
}  // namespace solenoid::periodic_coefficients_test
