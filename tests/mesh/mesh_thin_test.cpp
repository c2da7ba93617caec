// Aspects of cells at boundaries, and how far curved walls turn along one.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "mesh/mesh_fixtures.hpp"
#include "mesh/thin_layers.hpp"
#include "support/rows_of_triangles.hpp"

namespace solenoid::mesh_thin_test {
namespace {

template <class Place>
Mesh rows_of(int n, const std::vector<double>& heights, bool is_closed, const Place& place) {
    return build_mesh(whole(test::rows_of_triangles(n, heights, is_closed, place)));
}

TEST(ThinLayers, FlatWallsHaveAspectsAndNoTurn) {
    const Mesh mesh = rows_of(4, {0.01, 0.2, 0.05}, false,
                              [](double x, double y) { return Vec3(0.5 * x, y, 0); });
    const ThinLayers found = thin_layers(mesh, mesh.cells());
    ASSERT_EQ(found.at_boundary.size(), 3u);
    EXPECT_NEAR(found.at_boundary[0].aspect, 50, 1e-10);
    EXPECT_NEAR(found.at_boundary[1].aspect, 10, 1e-10);
    EXPECT_NEAR(found.at_boundary[2].aspect, 0.4, 1e-12);
    EXPECT_NEAR(found.at_boundary[0].aspect_place.y, 0, 1e-15);
    for (const Thinness& one : found.at_boundary) EXPECT_EQ(one.curved_aspect, 0);
    const double diagonal = std::hypot(0.5, 0.01);
    EXPECT_NEAR(found.inside.aspect, diagonal * diagonal / (0.5 * 0.01), 1e-10);
    EXPECT_NEAR(found.inside.aspect_place.y, 0.005, 1e-15);
}

TEST(ThinLayers, RoundWallsTurn) {
    const int n = 24;
    const double angle = 2 * M_PI / n, height = 0.003;
    const Mesh mesh = rows_of(n, {height, 0.5, 0.01}, true, [&](double x, double y) {
        const double r = 0.5 + y;
        return Vec3(r * std::cos(angle * x), -r * std::sin(angle * x), 0);
    });
    const ThinLayers found = thin_layers(mesh, mesh.cells());
    // the face is a chord, and the opposite node lies over one of its ends
    const double low = 2 * 0.5 * std::sin(angle / 2) / (height * std::cos(angle / 2)),
                 r = 0.5 + height + 0.5 + 0.01,
                 high = 2 * r * std::sin(angle / 2) /
                        (r * std::cos(angle / 2) - (r - 0.01) * std::cos(angle / 2));
    EXPECT_NEAR(found.at_boundary[0].aspect, low, 1e-9 * low);
    EXPECT_NEAR(found.at_boundary[0].curved_aspect, low * angle, 1e-9 * low);
    EXPECT_NEAR(found.at_boundary[1].aspect, high, 1e-9 * high);
    EXPECT_NEAR(found.at_boundary[1].curved_aspect, high * angle, 1e-9 * high);
    EXPECT_EQ(found.at_boundary[2].aspect, 0);
}

TEST(ThinLayers, OfTetsTakeTheLongestEdgeOfTheFace) {
    const double h = 0.02;
    SimplexMesh tet =
        test::simplices(3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, h}}, {0, 1, 2, 3});
    tet.sides = {0, 1, 2};
    tet.side_group = {0};
    tet.boundaries = {"ground"};
    const Mesh mesh = build_mesh(whole(std::move(tet)));
    const ThinLayers found = thin_layers(mesh, 1);
    EXPECT_NEAR(found.at_boundary[0].aspect, std::sqrt(2) / h, 1e-10);
    EXPECT_NEAR(found.inside.aspect, std::sqrt(2) * std::sqrt(1 + 2 * h * h) / h, 1e-10);
    EXPECT_EQ(thin_layers(mesh, 0).at_boundary[0].aspect, 0);
}

// The rectangles' diagonals are those faces that two thin cells share.
TEST(ThinLayers, HaveThinCellsSideBySide) {
    const Mesh mesh = rows_of(4, {0.2, 0.01, 0.05}, false,
                              [](double x, double y) { return Vec3(0.5 * x, y, 0); });
    const ThinLayers found = thin_layers(mesh, mesh.cells());
    EXPECT_NEAR(found.layer_inside.aspect, 50 + 0.02, 1e-9);
    EXPECT_EQ(found.layer_inside.aspect_place.x, 0.25);
    EXPECT_NEAR(found.layer_inside.aspect_place.y, 0.205, 1e-15);
    ASSERT_EQ(found.layer_at.size(), 3u);
    EXPECT_NEAR(found.layer_at[0].aspect, 2.5, 1e-12);
    EXPECT_NEAR(found.layer_at[1].aspect, 10, 1e-10);
}

TEST(ThinLayers, AreNotSliversAlone) {
    const std::vector<Vec3> points{{0, 0, 0}, {1, 0, 0}, {0.5, 0.02, 0}, {0.5, 1, 0}, {0.5, -1, 0}};
    SimplexMesh around = test::simplices(2, points, {0, 1, 2, 0, 2, 3, 1, 3, 2, 0, 4, 1});
    const Mesh inside = build_mesh(whole(std::move(around)));
    const ThinLayers found = thin_layers(inside, 4);
    EXPECT_NEAR(found.inside.aspect, 50, 1e-10);
    EXPECT_NEAR(found.layer_inside.aspect, 0.98 / 0.5, 1e-12);

    SimplexMesh above = test::simplices(2, points, {0, 1, 2, 0, 2, 3, 1, 3, 2});
    above.points.pop_back();
    above.sides = {0, 1};
    above.side_group = {0};
    above.boundaries = {"low"};
    const Mesh at_side = build_mesh(whole(std::move(above)));
    const ThinLayers low = thin_layers(at_side, 3);
    EXPECT_NEAR(low.at_boundary[0].aspect, 50, 1e-10);
    // of the neighbour: its short side over its height on it, 0.49 over that side
    EXPECT_NEAR(low.layer_at[0].aspect, (0.25 + 0.02 * 0.02) / 0.49, 1e-12);
}

TEST(ThinLayers, OfAspectsAlikeTakeTheFirstPlace) {
    Thinness one{2, {1, 0, 0}, 0, {0, 0, 0}};
    one.include({2 * (1 + 1e-14), {3, 0, 0}, 0, {-1, 0, 0}});
    EXPECT_EQ(one.aspect_place.x, 1);
    one.include({2 * (1 - 1e-14), {0.5, 7, 0}, 0, {0, 0, 0}});
    EXPECT_EQ(one.aspect_place.x, 0.5);
    EXPECT_EQ(one.curved_place.x, 0);
    one.include({2.0001, {8, 0, 0}, 0, {0, 0, 0}});
    EXPECT_EQ(one.aspect_place.x, 8);
}

TEST(ThinLayers, LargerOnesTakeTheirPlaces) {
    Thinness one{2, {1, 0, 0}, 5, {2, 0, 0}};
    one.include({3, {4, 0, 0}, 4, {6, 0, 0}});
    EXPECT_EQ(one.aspect, 3);
    EXPECT_EQ(one.aspect_place.x, 4);
    EXPECT_EQ(one.curved_aspect, 5);
    EXPECT_EQ(one.curved_place.x, 2);
}

}  // namespace
}  // namespace solenoid::mesh_thin_test
