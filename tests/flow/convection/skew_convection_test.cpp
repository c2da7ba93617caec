// The default convection: no work on the flow whatever the mesh and the velocity, and exact for
// linear fields in uniform flow as far as its correction reaches.
#include "flow/convection/skew_convection.hpp"

#include <gtest/gtest.h>

#include "flow/convection/convection_correction.hpp"
#include "flow/thin_meshes.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/domain_fields.hpp"
#include "support/gmsh.hpp"
#include "support/momentum_bench.hpp"

namespace solenoid::skew_convection_test {
namespace {

using test::everywhere;
using test::tell;

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
    return test::moved(box(dimension, 500), [](const Vec3& x) {
        return Vec3(3 * x.x + 0.5 * x.y, x.y, x.z * 0.7 + 0.2 * x.x);
    });
}

// A random flux free of divergence that passes no boundary: the curl of a random s that is zero
// there.
template <class Real>
Field<Real> random_flux(Bench<Real>& b) {
    const Mesh& m = b.mesh.mesh;
    std::vector<bool> outside(m.count(m.codim2_kind()), false);
    for (const Side& side : m.sides)
        for (const Index r : m.face_codim2(side.face))
            if (const Index codim2 = entity_of(r); codim2 < outside.size()) outside[codim2] = true;
    if (m.dimension == 2)
        for (const Side& side : m.sides)
            for (int j = 0; j < 2; ++j) outside[m.nodes_of(Kind::face, side.face)[j]] = true;
    auto s = test::field_of<Real>(b.domain, m.codim2_kind(), 1, [&](Index i, int) {
        return outside[i] ? 0 : test::random_value(test::key_of(m, m.codim2_kind(), i), 7);
    });
    auto flux = b.operators.field(Kind::face);
    b.operators.curl(s, flux);
    return flux;
}

template <class Real>
void expect_no_work(const std::string& device, const SimplexMesh& whole, double tolerance) {
    Bench<Real> b(device, whole, everywhere(whole.dimension, "wall", {"0", "0", "0"}));
    auto flux = random_flux(b);
    const auto u = [&](Index c, int k) {
        return double(Real(test::random_value(test::key_of(b.mesh.mesh, Kind::cell, c), 3 + k)));
    };
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
        if (test::has_gmsh())
            expect_no_work<double>(
                "cpu",
                read_mesh(test::gmsh_mesh(dimension == 2 ? "square" : "cube", dimension, 0.2)),
                1e-12);
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
        Bench<Real> b("cpu", whole, everywhere(d, "wall", {"0", "0", "0"}));
        b.freeze([](Index, int) { return 0; });
        const Mesh& m = b.mesh.mesh;
        for (int k = 0; k < d; ++k) {
            auto flux = test::field_of<Real>(
                b.domain, Kind::face, 1, [&](Index f, int) { return b.geometry.face_area[f][k]; });
            const auto carried = b.transported(
                [&](Index c, int j) { return j == 0 ? b.geometry.cell_centroid[c][l] : 0; }, flux);
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

// A flow along thin layers in which u varies across them: what their cells get of it, over their
// volume, by the height in which it varies as much as it is carried along their length.
TEST(SkewConvection, IsExactAlongThinLayers) {
    for (const double aspect : {20.0, 1000.0}) {
        constexpr int columns = 12;
        constexpr double width = 0.25;
        Bench<double> b(
            "cpu",
            test::flat_layers(columns, aspect, test::Diagonals::alternating, columns * width),
            everywhere(2, "wall", {"0", "0", "0"}));
        b.freeze([](Index, int) { return 0; });
        const auto flux = test::field_of<double>(
            b.domain, Kind::face, 1, [&](Index f, int) { return b.geometry.face_area[f].x; });
        const auto carried = b.transported(
            [&](Index c, int k) { return k == 0 ? b.geometry.cell_centroid[c].y : 0; }, flux);
        double square = 0;
        int cells = 0;
        for (Index c = 0; c < b.owned(); ++c) {
            const Vec3 x = b.geometry.cell_centroid[c];
            const double volume = b.geometry.cell_volume[c], height = 2 * volume / width,
                         to_wall = std::min(x.y, 1 - x.y),
                         to_end = std::min(x.x, columns * width - x.x);
            if (height > width / 10 || to_wall < 3 * width / aspect || to_end < 3 * width) continue;
            const double part = carried[c] / volume * width / height;
            square += part * part;
            ++cells;
        }
        EXPECT_GT(cells, 10);
        tell("  aspect %g, %d cells: %.2e\n", aspect, cells, std::sqrt(square / cells));
        EXPECT_LT(std::sqrt(square / cells), 0.05) << aspect;
    }
}

// Plane parallel flow u(y) along x through a box with jitter carries nothing: the root mean square
// of what cells away from the boundary get, over their volume, as the fluxes vary over the faces
// and with fluxes that do not. The flux through a face is that of Simpson's rule, which has
// parabolas exactly.
template <class Real>
std::array<double, 2> noise(const SimplexMesh& whole,
                            const std::function<double(double)>& profile) {
    std::array<double, 2> result{};
    for (int varies = 0; varies < 2; ++varies) {
        Bench<Real> b("cpu", whole, everywhere(whole.dimension, "wall", {"0", "0", "0"}));
        const Mesh& m = b.mesh.mesh;
        auto flux = test::field_of<Real>(b.domain, Kind::face, 1, [&](Index f, int) {
            const auto x = m.face_corners(f);
            double mean = 0;
            for (int i = 0; i < m.dimension; ++i)
                mean += m.dimension == 2 ? profile(x[i].y) / 6
                                         : profile((x[i].y + x[(i + 1) % 3].y) / 2) / 3;
            if (m.dimension == 2) mean += profile((x[0].y + x[1].y) / 2) * 2 / 3;
            return b.geometry.face_area[f].x * mean;
        });
        if (!varies) b.freeze([](Index, int) { return 0; });
        const auto carried = b.transported(
            [&](Index c, int k) { return k == 0 ? profile(b.geometry.cell_centroid[c].y) : 0; },
            flux);
        double square = 0, volume = 0;
        for (Index c = 0; c < b.owned(); ++c) {
            const Vec3 x = b.geometry.cell_centroid[c];
            if (std::max({std::abs(x.x - 0.5), std::abs(x.y - 0.5),
                          m.dimension == 2 ? 0.0 : std::abs(x.z - 0.5)}) > 0.25)
                continue;
            square += carried[c] * carried[c] / b.geometry.cell_volume[c];
            volume += b.geometry.cell_volume[c];
        }
        EXPECT_GT(b.comm.sum(volume), 0.05);
        result[varies] = std::sqrt(b.comm.sum(square) / b.comm.sum(volume));
    }
    return result;
}

TEST(SkewConvection, MakesLittleNoiseWhereFluxesVaryOverFaces) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh whole = box(dimension, dimension == 2 ? 800 : 6000);
        const auto [even, varying] = noise<double>(whole, [](double y) { return y; });
        tell("  shear, %d dimensions: %.4f, %.4f\n", dimension, even, varying);
        EXPECT_LT(varying, 0.6 * even) << dimension;
        const auto [even_2, varying_2] = noise<double>(whole, [](double y) { return y * (2 - y); });
        tell("  parabola, %d dimensions: %.4f, %.4f\n", dimension, even_2, varying_2);
        EXPECT_LT(varying_2, 0.7 * even_2) << dimension;
    }
}

// On tets so flat that what rounding leaves grows sevenfold an iteration: with other bits at the
// start 20 of them leave others altogether.
TEST(ConvectionCorrection, HasTheSameBitsOnAnyNumberOfRanks) {
    for (const int dimension : {2, 3}) {
        SimplexMesh whole = box(dimension, dimension == 2 ? 300 : 1500);
        for (Vec3& x : whole.points) x.y = std::pow(x.y, 5) + 1e-3 * x.y;
        const auto gammas = [&](const Communicator& comm) {
            const DistributedMesh mesh =
                distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
            const std::size_t size = (dimension + 1) * (dimension + 1),
                              owned = mesh.range(Kind::cell).owned;
            const ConvectionCorrection found = convection_correction(
                comm, mesh, geometry(mesh.mesh),
                std::vector<double>(owned * (dimension + 1), 1.0 / 24), 0, 20);
            std::vector<double> all(whole.cell_count() * size, 0.0);
            for (std::size_t c = 0; c < owned; ++c)
                std::copy_n(found.gamma.begin() + c * size, size,
                            all.begin() + mesh.mesh.cell_number[c] * size);
            comm.sum(std::span<double>(all));
            return all;
        };
        EXPECT_EQ(gammas(Communicator::world()), gammas(Communicator::self())) << dimension;
    }
}

// What the jump penalty brings into the cells, of a random u in a random flux, with walls at rest
// all round.
struct Penalized {
    Penalized(const SimplexMesh& whole, double penalty, const std::string& device = "cpu")
        : with(device, whole, everywhere(whole.dimension, "wall", {"0", "0", "0"}), 0, penalty),
          without(device, whole, everywhere(whole.dimension, "wall", {"0", "0", "0"})),
          flux(random_flux(with)),
          flux_without(random_flux(without)) {}

    double random(Index c, int k, int seed) const {
        return test::random_value(test::key_of(with.mesh.mesh, Kind::cell, c), seed + k);
    }
    std::vector<double> brought(int seed) {
        const auto u = [&](Index c, int k) { return random(c, k, seed); };
        std::vector<double> all = with.transported(u, flux);
        const std::vector<double> skew = without.transported(u, flux_without);
        for (std::size_t i = 0; i < all.size(); ++i) all[i] -= skew[i];
        return all;
    }
    double work(const std::vector<double>& brought, int seed) {
        double sum = 0;
        for (Index c = 0; c < with.owned(); ++c)
            for (int k = 0; k < with.d(); ++k)
                sum += random(c, k, seed) *
                       brought[std::size_t(k) * with.mesh.range(Kind::cell).all + c];
        return with.comm.sum(sum);
    }

    Bench<double> with, without;
    Field<double> flux, flux_without;
};

TEST(JumpPenalty, IsSymmetric) {
    for (const int dimension : {2, 3}) {
        Penalized p(oblique(dimension), 0.3);
        const double forth = p.work(p.brought(3), 11), back = p.work(p.brought(11), 3);
        EXPECT_GT(std::abs(forth), 1e-3);
        EXPECT_NEAR(forth, back, 1e-12 * std::abs(p.work(p.brought(3), 3)));
    }
}

// The mean of a cell's nodes, from values by node and component.
double node_mean(const Mesh& m, const std::vector<double>& t, std::size_t nodes, Index c, int k) {
    double sum = 0;
    for (int j = 0; j <= m.dimension; ++j) sum += t[k * nodes + m.cell_nodes(c, j)];
    return sum / (m.dimension + 1);
}

// W |J S D u|^2 summed over the faces inside, D u what cells exceed the mean of their nodes by, S v
// the same of any v with plain means at nodes, none on walls.
double penalty_of(const Penalized& p, const std::vector<double>& u, const std::vector<double>& t,
                  const std::vector<double>& flux) {
    const Mesh& m = p.with.mesh.mesh;
    const std::size_t cells = m.cells(), nodes = m.nodes();
    std::vector<double> sharp(u.size());
    for (int k = 0; k < m.dimension; ++k) {
        std::vector<double> defect(cells), smooth(nodes, 0.0), count(nodes, 0.0);
        for (Index c = 0; c < m.cells(); ++c)
            defect[c] = u[k * cells + c] - node_mean(m, t, nodes, c, k);
        for (Index c = 0; c < m.cells(); ++c)
            for (int j = 0; j <= m.dimension; ++j)
                smooth[m.cell_nodes(c, j)] += defect[c], ++count[m.cell_nodes(c, j)];
        for (Index i = 0; i < m.nodes(); ++i) smooth[i] /= count[i];
        for (const Side& side : m.sides)
            for (int j = 0; j < m.dimension; ++j) smooth[m.nodes_of(Kind::face, side.face)[j]] = 0;
        for (Index c = 0; c < m.cells(); ++c)
            sharp[k * cells + c] = defect[c] - node_mean(m, smooth, nodes, c, 0);
    }
    double sum = 0;
    for (Index f = 0; f < m.faces(); ++f) {
        const Index a = m.face_cells(f, 0), b = m.face_cells(f, 1);
        for (int k = 0; a != none && b != none && k < m.dimension; ++k)
            sum +=
                0.3 * std::abs(flux[f]) * std::pow(sharp[k * cells + a] - sharp[k * cells + b], 2);
    }
    return sum;
}

TEST(JumpPenalty, TakesTheSquaresOfJumpsTimesTheFlux) {
    if (Communicator::world().size() > 1) GTEST_SKIP() << "asks for both sides of every face";
    for (const int dimension : {2, 3}) {
        Penalized p(box(dimension, 400), 0.3);
        const std::size_t cells = p.with.mesh.range(Kind::cell).all;
        auto field = p.with.momentum.velocity();
        std::vector<double> values(std::size_t(field.size()) * dimension), u(cells * dimension);
        for (int k = 0; k < dimension; ++k)
            for (std::size_t c = 0; c < cells; ++c)
                u[k * cells + c] = values[std::size_t(k) * field.size() + c] =
                    p.random(Index(c), k, 3);
        field.upload(values);
        const double expected = penalty_of(p, u, field.at_nodes().download(), p.flux.download());
        EXPECT_GT(expected, 1e-3);
        EXPECT_NEAR(p.work(p.brought(3), 3), -expected, 1e-11 * expected) << dimension;
        EXPECT_NEAR(p.with.momentum.penalty_power(), expected, 1e-11 * expected) << dimension;
    }
}

TEST(JumpPenalty, IsTheSameOnAnyDevice) {
    Penalized cpu(box(3, 300), 0.3);
    const double taken = cpu.work(cpu.brought(3), 5);
    for (const char* device : {"compute", "fragment"}) {
        Penalized other(box(3, 300), 0.3, device);
        EXPECT_NEAR(other.work(other.brought(3), 5), taken, 1e-11 * std::abs(taken)) << device;
    }
}

// Fields whose node values and cells agree with one linear field have no jumps.
TEST(JumpPenalty, LeavesLinearFieldsAlone) {
    for (const int dimension : {2, 3}) {
        const SimplexMesh whole = box(dimension, dimension == 2 ? 600 : 900);
        const auto linear =
            everywhere(dimension, "inflow", {"0.3*x - 0.2*y + 0.1*z", "x - 0.3*y", "0.1*y"});
        Bench<double> with("cpu", whole, linear, 0, 0.3), without("cpu", whole, linear);
        auto flux = random_flux(with), flux_without = random_flux(without);
        const auto u = [&](Index c, int k) {
            const Vec3 x = with.geometry.cell_centroid[c];
            return k == 0   ? 0.3 * x.x - 0.2 * x.y + 0.1 * x.z
                   : k == 1 ? x.x - 0.3 * x.y
                            : 0.1 * x.y;
        };
        const auto a = with.transported(u, flux), b = without.transported(u, flux_without);
        for (Index c = 0; c < with.owned(); ++c)
            for (int k = 0; k < dimension; ++k) {
                const std::size_t i = std::size_t(k) * with.mesh.range(Kind::cell).all + c;
                EXPECT_NEAR(a[i], b[i], 1e-14);
            }
    }
}

TEST(ConvectionCorrection, FallsAndIsTheSameOnAnyRanks) {
    const SimplexMesh whole = box(3, 900);
    const auto solved = [&](const Communicator& comm) {
        const DistributedMesh mesh =
            distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
        const std::vector<double> none(std::size_t(mesh.range(Kind::cell).owned) * 4, 0.0);
        return convection_correction(comm, mesh, geometry(mesh.mesh), none);
    };
    const ConvectionCorrection all = solved(Communicator::world()),
                               one = solved(Communicator::self());
    // of the mean alone, whose rest is larger; 0.15 here, most of it at the boundary
    EXPECT_LT(all.after, 0.2 * all.before);
    EXPECT_EQ(all.iterations, one.iterations);
    EXPECT_NEAR(all.after, one.after, 1e-9 * one.before);
}

}  // namespace
}  // namespace solenoid::skew_convection_test
