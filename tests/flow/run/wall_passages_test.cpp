// Cells across passages between walls, found by the ranks of a run.
#include "flow/run/wall_passages.hpp"

#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "parallel/slices/distribute.hpp"
#include "support/boundaries.hpp"

namespace solenoid::wall_passages_test {
namespace {

FlowCase channel(const SimplexMesh& mesh, const std::string& top = "wall") {
    FlowCase flow;
    for (const std::string& name : mesh.boundaries)
        flow.boundaries.push_back(
            name == "xmin" ? test::boundary(name, "inflow", test::vector_formula({"1", "0", "0"}))
                           : test::boundary(name, name == "xmax"   ? "outflow"
                                                  : name == "ymax" ? top
                                                  : name == "ymin" ? "wall"
                                                                   : "symmetry"));
    return flow;
}

// Narrower by half in its middle, x = 1.5 to 2.5.
SimplexMesh throat(int dimension, std::size_t cells) {
    SimplexMesh mesh = box_mesh({.dimension = dimension,
                                 .cells = cells,
                                 .high = {4, 1, dimension == 2 ? 0.0 : 1.0},
                                 .jitter = 0});
    for (Vec3& x : mesh.points) x.y *= 1 - 0.5 * std::exp(-4 * std::pow(x.x - 2, 2));
    return mesh;
}

std::optional<CellsAcross> narrowest(const Communicator& comm, const SimplexMesh& whole,
                                     const FlowCase& flow, const std::string& u) {
    const DistributedMesh mesh =
        distribute(comm, comm.is_root() ? std::optional(whole) : std::nullopt);
    const Geometry g = geometry(mesh.mesh);
    const std::size_t count = mesh.range(Kind::cell).all;
    std::vector<double> velocity(count * whole.dimension, 0.0);
    const Formula speed(u, "test");
    for (std::size_t c = 0; c < count; ++c) velocity[c] = speed(g.cell_centroid[c], 0);
    return WallPassages(comm, mesh, flow).narrowest(velocity, 0);
}

// Rows of squares, cut into triangles or tets: as many cells across as there are rows.
TEST(WallPassages, AreCountedAlikeOnAnyNumberOfRanks) {
    for (const int d : {2, 3}) {
        const SimplexMesh mesh = throat(d, d == 2 ? 600 : 3000);
        const FlowCase flow = channel(mesh);
        const auto here = narrowest(Communicator::world(), mesh, flow, "1"),
                   alone = narrowest(Communicator::self(), mesh, flow, "1");
        ASSERT_TRUE(here && alone) << d;
        EXPECT_EQ(here->cells, alone->cells) << d;
        EXPECT_EQ(here->length, alone->length) << d;
        EXPECT_EQ(here->place, alone->place) << d;
        EXPECT_EQ(here->from, alone->from) << d;
        EXPECT_EQ(here->to, alone->to) << d;
        const double rows = d == 2 ? std::sqrt(600 / 8.0) : std::cbrt(3000 / 24.0);
        EXPECT_NEAR(alone->cells, rows, 0.25 * rows) << d;
    }
}

TEST(WallPassages, EndInTheMiddleAtAPlaneOfSymmetry) {
    const SimplexMesh mesh = throat(2, 300);
    const auto whole = narrowest(Communicator::world(), mesh, channel(mesh), "1"),
               half = narrowest(Communicator::world(), mesh, channel(mesh, "symmetry"), "1");
    ASSERT_TRUE(whole && half);
    EXPECT_NEAR(half->cells, 2 * whole->cells, 0.2 * whole->cells);
    EXPECT_EQ(half->to, "ymin");
}

// Where the fluid rests a wall does not count, and without a flow there is none.
TEST(WallPassages, AreThoseWhoseWallsFeelTheFluid) {
    const SimplexMesh mesh = throat(2, 600);
    const FlowCase flow = channel(mesh);
    const Communicator& comm = Communicator::world();
    const auto first = narrowest(comm, mesh, flow, "x < 1 ? 1 : 0"),
               last = narrowest(comm, mesh, flow, "x > 3 ? 1 : 0");
    ASSERT_TRUE(first && last);
    EXPECT_LT(first->place[0], 1.1);
    EXPECT_GT(last->place[0], 2.9);
    EXPECT_FALSE(narrowest(comm, mesh, flow, "0"));
}

TEST(WallPassages, OfManyCellsAreForgotten) {
    const SimplexMesh mesh = box_mesh({.dimension = 2, .cells = 3000, .high = {2, 1, 0}});
    EXPECT_FALSE(narrowest(Communicator::world(), mesh, channel(mesh), "1"));
}

TEST(WallPassages, AreWarnedOfByTheErrorOfTheFlow) {
    const CellsAcross passage{4.9, 0.02, {1, 2, 3}, "wall", "wall"};
    EXPECT_EQ(passage_warning(passage, 0.01, "a.msh"), "");
    const std::string text = passage_warning(passage, 0.16, "a.msh");
    EXPECT_NE(text.find("4.9 on 0.02 m at (1, 2, 3)"), std::string::npos) << text;
    EXPECT_NE(text.find("by some 16 %"), std::string::npos) << text;
    EXPECT_NE(text.find("with 20 cells across for 1 %"), std::string::npos) << text;
    EXPECT_NE(text.find("mesh info a.msh"), std::string::npos) << text;
    // others' losses are not told as the passage's
    EXPECT_NE(passage_warning(passage, 0.5, "").find("by some 22 %"), std::string::npos);
    EXPECT_EQ(passage_warning({12, 0.02, {1, 2, 3}, "wall", "wall"}, 0.16, "a.msh"), "");
    EXPECT_GT(error_of_cells_across(9.5), 0.03);
    EXPECT_LT(error_of_cells_across(20), 0.01);
}

}  // namespace
}  // namespace solenoid::wall_passages_test
