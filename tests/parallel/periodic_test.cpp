// Periodic meshes on several ranks: the cut runs through the seam, and no operator, solver or file
// knows of it.
#include <gtest/gtest.h>
#include <vtkCell.h>
#include <vtkCellData.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkUnstructuredGrid.h>
#include <vtkXMLPUnstructuredGridReader.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <set>

#include "flow/discretization/flow_discretization.hpp"
#include "heat/heat_solver.hpp"
#include "io/mesh/mesh_file.hpp"
#include "io/monitors/monitors.hpp"
#include "io/vtk/vtk_output.hpp"
#include "operators/operators.hpp"
#include "parallel/simplex_topology.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"
#include "support/devices.hpp"
#include "support/domain_fields.hpp"
#include "support/gmsh.hpp"
#include "support/periodic_meshes.hpp"
#include "support/scratch_folder.hpp"

namespace solenoid {
namespace {

using test::closed;
using test::plain_box;

DistributedMesh cut(const Communicator& comm, const SimplexMesh& whole) {
    return distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
}

// ---- the cut mesh

TEST(PeriodicCut, ClosesOnAnyNumberOfRanks) {
    const auto comm = Communicator::world();
    std::vector<SimplexMesh> meshes{closed(plain_box(2, 600), "xy"),
                                    closed(plain_box(3, 3000), "xyz")};
    if (test::has_gmsh()) {
        meshes.push_back(closed(read_mesh(test::gmsh_mesh("periodic_square", 2, 0.1)), "yx"));
        meshes.push_back(closed(read_mesh(test::gmsh_mesh("periodic_cube", 3, 0.15)), "zxy"));
    }
    for (const SimplexMesh& whole : meshes) {
        const int dimension = whole.dimension;
        const DistributedMesh mesh = cut(comm, whole);
        const Geometry g = geometry(mesh.mesh);
        EXPECT_EQ(mesh.global_count[0], std::int64_t(whole.points.size()));
        EXPECT_EQ(mesh.global_count[2] * 2, (dimension + 1) * mesh.global_count[3]);
        EXPECT_EQ(mesh.components, 1u);
        double volume = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c) volume += g.cell_volume[c];
        EXPECT_NEAR(comm.sum(volume), 1, 1e-12);
        for (Index f = 0; f < mesh.range(Kind::face).shared; ++f) {
            ASSERT_NE(mesh.mesh.face_cells(f, 0), none);
            ASSERT_NE(mesh.mesh.face_cells(f, 1), none);
            const auto [a, b] = centroids_beside(mesh.mesh, g, f);
            EXPECT_LT(glm::distance(a, b), 0.3);
        }
        for (const PeriodicPair& pair : mesh.mesh.periodic_map.pairs) {
            Vec3 area(0);
            for (const Index face : section_faces(mesh.mesh, pair))
                if (entity_of(face) < mesh.range(Kind::face).owned)
                    area += double(orientation_of(face)) * g.face_area[entity_of(face)];
            for (int k = 0; k < 3; ++k) EXPECT_NEAR(comm.sum(area[k]), pair.offset[k], 1e-12);
        }
    }
}

// ---- operators

struct Calculus {
    Calculus(int dimension, const std::string& device_name = "cpu")
        : comm(Communicator::world()),
          device(test::make_device(device_name)),
          mesh(cut(comm, closed(plain_box(dimension, dimension == 2 ? 500 : 2500),
                                dimension == 2 ? "xy" : "zxy"))),
          domain(comm, *device, mesh),
          operators(domain.operators<double>()),
          g(domain.geometry) {}

    Field<double> integers(Kind kind) {
        return test::owned_field_of<double>(domain, kind, 1, [&](Index i, int) {
            return test::random_integer(test::key_of(mesh.mesh, kind, i), 7);
        });
    }
    double largest(Kind kind, const Buffer<double>& field) const {
        const auto values = field.download();
        double worst = 0;
        for (int k = 0; k < field.columns(); ++k)
            for (Index i = 0; i < mesh.range(kind).shared; ++i)
                worst = std::max(worst, std::abs(values[std::size_t(k) * field.size() + i]));
        return comm.max(worst);
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    Operators<double>& operators;
    const Geometry& g;
};

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

// The coefficients of the collocated scheme, for fields that are linear where the cell or node
// stands. The oracle takes the nearest copy of everything.
TEST(PeriodicOperators, FlowCoefficientsAreExactForLocallyLinearFields) {
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

// ---- heat

Formula formula(const std::string& text) { return Formula(text, "test"); }

HeatBoundary held(const std::string& name, const std::string& value) {
    return test::heat_boundary(name, "temperature", Formula(value, "test"));
}

struct Heat {
    Heat(const Communicator& comm, const SimplexMesh& whole, const std::string& source,
         const std::vector<HeatBoundary>& boundaries, const std::string& initial = "0")
        : comm(comm),
          device(test::make_device("cpu")),
          mesh(cut(comm, whole)),
          domain(this->comm, *device, mesh) {
        MaterialSettings material;
        material.source = formula(source);
        SolverSettings settings;
        settings.tolerance = 1e-12;
        solver = std::make_unique<HeatSolver<double>>(domain, std::vector{material}, boundaries,
                                                      formula(initial), settings);
    }
    double error(const std::string& exact, double t = 0) {
        const Formula expected = formula(exact);
        const auto temperature = solver->temperature();
        const Geometry g = geometry(mesh.mesh);
        double square = 0;
        for (Index c = 0; c < mesh.range(Kind::cell).owned; ++c)
            for (int j = 0; j <= mesh.mesh.dimension; ++j)
                square += g.cell_volume[c] / (mesh.mesh.dimension + 1) *
                          std::pow(temperature[mesh.mesh.cell_nodes(c, j)] -
                                       expected(mesh.mesh.corner(c, j), t),
                                   2);
        return std::sqrt(comm.sum(square));
    }

    Communicator comm;
    std::unique_ptr<Device> device;
    DistributedMesh mesh;
    Domain domain;
    std::unique_ptr<HeatSolver<double>> solver;
};

double order(const std::vector<double>& errors, const std::vector<double>& cells, int dimension) {
    return dimension * std::log(errors.front() / errors.back()) /
           std::log(cells.back() / cells.front());
}

// T = sin(2 pi x + 0.7) (1 + y^2), with the phase such that nothing vanishes on the seam.
TEST(PeriodicHeat, SteadyOnTriangles) {
    if (!test::has_gmsh()) GTEST_SKIP() << "Gmsh is not installed";
    const std::string exact = "sin(2*pi*x+0.7)*(1+y^2)",
                      source = "4*pi^2*sin(2*pi*x+0.7)*(1+y^2)-2*sin(2*pi*x+0.7)";
    std::vector<double> errors, cells;
    for (double size : {0.1, 0.05, 0.025}) {
        const SimplexMesh mesh =
            closed(read_mesh(test::gmsh_mesh("periodic_square", 2, size)), "x");
        Heat heat(Communicator::world(), mesh, source, {held("ymin", exact), held("ymax", exact)});
        heat.solver->solve_steady();
        errors.push_back(heat.error(exact));
        cells.push_back(double(mesh.cell_count()));
    }
    EXPECT_GE(order(errors, cells, 2), 1.9) << errors.front() << " " << errors.back();
}

TEST(PeriodicHeat, SteadyOnTets) {
    const std::string exact = "sin(2*pi*x+0.7)*cos(2*pi*z)*(1+y)", source = "8*pi^2*" + exact;
    std::vector<double> errors, cells;
    for (std::size_t count : {3000, 24000}) {
        const SimplexMesh mesh = closed(plain_box(3, count), "xz");
        Heat heat(Communicator::world(), mesh, source, {held("ymin", exact), held("ymax", exact)});
        heat.solver->solve_steady();
        errors.push_back(heat.error(exact));
        cells.push_back(double(mesh.cell_count()));
    }
    EXPECT_GE(order(errors, cells, 3), 1.9) << errors.front() << " " << errors.back();
}

// Nothing but the torus: a wave that decays.
TEST(PeriodicHeat, TransientOnATorus) {
    std::vector<double> errors, cells;
    int steps = 8;
    for (std::size_t count : {500, 2000, 8000}) {
        const SimplexMesh mesh = closed(plain_box(2, count), "xy");
        Heat heat(Communicator::world(), mesh, "0", {}, "2 + sin(2*pi*x+0.7)*cos(2*pi*y+0.3)");
        for (int n = 0; n < steps; ++n) heat.solver->step(0.01 / steps, false);
        errors.push_back(heat.error("2 + sin(2*pi*x+0.7)*cos(2*pi*y+0.3)*exp(-8*pi^2*t)", 0.01));
        cells.push_back(double(mesh.cell_count()));
        steps *= 2;
    }
    EXPECT_GE(order(errors, cells, 2), 1.9) << errors.front() << " " << errors.back();
}

// By node number, on the root.
std::map<GlobalIndex, double> gathered(Heat& heat) {
    const auto temperature = heat.solver->temperature();
    std::vector<double> values(heat.mesh.global_count[0], 0.0);
    for (Index i = 0; i < heat.mesh.range(Kind::node).owned; ++i)
        values[heat.mesh.mesh.node_number[i]] = temperature[i];
    heat.comm.sum(values);
    std::map<GlobalIndex, double> result;
    for (std::size_t i = 0; i < values.size(); ++i) result[GlobalIndex(i)] = values[i];
    return result;
}

// A long strip is cut across, somewhere: among several meshes also through faces of the seam.
TEST(PeriodicHeat, TheAnswerDoesNotDependOnTheCut) {
    const std::string exact = "sin(2*pi*x+0.7)*(1+y^2)";
    std::int64_t cut_seam = 0;
    for (std::size_t cells = 600; cells < 1400; cells += 100) {
        const SimplexMesh mesh = closed(plain_box(2, cells, Vec3(0), Vec3(4, 0.5, 1)), "x");
        std::vector<std::map<GlobalIndex, double>> answers;
        for (const Communicator& comm : {Communicator::self(), Communicator::world()}) {
            Heat heat(comm, mesh, "10*" + exact, {held("ymin", exact), held("ymax", "0")});
            heat.solver->solve_steady();
            answers.push_back(gathered(heat));
            const Mesh& m = heat.mesh.mesh;
            for (Index f = 0; f < heat.mesh.range(Kind::face).owned; ++f)
                if (m.jump(f) != Vec3(0))
                    cut_seam += heat.mesh.cell_owner[m.face_cells(f, 0)] !=
                                heat.mesh.cell_owner[m.face_cells(f, 1)];
        }
        for (const auto& [node, value] : answers[0]) ASSERT_NEAR(answers[1].at(node), value, 1e-9);
    }
    cut_seam = Communicator::world().sum(cut_seam);
    EXPECT_EQ(cut_seam > 0, Communicator::world().size() > 1)
        << "the seam is never cut: take other meshes";
}

// ---- output

// A linear field cannot be periodic; one of the cells' own corners shows whether values went to the
// right points.
TEST(PeriodicOutput, VtkShowsTheUnfoldedMesh) {
    const auto comm = Communicator::world();
    for (int dimension : {2, 3}) {
        const ScratchFolder folder(comm);
        const SimplexMesh open = plain_box(dimension, dimension == 2 ? 800 : 3000);
        const DistributedMesh mesh = cut(comm, closed(open, dimension == 2 ? "xy" : "xyz"));
        std::vector<double> wave;
        for (const Vec3& x : mesh.mesh.points)
            wave.push_back(std::sin(2 * M_PI * x.x) + std::cos(2 * M_PI * x.y));
        ASSERT_EQ(VtkOutput(comm, SimplexTopology(mesh), folder.path(), "torus")
                      .write(0, 0, {{"wave", std::span<const double>(wave)}}),
                  "");
        if (!comm.is_root()) continue;
        vtkNew<vtkXMLPUnstructuredGridReader> reader;
        reader->SetFileName((folder.path() / "torus_000000.pvtu").c_str());
        reader->Update();
        vtkUnstructuredGrid* grid = reader->GetOutput();
        ASSERT_EQ(grid->GetNumberOfCells(), vtkIdType(open.cell_count()));
        double volume = 0, longest = 0;
        for (vtkIdType c = 0; c < grid->GetNumberOfCells(); ++c) {
            vtkCell* cell = grid->GetCell(c);
            Vec3 x[4];
            for (int j = 0; j <= dimension; ++j) cell->GetPoints()->GetPoint(j, &x[j].x);
            volume += dimension == 2
                          ? glm::cross(x[1] - x[0], x[2] - x[0]).z / 2
                          : glm::dot(glm::cross(x[1] - x[0], x[2] - x[0]), x[3] - x[0]) / 6;
            for (int j = 0; j < dimension; ++j)
                longest = std::max(longest, glm::distance(x[j], x[j + 1]));
        }
        EXPECT_NEAR(volume, 1, 1e-10);
        EXPECT_LT(longest, dimension == 2 ? 0.12 : 0.3);
        // Every point of the open mesh is owned by one piece; copies of a point agree.
        std::map<vtkIdType, Vec3> place;
        std::map<vtkIdType, int> owners;
        vtkDataArray* ids = grid->GetPointData()->GetGlobalIds();
        vtkDataArray* ghost = grid->GetPointData()->GetArray("vtkGhostType");
        vtkDataArray* values = grid->GetPointData()->GetArray("wave");
        for (vtkIdType i = 0; i < grid->GetNumberOfPoints(); ++i) {
            Vec3 x;
            grid->GetPoint(i, &x.x);
            const auto id = static_cast<vtkIdType>(ids->GetTuple1(i));
            const auto [found, is_new] = place.emplace(id, x);
            EXPECT_EQ(found->second, x);
            owners[id] += ghost->GetTuple1(i) == 0;
            EXPECT_NEAR(values->GetTuple1(i), std::sin(2 * M_PI * x.x) + std::cos(2 * M_PI * x.y),
                        1e-12);
        }
        EXPECT_EQ(place.size(), open.points.size());
        for (const auto& [id, count] : owners) EXPECT_EQ(count, 1) << "point " << id;
    }
}

// A line along the seam and across it finds every point, and the wave on it.
TEST(PeriodicOutput, MonitorsReachTheSeam) {
    const auto comm = Communicator::world();
    const DistributedMesh mesh = cut(comm, closed(plain_box(2, 4000), "xy"));
    std::vector<Vec3> points;
    for (int i = 0; i <= 40; ++i) {
        points.push_back({i / 40.0, 0.37, 0});
        points.push_back({1, i / 40.0, 0});
        points.push_back({0, i / 40.0, 0});
    }
    const LocatedPoints located = locate(comm, SimplexTopology(mesh), points);
    for (const char found : located.found) EXPECT_EQ(found, 1);
    for (const PointInCell& p : located.here) {
        Vec3 x(0);
        for (int j = 0; j <= 2; ++j) x += p.weight[j] * mesh.mesh.corner(p.cell, j);
        EXPECT_LT(glm::distance(x, points[p.point]), 1e-8);
    }
}

}  // namespace
}  // namespace solenoid
