// Every fault that check_and_repair mends or refuses, with what it tells the user.
#include <gtest/gtest.h>

#include <limits>

#include "core/error.hpp"
#include "mesh/geometry.hpp"
#include "mesh_fixtures.hpp"

namespace solenoid::test::mesh_check_test {
namespace {

std::string refusal(SimplexMesh mesh) {
    try {
        check_and_repair(mesh, "part.msh");
    } catch (const InputError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_EQ(std::string(error.what()).find("part.msh: "), 0u);
        return std::string(error.what()).substr(10);
    }
    ADD_FAILURE() << "accepted";
    return "";
}

std::string warning(SimplexMesh& mesh) {
    testing::internal::CaptureStderr();
    check_and_repair(mesh, "part.msh");
    return testing::internal::GetCapturedStderr();
}

#define EXPECT_HAS(text, part) EXPECT_NE(text.find(part), std::string::npos) << text

TEST(Check, GoodMeshesPassUnchanged) {
    for (auto& [name, mesh, euler] : all_meshes()) {
        SCOPED_TRACE(name);
        const SimplexMesh before = mesh;
        EXPECT_EQ(warning(mesh), "");
        EXPECT_EQ(mesh.points, before.points);
        EXPECT_EQ(mesh.cells, before.cells);
        EXPECT_EQ(mesh.sides, before.sides);
        EXPECT_EQ(mesh.side_group, before.side_group);
    }
}

TEST(Check, LeftHandedMeshIsTurnedRound) {
    for (SimplexMesh mesh : {tet_fan(6), annulus(6)}) {
        const SimplexMesh good = mesh;
        const int width = mesh.dimension + 1;
        for (std::size_t c = 0; c < mesh.cell_count(); ++c)
            std::swap(mesh.cells[c * width], mesh.cells[c * width + 1]);
        const std::string said = warning(mesh);
        EXPECT_HAS(said, "warning: part.msh: " + std::to_string(mesh.cell_count()) +
                             " cells are numbered left-handed");
        const Mesh built = build(mesh), expected = build(good);
        EXPECT_EQ(built.faces(), expected.faces());
        for (Index c = 0; c < built.cells(); ++c)
            EXPECT_NEAR(volume(built, c), volume(expected, c), 1e-15);
        SimplexMesh again = mesh;
        EXPECT_EQ(warning(again), "") << "all positive now";
    }
}

TEST(Check, LeftHandedRegionIsTurnedRound) {
    SimplexMesh mesh = two_triangles();
    std::swap(mesh.cells[3], mesh.cells[4]);
    EXPECT_HAS(warning(mesh), "1 cells are numbered left-handed");
}

TEST(Check, InvertedCellAmongGoodOnes) {
    SimplexMesh fan = tet_fan(6);
    std::swap(fan.cells[4 * 2], fan.cells[4 * 2 + 1]);
    const std::string text = refusal(fan);
    EXPECT_HAS(
        text,
        "1 of 6 cells of \"all\" are inverted, the first is cell 3 with its centroid at (-0.375, "
        "0.216506, 0)");
    for (std::size_t c = 0; c < 6; ++c) std::swap(fan.cells[4 * c], fan.cells[4 * c + 1]);
    EXPECT_HAS(refusal(fan), "1 of 6 cells of \"all\" are inverted, the first is cell 3 ");
    SimplexMesh ring = annulus(6);
    std::swap(ring.cells[0], ring.cells[1]);
    std::swap(ring.cells[9], ring.cells[10]);
    EXPECT_HAS(refusal(ring), "2 of 12 cells of \"all\" are inverted, the first is cell 1 ");
}

// A node drawn through the opposite face turns its cell inside out.
TEST(Check, TangledCell) {
    SimplexMesh tangled = two_tets();
    tangled.points[4] = {0.1, 0.1, 0.1};
    EXPECT_HAS(refusal(tangled),
               "cells 1 and 2 overlap: both lie on the same side of the face of nodes 2, 3 and 4 "
               "at (0.333333");
}

TEST(Check, FlatCells) {
    SimplexMesh tet = two_tets();
    tet.points[4] = {0.5, 0.25, 0.25};
    EXPECT_HAS(refusal(tet), "cell 2 with its centroid at (0.375, 0.3125, 0.3125) has no volume");
    SimplexMesh needle = tet_fan(6);
    needle.points[2] = needle.points[3];
    EXPECT_HAS(refusal(needle), "has no volume");
    SimplexMesh triangle = one_triangle();
    triangle.points[2] = {4, 0, 0};
    EXPECT_HAS(refusal(triangle), "cell 1 with its centroid at (2, 0, 0) has no area");
    triangle.points = {{0.1, 0.1, 0}, {0.2, 0.2, 0}, {0.3, 0.3, 0}};
    EXPECT_HAS(refusal(triangle), "has no area");  // round-off makes it 1e-17 or so
}

TEST(Check, SmallAndThinCellsAreNotFlat) {
    for (const Vec3& scale : {Vec3(1e-9), Vec3(1e9), Vec3(1, 1, 1e-6), Vec3(1e-4, 1e-4, 1)}) {
        SimplexMesh mesh = box(3, 1000);
        for (Vec3& x : mesh.points) x *= scale;
        EXPECT_EQ(warning(mesh), "");
    }
}

TEST(Check, IndicesOutOfRange) {
    SimplexMesh cell = one_tet();
    cell.cells[2] = 4;
    EXPECT_HAS(refusal(cell), "cell 1 has node 5 of 4");
    cell.cells[2] = none;
    EXPECT_HAS(refusal(cell), "cell 1 has node 4294967296 of 4");
    SimplexMesh side = two_tets();
    side.sides[4] = 9;
    EXPECT_HAS(refusal(side), "side 2 of \"ground\" has node 10 of 5");
    SimplexMesh region = two_tets();
    region.cell_region[1] = 2;
    EXPECT_HAS(refusal(region), "cell 2 lies in no region");
    SimplexMesh group = two_tets();
    group.side_group[0] = 5;
    EXPECT_HAS(refusal(group), "side 1 lies in no group");
    SimplexMesh empty = one_tet();
    empty.cells.clear();
    empty.cell_region.clear();
    EXPECT_HAS(refusal(empty), "no tetrahedra");
    SimplexMesh short_list = two_tets();
    short_list.cell_region.pop_back();
    EXPECT_HAS(refusal(short_list), "2 cells with 8 nodes and 1 regions");
}

TEST(Check, PositionsAreFiniteAndPlane) {
    SimplexMesh mesh = one_tet();
    mesh.points[3].y = std::numeric_limits<double>::infinity();
    EXPECT_HAS(refusal(mesh), "node 4 has no finite position");
    SimplexMesh plane = two_triangles();
    for (Vec3& x : plane.points) x.z = 2.5;
    EXPECT_EQ(warning(plane), "");
    EXPECT_EQ(plane.points[3].z, 0);
    plane.points[2].z = 1;
    EXPECT_HAS(refusal(plane), "node 3 at (1, 1, 1) is not in the plane z = 0");
}

TEST(Check, RepeatedNodesAndCells) {
    SimplexMesh node = two_tets();
    node.cells[7] = node.cells[4];
    EXPECT_HAS(refusal(node), "cell 2 with its centroid at ");
    EXPECT_HAS(refusal(node), "has node 4 twice");
    SimplexMesh cell = one_tet();
    cell.cells = {0, 1, 2, 3, 1, 2, 0, 3};
    cell.cell_region = {0, 0};
    EXPECT_HAS(
        refusal(cell),
        "cell 2 with its centroid at (0.25, 0.25, 0.25) is repeated: cell 1 has the same nodes");
    SimplexMesh triangle = two_triangles();
    triangle.cells.insert(triangle.cells.end(), {2, 0, 1});
    triangle.cell_region.push_back(0);
    EXPECT_HAS(refusal(triangle),
               "cell 3 with its centroid at (0.666667, 0.333333, 0) is repeated: cell 1 ");
}

TEST(Check, FaceWithThreeCells) {
    SimplexMesh mesh = two_tets();
    mesh.points.push_back({2, 2, 2});
    mesh.cells.insert(mesh.cells.end(), {1, 2, 3, 5});
    mesh.cell_region.push_back(0);
    EXPECT_HAS(refusal(mesh),
               "the face of nodes 2, 3 and 4 at (0.333333, 0.333333, 0.333333) has three cells: 1, "
               "2 and 3");
    SimplexMesh triangles = two_triangles();
    triangles.points.push_back({0.2, 0.9, 0});
    triangles.cells.insert(triangles.cells.end(), {2, 4, 0});
    triangles.cell_region.push_back(0);
    EXPECT_HAS(refusal(triangles),
               "the face of nodes 1 and 3 at (0.5, 0.5, 0) has three cells: 1, 2 and 3");
}

TEST(Check, UnusedNodesAreDropped) {
    SimplexMesh mesh = two_tets();
    mesh.points.insert(mesh.points.begin() + 2, {7, 7, 7});
    mesh.points.push_back({8, 8, 8});
    for (auto* nodes : {&mesh.cells, &mesh.sides})
        for (Index& node : *nodes) node += node >= 2;
    EXPECT_HAS(warning(mesh), "warning: part.msh: 2 nodes lie in no cell and were dropped");
    EXPECT_EQ(mesh.points, two_tets().points);
    EXPECT_EQ(mesh.cells, two_tets().cells);
    EXPECT_EQ(mesh.sides, two_tets().sides);
}

TEST(Check, SidesAreFacesAndOnceInAGroup) {
    SimplexMesh loose = two_tets();
    loose.sides[4] = 4;
    EXPECT_HAS(refusal(loose),
               "a side of \"ground\" is not a face of a cell: nodes 1, 2 and 5 at (0.666667, "
               "0.333333, 0.333333)");
    loose.sides[3] = loose.sides[4] = 1;
    EXPECT_HAS(refusal(loose), "is not a face of a cell");

    SimplexMesh twice = two_tets();
    twice.sides = {0, 2, 1, 3, 2, 1, 1, 2, 3, 2, 1, 0, 1, 2, 3};
    twice.side_group = {1, 0, 0, 1, 1};
    EXPECT_EQ(warning(twice), "");
    EXPECT_EQ(twice.sides, (std::vector<Index>{0, 2, 1, 3, 2, 1, 1, 2, 3}));
    EXPECT_EQ(twice.side_group, (std::vector<std::uint16_t>{1, 0, 1}))
        << "a side may lie in two groups";
}

}  // namespace
}  // namespace solenoid::test::mesh_check_test
