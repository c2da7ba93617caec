// The projection of the exact fractional step: its matrix, its boundary values, and what it leaves.
#include "flow/projection/stream_function.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "flow/discretization/stream_function_matrix.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/domain_fields.hpp"
#include "support/inner_product.hpp"

namespace solenoid::stream_function_test {
namespace {

using test::key_of;

// Divergence-free: a rotation, a strain and a constant.
Vec3 smooth_flow(const Vec3& x, int dimension) {
    if (dimension == 2) return {0.3 + 2 * x.y + 0.5 * x.x, -0.4 - x.x - 0.5 * x.y, 0};
    return {0.3 + 2 * x.y - x.z + 0.5 * x.x, -0.4 - x.x + 0.25 * x.y, 1 + x.x - 0.75 * x.z};
}

template <class Real>
struct Problem {
    Problem(const std::string& device_name, int dimension, double tolerance)
        : comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(distribute(comm, whole(comm, dimension))),
          domain(comm, *device, mesh),
          operators(domain.operators<Real>()),
          g(domain.geometry),
          boundary(boundary_faces()),
          stream(domain, boundary, {tolerance, 20000}) {}

    static std::optional<SimplexMesh> whole(const Communicator& comm, int dimension) {
        if (!comm.is_root()) return std::nullopt;
        BoxSettings box;
        box.dimension = dimension;
        box.cells = dimension == 2 ? 500 : 1200;
        return box_mesh(box);
    }
    // Faces of the domain's boundary: all lie in a named group.
    std::vector<bool> boundary_faces() const {
        std::vector<bool> flags(mesh.mesh.faces(), false);
        for (const Side& side : mesh.mesh.sides) flags[side.face] = true;
        return flags;
    }
    double flux_through(Index face) const {
        return glm::dot(smooth_flow(g.face_centroid[face], mesh.mesh.dimension), g.face_area[face]);
    }
    std::vector<double> boundary_flux() {
        std::vector<double> flux;
        for (Index f : stream.trace().faces()) flux.push_back(flux_through(f));
        return flux;
    }
    Field<Real> faces(const std::function<double(Index)>& value) {
        return test::owned_field_of<Real>(domain, Kind::face, 1,
                                          [&](Index f, int) { return value(f); });
    }
    double random(Kind kind, Index i, std::uint64_t seed) const {
        return test::random_value(key_of(mesh.mesh, kind, i), seed);
    }

    // Largest net outflow of a cell over the largest face flux.
    double divergence(const Field<Real>& flux) {
        auto out = operators.field(Kind::cell);
        operators.divergence(flux, out);
        double worst = 0, largest = 0;
        const auto net = out.download();
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            worst = std::max(worst, std::abs(double(net[c])));
        const auto through = flux.download();
        for (Index f = 0; f < mesh.range(Kind::face).owned; ++f)
            largest = std::max(largest, std::abs(double(through[f])));
        return comm.max(worst) / comm.max(largest);
    }
    double largest_difference(const Field<Real>& flux,
                              const std::function<double(Index)>& expected) {
        const auto values = flux.download();
        double worst = 0;
        for (Index f = 0; f < mesh.range(Kind::face).shared; ++f)
            worst = std::max(worst, std::abs(values[f] - expected(f)));
        return comm.max(worst);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    Operators<Real>& operators;
    const Geometry& g;
    std::vector<bool> boundary;
    StreamFunction<Real> stream;
};

class StreamFunctionTest : public testing::TestWithParam<int> {};

TEST_P(StreamFunctionTest, MatrixIsTheProductOfTheOperators) {
    Problem<double> s("cpu", GetParam(), 1e-10);
    const Kind codim2 = s.mesh.mesh.codim2_kind();
    const HostMatrix matrix = stream_function_matrix(s.mesh);
    auto x = test::owned_field_of<double>(s.domain, codim2, 1,
                                          [&](Index e, int) { return s.random(codim2, e, 1); });
    auto flux = s.operators.field(Kind::face), circulation = s.operators.field(Kind::face),
         out = s.operators.field(codim2);
    auto u = s.operators.vector_field(Kind::cell);
    s.operators.curl(x, flux);
    s.operators.interpolation(flux, u);
    s.operators.integration(u, circulation);
    s.operators.rotation(circulation, out);
    const auto values = out.download();
    for (Index e = 0; e < s.mesh.range(codim2).owned; ++e) {
        double sum = 0;
        for (Index k = matrix.rows.start[e]; k < matrix.rows.start[e + 1]; ++k)
            sum += matrix.entries[k] * s.random(codim2, matrix.rows.index[k], 1);
        ASSERT_NEAR(values[e], sum, 1e-11);
    }
}

TEST_P(StreamFunctionTest, BoundaryValuesGiveTheFlux) {
    Problem<double> s("cpu", GetParam(), 1e-10);
    s.stream.prescribe(s.boundary_flux());
    auto flux = s.operators.field(Kind::face);
    s.operators.curl(s.stream.potential(), flux);
    const auto values = flux.download();
    for (Index f = 0; f < s.mesh.range(Kind::face).shared; ++f)
        if (s.boundary[f]) {
            ASSERT_NEAR(values[f], s.flux_through(f), 1e-11);
        }
}

TEST_P(StreamFunctionTest, ANetFlowThroughAClosedBoundaryIsAnError) {
    Problem<double> s("cpu", GetParam(), 1e-10);
    std::vector<double> flux;
    for (Index f : s.stream.trace().faces())
        flux.push_back(glm::length(s.g.face_area[f]) *
                       (s.mesh.mesh.face_cells(f, 0) == none ? -1 : 1));
    try {
        s.stream.prescribe(flux);
        FAIL() << "accepted";
    } catch (const AgreedError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        for (const char* word : {"\"xmin\"", "\"ymax\"", "do not cancel", "\"outflow\""})
            EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
}

// A divergence-free flux of constant cell velocities is its own projection.
TEST_P(StreamFunctionTest, ADivergenceFreeFlowStays) {
    Problem<double> s("cpu", GetParam(), 1e-12);
    const int d = GetParam();
    const Vec3 constant = d == 2 ? Vec3(1, -2, 0) : Vec3(1, -2, 0.5);
    std::vector<double> boundary;
    for (Index f : s.stream.trace().faces())
        boundary.push_back(glm::dot(constant, s.g.face_area[f]));
    s.stream.prescribe(boundary);
    auto star = s.faces([&](Index f) { return glm::dot(constant, s.g.face_area[f]); });
    auto flux = s.operators.field(Kind::face);
    EXPECT_TRUE(s.stream.project(star, flux).converged());
    EXPECT_LT(
        s.largest_difference(flux, [&](Index f) { return glm::dot(constant, s.g.face_area[f]); }),
        1e-10);
}

TEST_P(StreamFunctionTest, DivergenceIsRoundOffAtAnyTolerance) {
    for (const std::string& device : test::devices_on(Communicator::world().size()))
        for (double tolerance : {1e-2, 1e-5}) {
            Problem<double> s(device, GetParam(), tolerance);
            s.stream.prescribe(s.boundary_flux());
            auto star = s.faces(
                [&](Index f) { return s.flux_through(f) + 0.02 * s.random(Kind::face, f, 2); });
            auto flux = s.operators.field(Kind::face);
            const auto report = s.stream.project(star, flux);
            EXPECT_TRUE(report.converged()) << report.explanation();
            EXPECT_GT(report.iterations, 0);
            EXPECT_LE(report.residual, tolerance);
            EXPECT_LT(s.divergence(flux), 1e-13) << device;

            Problem<float> f(device, GetParam(), tolerance);
            f.stream.prescribe(f.boundary_flux());
            auto star_single = f.faces([&](Index face) {
                return f.flux_through(face) + 0.02 * f.random(Kind::face, face, 2);
            });
            auto flux_single = f.operators.field(Kind::face);
            EXPECT_TRUE(f.stream.project(star_single, flux_single).converged());
            EXPECT_LT(f.divergence(flux_single), 1e-5) << device;
        }
}

// What the projection takes away is H-orthogonal to every curl that vanishes on the boundary.
TEST_P(StreamFunctionTest, TheRemainderIsOrthogonalToCurls) {
    Problem<double> s("cpu", GetParam(), 1e-12);
    const Kind codim2 = s.mesh.mesh.codim2_kind();
    s.stream.prescribe(s.boundary_flux());
    const auto star_value = [&](Index f) {
        return s.flux_through(f) + 0.1 * s.random(Kind::face, f, 3);
    };
    auto star = s.faces(star_value);
    auto flux = s.operators.field(Kind::face);
    s.stream.project(star, flux);
    const auto values = flux.download();
    auto rest = s.faces([&](Index f) { return star_value(f) - values[f]; });
    std::vector<bool> on_boundary(s.mesh.range(codim2).all, false);
    for (Index e : s.stream.trace().codim2_entities()) on_boundary[e] = true;
    auto t = test::owned_field_of<double>(s.domain, codim2, 1, [&](Index e, int) {
        return on_boundary[e] ? 0.0 : s.random(codim2, e, 4);
    });
    auto curl = s.operators.field(Kind::face), circulation = s.operators.field(Kind::face);
    auto u = s.operators.vector_field(Kind::cell);
    s.operators.curl(t, curl);
    s.operators.interpolation(rest, u);
    s.operators.integration(u, circulation);
    EXPECT_NEAR(s.comm.sum(s.domain.own(Kind::face).dot(s.comm, curl, circulation)), 0, 1e-9);
}

INSTANTIATE_TEST_SUITE_P(Dimensions, StreamFunctionTest, testing::Values(2, 3),
                         [](const auto& info) { return std::to_string(info.param) + "D"; });

}  // namespace
}  // namespace solenoid::stream_function_test
