// Cells across passages, on meshes of squares and cubes that are counted by hand.
#include "app/passages.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/grids.hpp"

namespace solenoid::test::passages_test {
namespace {

Vec3 middle(const Mesh& m, Index face) {
    Vec3 sum(0);
    for (int j = 0; j < m.dimension; ++j)
        sum += m.points[m.face_nodes(face, j)] / double(m.dimension);
    return sum;
}

bool is_outer(const Mesh& m, Index face) {
    return m.face_cells(face, 0) == none || m.face_cells(face, 1) == none;
}

// Of a grid the cells whose centroid is so.
SimplexMesh without(SimplexMesh mesh, const std::function<bool(const Vec3&)>& is_gone) {
    std::vector<Index> kept;
    const int corners = mesh.dimension + 1;
    for (std::size_t c = 0; c < mesh.cell_count(); ++c) {
        Vec3 centre(0);
        for (int j = 0; j < corners; ++j) centre += mesh.points[mesh.cell(c)[j]] / double(corners);
        if (!is_gone(centre)) kept.insert(kept.end(), mesh.cell(c), mesh.cell(c) + corners);
    }
    mesh.cell_region.resize(kept.size() / corners);
    mesh.cells = kept;
    return mesh;
}

SimplexMesh with_plane(
    const SimplexMesh& mesh, const char* name, int axis, double at,
    const std::function<bool(const Vec3&)>& has = [](const Vec3&) { return true; }) {
    return with_group(mesh, name, [=](const Mesh& m, Index f) {
        for (int j = 0; j < m.dimension; ++j)
            if (m.points[m.face_nodes(f, j)][axis] != at) return false;
        return has(middle(m, f));
    });
}

SimplexMesh with_outside(const SimplexMesh& mesh) { return with_group(mesh, "outside", is_outer); }

std::vector<Passage> passages(const SimplexMesh& mesh) {
    return narrowest_passages(build_mesh(whole(SimplexMesh(mesh))));
}

TEST(Passages, CountsLayers) {
    for (const int dimension : {2, 3}) {
        SimplexMesh mesh =
            with_plane(with_plane(grid(dimension, 5), "floor", 1, 0), "ceiling", 1, 5);
        for (Vec3& x : mesh.points) x.y *= x.y * 0.01;  // layers of 0.01, 0.03, ..., 0.09
        const std::vector<Passage> found = passages(mesh);
        ASSERT_EQ(found.size(), 2u);
        for (std::size_t b = 0; b < 2; ++b) {
            EXPECT_EQ(found[b].from, b);
            EXPECT_EQ(found[b].to, 1 - b);
            EXPECT_NEAR(found[b].cells, 5, 1e-12) << dimension;
            EXPECT_NEAR(found[b].length, 0.25, 1e-12);
            EXPECT_NEAR(found[b].place.y, 0.125, 1e-12);
        }
    }
}

TEST(Passages, FindsAConstriction) {
    const SimplexMesh mesh = with_outside(
        without(grid(2, 12), [](const Vec3& x) { return x.x > 4 && x.x < 8 && x.y > 3; }));
    const std::vector<Passage> found = passages(mesh);
    ASSERT_EQ(found.size(), 1u);
    EXPECT_EQ(found[0].to, 0u);
    EXPECT_NEAR(found[0].cells, 3, 1e-12);
    EXPECT_NEAR(found[0].length, 3, 1e-12);
    EXPECT_NEAR(found[0].place.y, 1.5, 1e-12);
    EXPECT_TRUE(found[0].place.x > 4 && found[0].place.x < 8) << found[0].place.x;
}

// From tip to tip, and from a tip to the wall; the plate's sides are farther from what they face.
TEST(Passages, FindsASlitInAPlate) {
    for (const int dimension : {2, 3}) {
        const Index n = dimension == 2 ? 12 : 8;
        const double half = n / 2.0;
        const SimplexMesh box = with_outside(grid(dimension, n));
        const std::vector<Passage> between = passages(with_plane(
            box, "plate", 0, half, [&](const Vec3& x) { return std::abs(x.y - half) > 1; }));
        ASSERT_EQ(between.size(), 2u);
        EXPECT_EQ(between[1].from, 1u);
        EXPECT_EQ(between[1].to, 1u);
        EXPECT_NEAR(between[1].cells, 2, 1e-6) << dimension;
        EXPECT_NEAR(between[1].length, 2, 1e-6);
        EXPECT_NEAR(between[1].place.x, half, 1e-6);
        EXPECT_NEAR(between[1].place.y, half, 1e-6);
        const std::vector<Passage> below =
            passages(with_plane(box, "plate", 0, half, [&](const Vec3& x) { return x.y < n - 3; }));
        ASSERT_EQ(below.size(), 2u);
        EXPECT_EQ(below[1].to, 0u);
        EXPECT_NEAR(below[1].cells, 3, 1e-6) << dimension;
        EXPECT_NEAR(below[1].place.y, n - 1.5, 1e-6);
    }
}

// A corner is no passage, however near its sides are.
TEST(Passages, LeavesCornersOut) {
    const SimplexMesh mesh =
        with_outside(without(grid(2, 9), [](const Vec3& x) { return x.y > x.x; }));
    for (const Passage& p : passages(mesh))
        ADD_FAILURE() << p.cells << " cells across at " << p.place.x << ", " << p.place.y;
}

}  // namespace
}  // namespace solenoid::test::passages_test
