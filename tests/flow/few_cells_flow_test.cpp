// Flows on meshes of a few cells: ranks have no node, no face of a boundary. The runs end, forces
// too, with the values of one rank.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "io/mesh/mesh_file.hpp"
#include "mesh/box.hpp"
#include "support/flows.hpp"

namespace solenoid::few_cells_flow_test {
namespace {

using test::Flow;
using test::vector_formula;

std::vector<FlowBoundary> channel(const SimplexMesh& mesh) {
    std::vector<FlowBoundary> all;
    for (const std::string& name : mesh.boundaries)
        all.push_back(name == "xmin"   ? test::boundary(name, "inflow",
                                                        vector_formula({"4*y*(1-y)*(1+t)", "0", "0"}))
                      : name == "xmax" ? test::boundary(name, "outflow")
                      : name[0] == 'y' ? test::boundary(name, "wall")
                                       : test::boundary(name, "symmetry"));
    return all;
}

struct Result {
    std::vector<Vec3> velocity;  // by number in the whole mesh
    Vec3 weak, surface;          // force on ymin
    int ranks_without_nodes = 0;
};

Result solved(const Communicator& comm, const SimplexMesh& mesh, const std::string& method,
              const std::string& viscosity) {
    Flow<> flow(mesh, Formula(viscosity, "test"), channel(mesh), vector_formula({"0", "0", "0"}),
                test::tight(), "cpu", test::by_method(method), comm);
    flow.run(2, 0.02);
    const BoundaryForce force = flow.force_on("ymin");
    return {flow.velocities(), force.weak, force.pressure + force.friction,
            static_cast<int>(comm.sum(std::int64_t(flow.domain.nodes.owned == 0)))};
}

// Returns how many ranks had no node.
int expect_as_on_one_rank(int dimension, std::size_t cells, const std::string& method,
                          const std::string& viscosity) {
    const Communicator world = Communicator::world();
    const SimplexMesh mesh = box_mesh({.dimension = dimension, .cells = cells});
    if (static_cast<int>(mesh.cell_count()) < world.size()) return 0;  // refused
    const Result here = solved(world, mesh, method, viscosity),
                 alone = solved(Communicator::self(), mesh, method, viscosity);
    const std::string words = fmt::format("{}, {} cells in {}D, viscosity {}", method,
                                          mesh.cell_count(), dimension, viscosity);
    for (std::size_t c = 0; c < alone.velocity.size(); ++c)
        EXPECT_LT(glm::length(here.velocity[c] - alone.velocity[c]), 1e-7)
            << words << ", cell " << c;
    EXPECT_LT(glm::length(here.weak - alone.weak), 1e-6 * std::max(1.0, glm::length(alone.weak)))
        << words;
    EXPECT_LT(glm::length(here.surface - alone.surface),
              1e-6 * std::max(1.0, glm::length(alone.surface)))
        << words;
    return here.ranks_without_nodes;
}

TEST(FewCells, OfTheExactMethodWithForces) {
    int without = 0;
    for (const std::size_t cells : {4, 8, 12, 20})
        without += expect_as_on_one_rank(2, cells, "exact", "0.1");
    for (const std::size_t cells : {1, 24})
        without += expect_as_on_one_rank(3, cells, "exact", "0.1");
    if (Communicator::world().size() >= 4) {
        EXPECT_GT(without, 0) << "this tests little";
    }
}

TEST(FewCells, OfTheClassicalMethodWithForces) {
    for (const std::size_t cells : {8, 20}) expect_as_on_one_rank(2, cells, "classical", "0.1");
}

TEST(FewCells, WithAViscosityThatVaries) { expect_as_on_one_rank(2, 8, "exact", "0.1*(1+x+t)"); }

// Every flux through the boundary is given and no node lies inside: the auxiliary space of the
// stream function's preconditioner is empty.
TEST(FewCells, WithoutANodeInside) {
    const Communicator world = Communicator::world();
    const SimplexMesh mesh = read_mesh(SOLENOID_SOURCE_DIR "/tests/data/column_of_twelve_tets.msh");
    std::vector<FlowBoundary> sides;
    for (const std::string& name : mesh.boundaries)
        sides.push_back(
            test::boundary(name, "wall", vector_formula({name == "zmax" ? "1" : "0", "0", "0"})));
    const auto solved = [&](const Communicator& comm) {
        Flow<> flow(mesh, Formula("0.1", "test"), sides, vector_formula({"0", "0", "0"}), {}, "cpu",
                    test::by_method("exact"), comm);
        flow.run(2, 0.02);
        return flow.velocities();
    };
    const auto here = solved(world), alone = solved(Communicator::self());
    for (std::size_t c = 0; c < alone.size(); ++c)
        EXPECT_LT(glm::length(here[c] - alone[c]), 1e-6) << "cell " << c;
}

}  // namespace
}  // namespace solenoid::few_cells_flow_test
