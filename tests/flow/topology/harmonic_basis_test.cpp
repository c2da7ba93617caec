// Harmonic fluxes by themselves: their number by topology, divergence and curl by sums of their own
// over the mesh, uniform streams where these are all of them, and the same fluxes on any number of
// ranks.
#include "flow/topology/harmonic_basis.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <map>

#include "flow/discretization/stream_function_matrix.hpp"
#include "flow/projection/double_codim2_solver.hpp"
#include "flow/projection/stream_function_boundary.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/fields.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::harmonic_basis_test {
namespace {

using test::Key;
using test::key_of;

enum class Body { none, ball, column };

struct Shape {
    const char* label;
    int dimension;
    const char* periods;
    Body body;
    std::size_t harmonic;     // the first Betti number
    bool is_uniform = false;  // streams along the periods meet no wall
    bool everywhere = false;  // on all devices
};
void PrintTo(const Shape& shape, std::ostream* out) { *out << shape.label; }

// What is left without the cells at some nodes; the surface beside them is a boundary "body".
template <class AtNode>
SimplexMesh carved(const SimplexMesh& whole, const AtNode& is_taken) {
    SimplexMesh mesh = whole;
    mesh.cells.clear();
    mesh.cell_region.clear();
    mesh.boundaries.push_back("body");
    std::map<std::vector<Index>, int> taken_faces;  // sorted nodes: how often among what is taken
    std::map<std::vector<Index>, std::vector<Index>> kept_faces;
    for (std::size_t c = 0; c < whole.cell_count(); ++c) {
        const bool goes = std::any_of(whole.cell(c), whole.cell(c) + 4,
                                      [&](Index node) { return is_taken(whole.points[node]); });
        for (int j = 0; j < 4; ++j) {
            std::vector<Index> face;
            for (int i = 0; i < 4; ++i)
                if (i != j) face.push_back(whole.cell(c)[i]);
            std::sort(face.begin(), face.end());
            if (goes)
                ++taken_faces[face];
            else
                kept_faces[face] = face;
        }
        if (goes) continue;
        mesh.cells.insert(mesh.cells.end(), whole.cell(c), whole.cell(c) + 4);
        mesh.cell_region.push_back(whole.cell_region[c]);
    }
    mesh.sides.clear();
    mesh.side_group.clear();
    for (std::size_t s = 0; s < whole.side_count(); ++s) {
        std::vector<Index> face(whole.side(s), whole.side(s) + 3);
        std::sort(face.begin(), face.end());
        if (taken_faces.count(face)) continue;
        mesh.sides.insert(mesh.sides.end(), whole.side(s), whole.side(s) + 3);
        mesh.side_group.push_back(whole.side_group[s]);
    }
    for (const auto& [face, nodes] : kept_faces)
        if (taken_faces.count(face)) {
            mesh.sides.insert(mesh.sides.end(), nodes.begin(), nodes.end());
            mesh.side_group.push_back(static_cast<std::uint16_t>(mesh.boundaries.size() - 1));
        }
    check_and_repair(mesh, "test");
    return mesh;
}

SimplexMesh mesh_of(const Shape& shape) {
    // 4 lattice boxes an edge
    SimplexMesh mesh = test::plain_box(shape.dimension, shape.dimension == 2 ? 240 : 960);
    const auto distance = [&](const Vec3& x) {
        return glm::length(Vec3(x.x - 0.5, x.y - 0.5, shape.body == Body::ball ? x.z - 0.5 : 0));
    };
    if (shape.body != Body::none)
        mesh = carved(mesh, [&](const Vec3& x) { return distance(x) < 0.1; });
    return test::closed(std::move(mesh), shape.periods);
}

// A domain without outlets and its harmonic fluxes.
struct Found {
    Found(const Communicator& comm, const Shape& shape, const std::string& device_name,
          const SimplexMesh& whole)
        : comm(comm),
          device(test::make_device(device_name)),
          mesh(distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt)),
          domain(comm, *device, mesh) {
        const Mesh& m = mesh.mesh;
        std::vector<bool> prescribed(m.faces(), false);
        for (const Side& side : m.sides) {
            const std::string& name = m.boundaries[side.boundary];
            prescribed[side.face] =
                name == "body" || std::string(shape.periods).find(name[0]) == std::string::npos;
        }
        const Cohomology topology(comm, mesh, prescribed);
        const StreamFunctionBoundary trace(domain, prescribed);
        fixed = trace.codim2_entities();
        DoubleCodim2Solver codim2_entities(domain, stream_function_matrix(mesh), fixed, 20);
        const Codim2Solve solve{
            &codim2_entities.device(),
            [&](const Buffer<double>& b, Buffer<double>& x, const CgSettings& s) {
                return codim2_entities.solve(b, x, s);
            }};
        fluxes = HarmonicBasis(domain, topology, prescribed, fixed, solve)
                     .find(topology.harmonic_fluxes(), {});
    }

    // H U at every face of owned cells summed from its own cells: u = sum F (x_f - x_c) / V, then u
    // . (x_f - x_c) along the normal.
    std::vector<double> circulation(const std::vector<double>& flux) const {
        const Mesh& m = mesh.mesh;
        std::vector<double> h(m.faces(), 0.0);
        for (Index c = 0; c < m.cells(); ++c) {
            Vec3 u(0);
            for (int j = 0; j <= m.dimension; ++j)
                u += orientation_of(m.cell_faces(c, j)) * flux[entity_of(m.cell_faces(c, j))] *
                     face_offset(m, domain.geometry, c, j);
            u /= domain.geometry.cell_volume[c];
            for (int j = 0; j <= m.dimension; ++j)
                h[entity_of(m.cell_faces(c, j))] +=
                    orientation_of(m.cell_faces(c, j)) *
                    glm::dot(u, face_offset(m, domain.geometry, c, j));
        }
        return h;
    }
    double product(const std::vector<double>& a, const std::vector<double>& b) const {
        double sum = 0;
        for (Index f = 0; f < domain.faces.owned; ++f) sum += a[f] * b[f];
        return comm.sum(sum);
    }
    double largest(const std::vector<double>& a) const {
        double most = 0;
        for (Index f = 0; f < domain.faces.shared; ++f) most = std::max(most, std::abs(a[f]));
        return comm.max(most);
    }
    double divergence(const std::vector<double>& flux) const {
        const Mesh& m = mesh.mesh;
        double worst = 0;
        for (Index c = 0; c < domain.cells.owned; ++c) {
            double net = 0;
            for (int j = 0; j <= m.dimension; ++j)
                net += orientation_of(m.cell_faces(c, j)) * flux[entity_of(m.cell_faces(c, j))];
            worst = std::max(worst, std::abs(net));
        }
        return comm.max(worst);
    }
    // Of H U round the codim-2 entities that are not fixed.
    double curl(const std::vector<double>& flux) const {
        const Mesh& m = mesh.mesh;
        const std::vector<double> h = circulation(flux);
        std::vector<double> round(m.count(m.codim2_kind()), 0.0);
        for (Index f = 0; f < m.faces(); ++f)
            for (int j = 0; j < m.dimension; ++j)
                round[entity_of(m.face_codim2(f)[j])] += orientation_of(m.face_codim2(f)[j]) * h[f];
        for (const Index r : fixed) round[r] = 0;
        double worst = 0;
        for (Index r = 0; r < domain.codim2_entities.owned; ++r)
            worst = std::max(worst, std::abs(round[r]));
        return comm.max(worst);
    }

    const Communicator& comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::vector<Index> fixed;
    std::vector<std::vector<double>> fluxes;
};

class HarmonicFluxesOf : public testing::TestWithParam<Shape> {
  protected:
    const Communicator comm = Communicator::world();
    const SimplexMesh whole = mesh_of(GetParam());
};

TEST_P(HarmonicFluxesOf, AreAsManyAsLoops) {
    for (const std::string& device : test::devices_on(Communicator::world().size()))
        if (device == "cpu" || GetParam().everywhere) {
            EXPECT_EQ(Found(comm, GetParam(), device, whole).fluxes.size(), GetParam().harmonic)
                << device;
        }
}

TEST_P(HarmonicFluxesOf, HaveNeitherDivergenceNorCurl) {
    const Found found(comm, GetParam(), "cpu", whole);
    for (std::size_t i = 0; i < found.fluxes.size(); ++i) {
        const auto& flux = found.fluxes[i];
        EXPECT_LT(found.divergence(flux), 5e-16 * found.largest(flux) * (GetParam().dimension + 1));
        EXPECT_LT(found.curl(flux), 1e-12 * found.largest(found.circulation(flux)));
        for (std::size_t j = 0; j <= i; ++j)
            EXPECT_NEAR(found.product(flux, found.circulation(found.fluxes[j])), i == j ? 1 : 0,
                        1e-12);
    }
}

// Round a period without walls across, a uniform stream is what they span.
TEST_P(HarmonicFluxesOf, HoldUniformStreams) {
    if (!GetParam().is_uniform) GTEST_SKIP() << "walls stand across";
    const Found found(comm, GetParam(), "cpu", whole);
    for (const PeriodicPair& pair : found.mesh.mesh.periodic_map.pairs) {
        std::vector<double> left(found.mesh.mesh.faces());
        for (Index f = 0; f < left.size(); ++f)
            left[f] = glm::dot(pair.offset, found.domain.geometry.face_area[f]);
        const double size = found.largest(left);
        const auto whole_stream = left;
        for (const auto& flux : found.fluxes) {
            const double share = found.product(whole_stream, found.circulation(flux));
            for (Index f = 0; f < left.size(); ++f) left[f] -= share * flux[f];
        }
        EXPECT_LT(found.largest(left), 1e-12 * size);
    }
}

TEST_P(HarmonicFluxesOf, AreThoseOfOneRank) {
    const Found here(comm, GetParam(), "cpu", whole);
    const Communicator self = Communicator::self();
    const Found alone(self, GetParam(), "cpu", whole);
    ASSERT_EQ(here.fluxes.size(), alone.fluxes.size());
    for (std::size_t i = 0; i < here.fluxes.size(); ++i) {
        std::map<Key, double> expected;
        for (Index f = 0; f < alone.domain.faces.all; ++f)
            expected[key_of(alone.mesh.mesh, Kind::face, f)] = alone.fluxes[i][f];
        const double size = here.largest(here.fluxes[i]);
        for (Index f = 0; f < here.domain.faces.all; ++f)
            ASSERT_NEAR(here.fluxes[i][f], expected.at(key_of(here.mesh.mesh, Kind::face, f)),
                        1e-10 * size);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Shapes, HarmonicFluxesOf,
    testing::Values(Shape{"Channel", 2, "x", Body::none, 1, true},
                    Shape{"Torus", 2, "xy", Body::none, 2, true},
                    Shape{"Box", 3, "", Body::none, 0}, Shape{"Duct", 3, "z", Body::none, 1, true},
                    Shape{"Plates", 3, "xz", Body::none, 2, true},
                    Shape{"Torus3D", 3, "xyz", Body::none, 3, true, true},
                    Shape{"BallInDuct", 3, "z", Body::ball, 1},
                    Shape{"BallInTorus", 3, "xyz", Body::ball, 3},
                    Shape{"ColumnInBox", 3, "", Body::column, 1},
                    Shape{"ColumnInDuct", 3, "z", Body::column, 2, false, true},
                    Shape{"ColumnAcrossDuct", 3, "x", Body::column, 2},
                    Shape{"ColumnInTorus", 3, "xyz", Body::column, 3}),
    [](const auto& info) { return info.param.label; });

}  // namespace
}  // namespace solenoid::harmonic_basis_test
