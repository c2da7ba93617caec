// Heat on periodic meshes, on several ranks: the cut runs through the seam.
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "heat/heat_solver.hpp"
#include "io/mesh/mesh_file.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/devices.hpp"
#include "support/gmsh.hpp"
#include "support/heat_boundaries.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::periodic_heat_test {
namespace {

using test::closed;
using test::plain_box;

DistributedMesh cut(const Communicator& comm, const SimplexMesh& whole) {
    return distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
}

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

}  // namespace
}  // namespace solenoid::periodic_heat_test
