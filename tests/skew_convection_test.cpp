// The default convection: no work on the flow whatever the mesh and the velocity, and exact for linear fields in uniform flow
// as far as its correction reaches.
#include "flow/skew_convection.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "flow/convection_correction.hpp"
#include "io/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/momentum_bench.hpp"
#include "support/gmsh.hpp"

namespace solenoid {
namespace {

using test::everywhere;

template <class Real>
using Bench = test::MomentumBench<Real>;

SimplexMesh box(int dimension, std::size_t cells) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    settings.high = {1, 1, dimension == 2 ? 0.0 : 1.0};
    settings.jitter = dimension == 2 ? 0.2 : 0.15;
    return box_mesh(settings);
}

// Flattened and sheared: obtuse cells everywhere.
SimplexMesh oblique(int dimension) {
    return test::moved(box(dimension, 500), [](const Vec3& x) { return Vec3(3 * x.x + 0.5 * x.y, x.y, x.z * 0.7 + 0.2 * x.x); });
}

// A random flux free of divergence that passes no boundary: the curl of a random s that is zero there.
template <class Real>
Buffer<Real> random_flux(Bench<Real>& b) {
    const Mesh& m = b.mesh.mesh;
    std::vector<bool> outside(m.count(m.ridge_kind()), false);
    for (const Side& side : m.sides)
        for (const Index r : m.face_ridges(side.face))
            if (const Index ridge = entity_of(r); ridge < outside.size()) outside[ridge] = true;
    if (m.dimension == 2)
        for (const Side& side : m.sides)
            for (int j = 0; j < 2; ++j) outside[m.nodes_of(Kind::face, side.face)[j]] = true;
    auto s = test::field_of<Real>(*b.device, b.mesh, m.ridge_kind(), 1,
                                  [&](Index i, int) { return outside[i] ? 0 : test::random_value(test::key_of(m, m.ridge_kind(), i), 7); });
    auto flux = b.operators.field(Kind::face);
    b.operators.curl(s, flux);
    return flux;
}

template <class Real>
void expect_no_work(const std::string& device, const SimplexMesh& whole, double tolerance) {
    Bench<Real> b(device, whole, everywhere(whole.dimension, FlowBoundaryType::wall, {"0", "0", "0"}));
    auto flux = random_flux(b);
    const auto u = [&](Index c, int k) { return double(Real(test::random_value(test::key_of(b.mesh.mesh, Kind::cell, c), 3 + k))); };
    const auto carried = b.transported(u, flux);
    double work = 0, size = 0;
    for (Index c = 0; c < b.owned(); ++c)
        for (int k = 0; k < b.d(); ++k) {
            const double one = u(c, k) * carried[std::size_t(k) * b.mesh.range(Kind::cell).all + c];
            work += one;
            size += std::abs(one);
        }
    work = b.comm.sum(work);
    size = b.comm.sum(size);
    EXPECT_GT(size, 1e-3);
    EXPECT_LE(std::abs(work), tolerance * size) << device << ", dimension " << whole.dimension;
}

TEST(SkewConvection, DoesNoWorkOnAnyMesh) {
    for (const int dimension : {2, 3}) {
        expect_no_work<double>("cpu", box(dimension, dimension == 2 ? 600 : 900), 1e-12);
        expect_no_work<double>("cpu", oblique(dimension), 1e-12);
        if (test::has_gmsh()) expect_no_work<double>("cpu", read_mesh(test::gmsh_mesh(dimension == 2 ? "square" : "cube", dimension, 0.2)), 1e-12);
    }
}

TEST(SkewConvection, DoesNoWorkOnAnyDevice) {
    for (const char* device : {"compute", "fragment"}) {
        expect_no_work<double>(device, box(2, 300), 1e-12);
        expect_no_work<float>(device, box(3, 300), 2e-6);
    }
}

// The operator's own defect on linear fields is the one that the correction reports, and small.
template <class Real>
void expect_exact_for_linear(const SimplexMesh& whole, double left) {
    const int d = whole.dimension;
    double square = 0, cells = 0;
    for (int l = 0; l < d; ++l) {
        Bench<Real> b("cpu", whole, everywhere(d, FlowBoundaryType::wall, {"0", "0", "0"}));
        const Mesh& m = b.mesh.mesh;
        for (int k = 0; k < d; ++k) {
            auto flux = test::field_of<Real>(*b.device, b.mesh, Kind::face, 1, [&](Index f, int) { return b.geometry.face_area[f][k]; });
            const auto carried = b.transported([&](Index c, int j) { return j == 0 ? b.geometry.cell_centroid[c][l] : 0; }, flux);
            for (Index c = 0; c < b.owned(); ++c) {
                bool is_inside = true;  // away from the boundary, whose values here are zero
                for (int i = 0; i <= d; ++i)
                    for (int axis = 0; axis < d; ++axis) {
                        const double x = m.corner(c, i)[axis];
                        is_inside = is_inside && x > 0.3 && x < 0.7;
                    }
                if (!is_inside) continue;
                const double defect = carried[c] / b.geometry.cell_volume[c] + (k == l ? 1 : 0);
                square += defect * defect;
                cells += 1.0 / d / d;
            }
        }
    }
    const Communicator comm = Communicator::world();
    EXPECT_GT(comm.sum(cells), 10);
    EXPECT_LT(std::sqrt(comm.sum(square) / comm.sum(cells)), left) << d;
}

TEST(SkewConvection, IsExactForLinearFieldsInUniformFlow) {
    expect_exact_for_linear<double>(box(2, 2000), 0.02);
    expect_exact_for_linear<double>(box(3, 6000), 0.05);
}

TEST(ConvectionCorrection, FallsAndIsTheSameOnAnyRanks) {
    const SimplexMesh whole = box(3, 900);
    const auto solved = [&](const Communicator& comm) {
        const DistributedMesh mesh = distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
        const std::vector<double> none(std::size_t(mesh.range(Kind::cell).owned) * 4, 0.0);
        return convection_correction(comm, mesh, geometry(mesh.mesh), none);
    };
    const ConvectionCorrection all = solved(Communicator::world()), one = solved(Communicator::self());
    EXPECT_LT(all.after, 0.2 * all.before);  // of the mean alone, whose rest is larger; 0.15 here, most of it at the boundary
    EXPECT_EQ(all.iterations, one.iterations);
    EXPECT_NEAR(all.after, one.after, 1e-9 * one.before);
}

}  // namespace
}  // namespace solenoid
