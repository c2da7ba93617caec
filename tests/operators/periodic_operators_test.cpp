// The operators on periodic meshes, on several ranks: they do not know of the seam.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "support/periodic_calculus.hpp"

namespace solenoid::periodic_operators_test {
namespace {

using Calculus = test::PeriodicCalculus;

TEST(PeriodicOperators, CurlsHaveNoDivergenceAndGradientsNoRotation) {
    for (const std::string& device : test::device_names())
        for (int dimension : {2, 3}) {
            Calculus o(dimension, device);
            const Kind codim2 = o.mesh.mesh.codim2_kind();
            auto s = o.integers(codim2), p = o.integers(Kind::cell);
            auto flux = o.operators.field(Kind::face), net = o.operators.field(Kind::cell),
                 round = o.operators.field(codim2);
            o.operators.curl(s, flux);
            EXPECT_GT(o.largest(Kind::face, flux), 0);
            o.operators.divergence(flux, net);
            EXPECT_EQ(o.largest(Kind::cell, net), 0) << device;
            o.operators.gradient(p, flux);
            o.operators.rotation(flux, round);
            EXPECT_EQ(o.largest(codim2, round), 0) << device;
        }
}

// A uniform stream: its fluxes interpolate to it, have no divergence, and its circulation round
// every codim-2 entity is 0.
TEST(PeriodicOperators, AreExactForAUniformStream) {
    for (int dimension : {2, 3}) {
        Calculus o(dimension);
        const Vec3 v(0.3, -0.8, dimension == 3 ? 0.5 : 0);
        auto flux = test::owned_field_of<double>(
            o.domain, Kind::face, 1, [&](Index f, int) { return glm::dot(v, o.g.face_area[f]); });
        auto u = o.operators.vector_field(Kind::cell);
        o.operators.interpolation(flux, u);
        const auto values = u.download();
        for (Index c = 0; c < o.mesh.range(Kind::cell).owned; ++c)
            for (int k = 0; k < dimension; ++k)
                ASSERT_NEAR(values[std::size_t(k) * u.size() + c], v[k], 1e-12);
        auto net = o.operators.field(Kind::cell), along = o.operators.field(Kind::face),
             round = o.operators.field(o.mesh.mesh.codim2_kind());
        o.operators.divergence(flux, net);
        EXPECT_LT(o.largest(Kind::cell, net), 1e-14);
        o.operators.integration(u, along);
        const auto lengths = along.download();
        for (Index f = 0; f < o.mesh.range(Kind::face).shared; ++f) {
            const auto [a, b] = centroids_beside(o.mesh.mesh, o.g, f);
            ASSERT_NEAR(lengths[f], glm::dot(v, b - a), 1e-12);
        }
        o.operators.rotation(along, round);
        EXPECT_LT(o.largest(o.mesh.mesh.codim2_kind(), round), 1e-12);
    }
}

}  // namespace
}  // namespace solenoid::periodic_operators_test
