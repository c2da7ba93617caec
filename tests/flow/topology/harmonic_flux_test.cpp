// Projections in domains with bodies, handles and several outlets: against a direct solve, on any
// device and rank count.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <set>

#include "flow/projection/stream_function.hpp"
#include "io/mesh/mesh_file.hpp"
#include "nearest_flux.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/domain_fields.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::harmonic_flux_test {
namespace {

using test::Key;
using test::key_of;

struct Shape {
    const char* label;
    const char* file;  // of tests/data; "box": [mesh.box], 240 cells in 2D, 700 in 3D
    int dimension;
    double size;
    std::set<std::string> outlets;  // groups where the flux is not prescribed
    std::size_t harmonic;           // independent harmonic fluxes, counted by hand
    bool everywhere = false;        // on all devices and rank counts
    std::string periods = "";       // axes that close on themselves
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.label; }

// Swirls, so that there is circulation to be kept, and is neither free of divergence nor harmonic.
Vec3 stirred(const Vec3& x) {
    return {0.4 - 1.5 * x.y + x.x * x.z, 0.3 + 2 * x.x * x.x - x.z, 0.2 + x.y * x.y - 0.5 * x.x};
}

SimplexMesh whole_mesh(const Shape& shape) {
    if (shape.file != std::string("box"))
        return read_mesh(test::gmsh_mesh(shape.file, shape.dimension, shape.size));
    return test::closed(test::plain_box(shape.dimension, shape.dimension == 2 ? 240 : 700),
                        shape.periods);
}

std::vector<bool> prescribed_faces(const Mesh& mesh, const Shape& shape) {
    std::vector<bool> flags(mesh.faces(), false);
    for (const Side& side : mesh.sides) {
        const std::string& name = mesh.boundaries[side.boundary];
        flags[side.face] =
            shape.outlets.count(name) == 0 && shape.periods.find(name[0]) == std::string::npos;
    }
    return flags;
}

// A flux with noise, through every boundary, that a divergence-free flux can take on the prescribed
// faces; and the divergence-free one nearest to it.
struct Reference {
    explicit Reference(const Shape& shape) : whole(whole_mesh(shape)) {
        const DistributedMesh serial = distribute(Communicator::self(), whole);
        const Mesh& m = serial.mesh;
        const Geometry g = geometry(m);
        const auto prescribed = prescribed_faces(m, shape);
        std::vector<double> values(m.faces());
        double net = 0, area = 0;
        for (Index f = 0; f < m.faces(); ++f) {
            const double noise = 0.3 * test::random_value(key_of(m, Kind::face, f), 5);
            const Vec3 u = stirred(g.face_centroid[f]);
            values[f] = glm::dot(shape.dimension == 2 ? Vec3(u.x, u.y, 0) : u, g.face_area[f]) +
                        noise * glm::length(g.face_area[f]);
            if (!prescribed[f]) continue;
            net += (m.face_cells(f, 1) == none ? 1 : -1) * values[f];
            area += glm::length(g.face_area[f]);
        }
        for (Index f = 0; f < m.faces() && shape.outlets.empty(); ++f)
            if (prescribed[f])
                values[f] -= (m.face_cells(f, 1) == none ? 1 : -1) * net *
                             glm::length(g.face_area[f]) / area;
        const auto best = test::nearest_flux(m, prescribed, values);
        for (Index f = 0; f < m.faces(); ++f) {
            star[key_of(m, Kind::face, f)] = values[f];
            nearest[key_of(m, Kind::face, f)] = best[f];
            largest = std::max(largest, std::abs(best[f]));
        }
    }
    SimplexMesh whole;
    std::map<Key, double> star, nearest;
    double largest = 0;
};

template <class Real>
struct Problem {
    Problem(const Reference& reference, const Shape& shape, const std::string& device_name,
            double tolerance)
        : reference(reference),
          comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(reference.whole) : std::nullopt)),
          domain(comm, *device, mesh),
          operators(domain.operators<Real>()),
          stream(domain, prescribed_faces(mesh.mesh, shape), {tolerance, 20000}),
          flux(operators.field(Kind::face)) {
        std::vector<double> given;
        for (Index f : stream.trace().faces()) given.push_back(reference.star.at(key(f)));
        stream.prescribe(given);
    }
    Key key(Index f) const { return key_of(mesh.mesh, Kind::face, f); }
    void project_star() {
        auto star = test::owned_field_of<Real>(
            domain, Kind::face, 1, [&](Index f, int) { return reference.star.at(key(f)); });
        const auto report = stream.project(star, flux);
        EXPECT_TRUE(report.converged()) << report.explanation();
    }
    // Over the largest flux.
    double error() {
        const auto values = flux.download();
        double worst = 0;
        for (Index f = 0; f < mesh.range(Kind::face).shared; ++f)
            worst = std::max(worst, std::abs(values[f] - reference.nearest.at(key(f))));
        return comm.max(worst) / reference.largest;
    }
    double divergence() {
        auto out = operators.field(Kind::cell);
        operators.divergence(flux, out);
        const auto net = out.download();
        double worst = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            worst = std::max(worst, std::abs(double(net[c])));
        return comm.max(worst) / reference.largest;
    }

    const Reference& reference;
    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    Operators<Real>& operators;
    StreamFunction<Real> stream;
    Field<Real> flux;
};

class HarmonicFlux : public testing::TestWithParam<Shape> {
  protected:
    void SetUp() override {
        if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
        if (!GetParam().everywhere && Communicator::world().size() > 1)
            GTEST_SKIP() << "on one rank only";
    }
};

TEST_P(HarmonicFlux, ProjectionIsTheNearestDivergenceFreeFlux) {
    const Reference reference(GetParam());
    for (const std::string& device : test::devices_on(Communicator::world().size())) {
        if (device != "cpu" && !GetParam().everywhere) continue;
        Problem<double> doubles(reference, GetParam(), device, 1e-12);
        EXPECT_EQ(doubles.stream.harmonic_fluxes(), GetParam().harmonic);
        doubles.project_star();
        EXPECT_LT(doubles.error(), 1e-9) << device;
        EXPECT_LT(doubles.divergence(), 1e-13) << device;
        Problem<float> floats(reference, GetParam(), device, 1e-5);
        floats.project_star();
        EXPECT_LT(floats.error(), 1e-4) << device;
        EXPECT_LT(floats.divergence(), 1e-5) << device;
    }
}

TEST_P(HarmonicFlux, ProjectionTwiceIsProjectionOnce) {
    const Reference reference(GetParam());
    Problem<double> p(reference, GetParam(), "cpu", 1e-12);
    p.project_star();
    auto again = p.operators.field(Kind::face);
    again.copy(p.flux);
    p.stream.project(again, p.flux);
    EXPECT_LT(p.error(), 1e-9);
    // And from another state of the stream function, constants and all.
    auto other = test::owned_field_of<double>(
        p.domain, Kind::face, 1, [&](Index f, int) { return test::random_value(p.key(f), 9); });
    p.stream.project(other, p.flux);
    EXPECT_GT(p.error(), 1e-2);
    p.stream.project(again, p.flux);
    EXPECT_LT(p.error(), 1e-9);
}

TEST_P(HarmonicFlux, DivergenceIsRoundOffFarFromConvergence) {
    const Reference reference(GetParam());
    Problem<double> p(reference, GetParam(), "cpu", 1e-2);
    for (int n = 0; n < 10; ++n) {
        p.project_star();
        EXPECT_LT(p.divergence(), 1e-13);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Plane, HarmonicFlux,
    testing::Values(
        Shape{"Annulus", "annulus", 2, 0.15, {}, 1}, Shape{"TwoHoles", "two_holes", 2, 0.15, {}, 2},
        Shape{"TwoHolesOneOutlet", "two_holes", 2, 0.15, {"xmax"}, 2},
        Shape{"TwoHolesTwoOutlets", "two_holes", 2, 0.15, {"xmin", "xmax"}, 3, true},
        Shape{"AHoleAsOutlet", "two_holes", 2, 0.15, {"left"}, 1, true},
        Shape{"OutletsAllRound", "two_holes", 2, 0.15, {"xmin", "xmax", "ymin", "ymax"}, 1},
        Shape{"NoOutletNoHole", "square", 2, 0.2, {}, 0}),
    [](const auto& info) { return info.param.label; });

INSTANTIATE_TEST_SUITE_P(
    Space, HarmonicFlux,
    testing::Values(
        Shape{"Box", "cube", 3, 0.3, {}, 0},
        Shape{"BoxTwoOutlets", "cube", 3, 0.3, {"xmin", "xmax"}, 1},
        Shape{"ThroughHole", "through_hole", 3, 0.25, {}, 1},
        Shape{"ThroughHoleOneOutlet", "through_hole", 3, 0.25, {"xmax"}, 1},
        Shape{"ThroughHoleOutletsRoundIt", "through_hole", 3, 0.25, {"zmin", "zmax"}, 1, true},
        Shape{"TheHoleAsOutlet", "through_hole", 3, 0.25, {"hole"}, 0},
        Shape{"BodyInside", "cavity_inside", 3, 0.3, {}, 0},
        Shape{"BodyAsSource", "cavity_inside", 3, 0.3, {"xmax"}, 0},
        Shape{"BodyAsOutlet", "cavity_inside", 3, 0.3, {"body"}, 0},
        Shape{"BodyAndSideAsOutlets", "cavity_inside", 3, 0.3, {"body", "xmin"}, 1}),
    [](const auto& info) { return info.param.label; });

INSTANTIATE_TEST_SUITE_P(Periodic, HarmonicFlux,
                         testing::Values(Shape{"Channel", "box", 2, 0, {}, 1, false, "x"},
                                         Shape{"Torus", "box", 2, 0, {}, 2, true, "xy"},
                                         Shape{"OpenChannel", "box", 2, 0, {"ymax"}, 0, false, "x"},
                                         Shape{"Duct", "box", 3, 0, {}, 1, false, "x"},
                                         Shape{"Plates", "box", 3, 0, {}, 2, true, "xz"},
                                         Shape{"Torus3D", "box", 3, 0, {}, 3, false, "xyz"}),
                         [](const auto& info) { return info.param.label; });

// With its flux through a section given, the projection differs from the free one by the least that
// gives it.
TEST(ImposedFlux, PassesEverySection) {
    for (const Shape& shape : {Shape{"Channel", "box", 2, 0, {}, 1, false, "x"},
                               Shape{"Torus", "box", 2, 0, {}, 2, false, "xy"},
                               Shape{"Plates", "box", 3, 0, {}, 2, false, "xz"}}) {
        const Reference reference(shape);
        Problem<double> p(reference, shape, "cpu", 1e-12);
        const CutSurfaces<double> cut_surfaces(p.domain);
        p.project_star();
        const auto free = cut_surfaces.flux(p.flux);
        for (std::optional<double> second :
             {std::optional<double>(), std::optional<double>(-0.25)}) {
            std::vector<std::optional<double>> given(cut_surfaces.count());
            given[0] = 0.75;
            if (given.size() > 1) given[1] = second;
            p.stream.impose(given);
            p.project_star();
            EXPECT_LT(p.divergence(), 1e-13);
            const auto flux = cut_surfaces.flux(p.flux);
            const auto rise = p.stream.pressure_rise();
            for (std::size_t i = 0; i < given.size(); ++i) {
                if (given[i]) {
                    EXPECT_NEAR(flux[i], *given[i], 1e-12) << shape.label;
                }
                EXPECT_EQ(rise[i].has_value(), given[i].has_value());
            }
            // In a box of unit size the harmonic fluxes are uniform streams, or nearly so in a
            // channel: the multiplier, a pressure, is what the flux lacks.
            EXPECT_NEAR(*rise[0], free[0] - 0.75, 0.2 * std::abs(free[0] - 0.75)) << shape.label;
        }
        p.stream.impose(std::vector<std::optional<double>>(cut_surfaces.count()));
        p.project_star();
        EXPECT_LT(p.error(), 1e-9) << shape.label;
    }
}

TEST(ImposedFlux, IsRefusedWhereNothingPasses) {
    const Shape open{"OpenChannel", "box", 2, 0, {"ymax"}, 0, false, "x"};
    const Reference reference(open);
    Problem<double> p(reference, open, "cpu", 1e-10);
    EXPECT_THROW(p.stream.impose({1.0}), Error);
}

}  // namespace
}  // namespace solenoid::harmonic_flux_test
