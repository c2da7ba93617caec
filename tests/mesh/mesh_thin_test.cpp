// Aspects of cells at boundaries, and how far curved walls turn along one.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>

#include "mesh/mesh_fixtures.hpp"
#include "mesh/thin_layers.hpp"

namespace solenoid::mesh_thin_test {
namespace {

// n columns of width `width` and rows of the heights, two triangles each, at place(x, y); whether
// the last column meets the first.
template <class Place>
Mesh rows_of(int n, const std::vector<double>& heights, bool is_closed, const Place& place) {
    SimplexMesh mesh;
    mesh.dimension = 2;
    const int columns = is_closed ? n : n + 1;
    double y = 0;
    for (std::size_t j = 0; j <= heights.size(); ++j) {
        for (int i = 0; i < columns; ++i) mesh.points.push_back(place(double(i), y));
        if (j < heights.size()) y += heights[j];
    }
    const auto node = [&](int i, std::size_t j) { return Index(j * columns + i % columns); };
    for (std::size_t j = 0; j < heights.size(); ++j)
        for (int i = 0; i < n; ++i) {
            const Index a = node(i, j), b = node(i + 1, j), c = node(i + 1, j + 1),
                        d = node(i, j + 1);
            mesh.cells.insert(mesh.cells.end(), {a, b, c, a, c, d});
        }
    mesh.cell_region.assign(mesh.cell_count(), 0);
    mesh.regions = {"all"};
    mesh.boundaries = {"low", "high", "ends"};
    for (int i = 0; i < n; ++i) {
        mesh.sides.insert(mesh.sides.end(), {node(i, 0), node(i + 1, 0)});
        mesh.sides.insert(mesh.sides.end(), {node(i, heights.size()), node(i + 1, heights.size())});
        mesh.side_group.insert(mesh.side_group.end(), {0, 1});
    }
    for (std::size_t j = 0; j < heights.size() && !is_closed; ++j)
        for (const int i : {0, n}) {
            mesh.sides.insert(mesh.sides.end(), {node(i, j), node(i, j + 1)});
            mesh.side_group.push_back(2);
        }
    check_and_repair(mesh, "rows");
    return build_mesh(whole(std::move(mesh)));
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
