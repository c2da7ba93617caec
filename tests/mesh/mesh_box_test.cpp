// Boxes: counts, shape, surface, and that a mesh depends on its settings alone.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "mesh/box.hpp"
#include "mesh/geometry.hpp"
#include "mesh_fixtures.hpp"

namespace solenoid::test::mesh_box_test {
namespace {

BoxSettings settings(int dimension, std::size_t cells, Vec3 high = Vec3(1), double jitter = 0.15) {
    BoxSettings box;
    box.dimension = dimension;
    box.cells = cells;
    box.low = {-1, -2, -3};
    box.high = box.low + high;
    box.jitter = jitter;
    return box;
}

const std::vector<Vec3> shapes{{1, 1, 1}, {3, 1, 0.5}, {0.2, 1, 5}, {1, 0.77, 0.33}};

TEST(Box, CountIsNearWhatWasAskedFor) {
    for (int dimension : {2, 3})
        for (const Vec3& shape : shapes)
            for (double cells = 1000; cells < 200000; cells *= 1.13) {
                const auto asked = static_cast<std::size_t>(cells);
                const double found =
                    static_cast<double>(box_mesh(settings(dimension, asked, shape)).cell_count());
                EXPECT_NEAR(found / cells, 1, cells < 10000 ? 0.1 : 0.04)
                    << dimension << "D, " << cells;
            }
}

TEST(Box, FillsItsVolumeWithGoodCells) {
    for (int dimension : {2, 3})
        for (const Vec3& shape : shapes)
            for (std::size_t cells : {1000, 8000, 60000}) {
                const SimplexMesh mesh = box_mesh(settings(dimension, cells, shape));
                const Quality shapes = quality(mesh);
                EXPECT_GT(shapes.least, 0.3)
                    << dimension << "D, " << cells << " " << shape.x << " " << shape.z;
                // small meshes are mostly surface
                EXPECT_GT(shapes.mean, cells < 60000 ? 0.65 : 0.85);
                EXPECT_GT(shapes.smallest_volume, 0);
                const Geometry g = geometry(build(mesh));
                const double volume =
                    std::accumulate(g.cell_volume.begin(), g.cell_volume.end(), 0.0);
                const double expected = shape.x * shape.y * (dimension == 3 ? shape.z : 1);
                EXPECT_NEAR(volume / expected, 1, 1e-11);
            }
}

// Without jitter: the body-centred tet, 3 r / R = 3/sqrt(10), and the surface's, whose r / R the
// formulas give.
TEST(Box, RegularLattice) {
    const SimplexMesh cube = box_mesh(settings(3, 12 * 8 + 12 * 4, Vec3(1), 0));
    EXPECT_EQ(cube.cell_count(), 12u * 8 + 12u * 4);
    EXPECT_EQ(cube.points.size(), 27u + 8 + 24);
    EXPECT_NEAR(quality(cube).largest_volume, 1.0 / 12 / 8, 1e-15);
    EXPECT_NEAR(quality(cube).smallest_volume, 1.0 / 24 / 8, 1e-15);
    EXPECT_GT(quality(cube).least, 0.7);
    const SimplexMesh square =
        box_mesh(settings(2, 4 * 4 + 2 * 2, Vec3(2, 2 * std::sqrt(3.0), 0), 0));
    EXPECT_EQ(square.cell_count(), 20u);
    EXPECT_GT(quality(square).least, 0.73);
    EXPECT_NEAR(quality(square).longest_edge, 1, 1e-15);
}

TEST(Box, SidesCoverTheSurface) {
    for (int dimension : {2, 3}) {
        const Vec3 shape(1, 2, 3);
        const BoxSettings box = settings(dimension, 3000, shape);
        const SimplexMesh given = box_mesh(box);
        const std::vector<std::string> names{"xmin", "xmax", "ymin", "ymax", "zmin", "zmax"};
        EXPECT_EQ(given.boundaries,
                  std::vector<std::string>(names.begin(), names.begin() + 2 * dimension));
        EXPECT_EQ(given.regions, std::vector<std::string>{"box"});
        const Mesh mesh = build(given);
        const Geometry g = geometry(mesh);
        std::vector<double> area(2 * dimension, 0);
        for (const Side& side : mesh.sides) {
            const int axis = side.boundary / 2;
            const double plane = side.boundary % 2 ? box.high[axis] : box.low[axis];
            for (int j = 0; j < dimension; ++j)
                EXPECT_EQ(mesh.points[mesh.face_nodes(side.face, j)][axis], plane);
            EXPECT_NE(mesh.face_cells(side.face, 0) == none, mesh.face_cells(side.face, 1) == none);
            area[side.boundary] += glm::length(g.face_area[side.face]);
        }
        const double volume = shape.x * shape.y * (dimension == 3 ? shape.z : 1);
        for (int b = 0; b < 2 * dimension; ++b) EXPECT_NEAR(area[b], volume / shape[b / 2], 1e-12);
        std::size_t outside = 0;
        for (Index f = 0; f < mesh.faces(); ++f)
            outside += mesh.face_cells(f, 0) == none || mesh.face_cells(f, 1) == none;
        EXPECT_EQ(outside, mesh.sides.size());
    }
}

TEST(Box, PassesTheCheckWithoutAWarning) {
    for (int dimension : {2, 3})
        for (std::size_t cells : {1, 30, 5000}) {
            SimplexMesh mesh = box_mesh(settings(dimension, cells));
            const SimplexMesh before = mesh;
            testing::internal::CaptureStderr();
            check_and_repair(mesh, "box");
            EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
            EXPECT_EQ(mesh.cells, before.cells);
            EXPECT_EQ(mesh.sides, before.sides);
        }
}

TEST(Box, JitterIsDeterministicAndBounded) {
    for (int dimension : {2, 3}) {
        const SimplexMesh one = box_mesh(settings(dimension, 4000)),
                          again = box_mesh(settings(dimension, 4000));
        const SimplexMesh regular = box_mesh(settings(dimension, 4000, Vec3(1), 0));
        EXPECT_EQ(one.points, again.points);
        EXPECT_EQ(one.cells, again.cells);
        EXPECT_EQ(one.cells, regular.cells);
        const double spacing = quality(regular).longest_edge;
        double moved = 0;
        for (std::size_t n = 0; n < one.points.size(); ++n)
            moved = std::max(moved, glm::distance(one.points[n], regular.points[n]));
        EXPECT_LE(moved, 0.15 * spacing);
        EXPECT_GT(moved, 0.10 * spacing);
    }
}

TEST(Box, LargestJitterLeavesCellsPositive) {
    for (int dimension : {2, 3})
        for (const Vec3& shape : shapes) {
            const double jitter = dimension == 3 ? 0.1767 : 0.2165;
            EXPECT_GT(quality(box_mesh(settings(dimension, 100000, shape, jitter))).smallest_volume,
                      0);
        }
}

template <class Change>
std::string refusal(Change change) {
    BoxSettings box;
    change(box);
    try {
        box_mesh(box);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Box, RefusesWhatCannotBeMade) {
    EXPECT_NE(refusal([](BoxSettings& b) { b.dimension = 1; }).find("dimensions"),
              std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.high.y = 0; }).find("in y has no size"),
              std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.low.z = NAN; }).find("in z has no size"),
              std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.jitter = 0.2; }).find("jitter"), std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.jitter = -0.1; }).find("jitter"), std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.jitter = NAN; }).find("jitter"), std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.cells = 0; }).find("cells"), std::string::npos);
    EXPECT_NE(refusal([](BoxSettings& b) { b.cells = 3'000'000'000; }).find("cells"),
              std::string::npos);
}

TEST(Box, SlicesAreThoseOfTheWholeBox) {
    for (const int dimension : {2, 3})
        for (const Vec3& shape : shapes)
            for (const int ranks : {1, 2, 5, 64}) {
                const BoxSettings box = settings(dimension, 700, shape);
                const SimplexMesh mesh = box_mesh(box);
                for (int rank = 0; rank < ranks; ++rank) {
                    const MeshSlice found = box_slice(box, rank, ranks),
                                    expected = slice_of(mesh, rank, ranks);
                    EXPECT_EQ(found.dimension, expected.dimension);
                    EXPECT_EQ(found.node_ranges.start, expected.node_ranges.start);
                    EXPECT_EQ(found.cell_ranges.start, expected.cell_ranges.start);
                    EXPECT_EQ(found.side_ranges.start, expected.side_ranges.start);
                    EXPECT_EQ(found.points, expected.points);
                    EXPECT_EQ(found.cells, expected.cells);
                    EXPECT_EQ(found.cell_region, expected.cell_region);
                    EXPECT_EQ(found.regions, expected.regions);
                    EXPECT_EQ(found.sides, expected.sides);
                    EXPECT_EQ(found.side_group, expected.side_group);
                    EXPECT_EQ(found.boundaries, expected.boundaries);
                }
            }
}

}  // namespace
}  // namespace solenoid::test::mesh_box_test
