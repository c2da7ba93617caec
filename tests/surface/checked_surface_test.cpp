// The check of surfaces: what is refused, with its place; what is mended; edges, parts and borders.
#include "surface/checked_surface.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "core/error.hpp"
#include "surface/sample_surfaces.hpp"

namespace solenoid::checked_surface_test {
namespace {

std::string refusal(const TriangleSurface& surface) {
    try {
        check_surface(surface, "body.stl");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void expect_refused(const TriangleSurface& surface, const std::vector<std::string>& words) {
    const std::string message = refusal(surface);
    EXPECT_TRUE(message.starts_with("body.stl: ")) << message;
    EXPECT_EQ(message.find('\n'), message.npos) << message;
    for (const std::string& word : words) EXPECT_NE(message.find(word), message.npos) << message;
}

TriangleSurface tetrahedron() {
    return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
            {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
}

TEST(CheckedSurface, CountsWhatASphereHas) {
    const CheckedSurface checked = check_surface(sphere_surface(5), "body.stl");
    EXPECT_EQ(checked.surface.triangles.size(), 500u);
    EXPECT_EQ(checked.surface.points.size(), 252u);  // Euler: V - E + F = 2
    EXPECT_EQ(checked.edges.size(), 750u);
    EXPECT_EQ(checked.parts(), 1u);
    EXPECT_TRUE(checked.is_closed());
    EXPECT_EQ(checked.turned, 0u);
    EXPECT_GT(volume_of(checked.surface), 4.0);
    EXPECT_EQ(words_of(checked), "500 triangles and 252 points in 1 part, closed");
}

TEST(CheckedSurface, EdgesHaveTheirOppositeCorners) {
    const CheckedSurface checked = check_surface(test::tube(6, 2, 1), "body.stl");
    EXPECT_EQ(checked.borders, 2u);
    std::size_t on_border = 0;
    for (const auto& [a, b, left, right] : checked.edges) {
        std::set<std::set<Index>> triangles;
        for (const auto& t : checked.surface.triangles) triangles.insert({t[0], t[1], t[2]});
        EXPECT_TRUE(triangles.contains({a, b, left}));
        if (right == none)
            ++on_border;
        else
            EXPECT_TRUE(triangles.contains({a, b, right}));
        if (right == none) {
            EXPECT_TRUE(checked.is_border[a] && checked.is_border[b]);
        }
    }
    EXPECT_EQ(on_border, 12u);
    EXPECT_EQ(std::count(checked.is_border.begin(), checked.is_border.end(), true), 12);
}

TEST(CheckedSurface, OrientsTrianglesAsMostAre) {
    TriangleSurface sphere = sphere_surface(3);
    for (const Index t : {4u, 50u, 51u, 179u})
        std::swap(sphere.triangles[t][0], sphere.triangles[t][1]);
    const CheckedSurface checked = check_surface(sphere, "body.stl");
    EXPECT_EQ(checked.turned, 4u);
    EXPECT_NEAR(volume_of(checked.surface), volume_of(sphere_surface(3)), 1e-12);
    EXPECT_NE(words_of(checked).find("4 triangles turned"), std::string::npos);
}

TEST(CheckedSurface, CountsPartsAndLeavesPointsOut) {
    TriangleSurface two = tetrahedron();
    for (const Vec3& p : tetrahedron().points) two.points.push_back(p + Vec3(5, 0, 0));
    two.points.insert(two.points.begin(), Vec3(9, 9, 9));  // of no triangle
    for (auto& t : two.triangles) t = {t[0] + 1, t[1] + 1, t[2] + 1};
    for (const auto& [a, b, c] : tetrahedron().triangles)
        if (a != 2) two.triangles.push_back({a + 5, b + 5, c + 5});
    const CheckedSurface checked = check_surface(two, "body.stl");
    EXPECT_EQ(checked.unused, 1u);
    EXPECT_EQ(checked.parts(), 2u);
    EXPECT_TRUE(checked.part_is_closed[0]);
    EXPECT_FALSE(checked.part_is_closed[1]);
    EXPECT_EQ(checked.borders, 1u);
    EXPECT_EQ(checked.part_of_point[7], 1u);
}

TEST(CheckedSurface, RefusesWhatIsNoSurface) {
    expect_refused({}, {"no triangles"});
    expect_refused({{{0, 0, 0}}, {}}, {"no triangles"});

    TriangleSurface bad = tetrahedron();
    bad.triangles[2][1] = 4;
    expect_refused(bad, {"triangle 3 has the point 5", "4 points"});

    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e200}) {
        bad = tetrahedron();
        bad.points[1].y = value;
        expect_refused(bad, {"point 2 at (1, ", "not finite"});
    }

    bad = tetrahedron();  // a corner twice
    bad.triangles.push_back({1, 1, 3});
    expect_refused(bad, {"triangle 5 with its centroid at (0.666667, 0, 0.333333)", "no area"});
    bad = tetrahedron();  // corners on a line
    bad.points.push_back({0.5, 0, 0});
    bad.triangles.push_back({0, 4, 1});
    expect_refused(bad, {"triangle 5", "no area"});
    expect_refused({{{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {{0, 1, 2}}}, {"no extent"});

    bad = tetrahedron();  // a wall inside
    bad.points.push_back({0.2, 0.2, 0.3});
    bad.triangles.push_back({0, 1, 4});
    expect_refused(bad, {"the edge between point 1 at (0, 0, 0) and point 2 at (1, 0, 0)",
                         "in 3 triangles, 1, 2 and 5"});
}

TEST(CheckedSurface, RefusesFansThatTouch) {
    // two tetrahedra with a corner in common
    TriangleSurface bad = tetrahedron();
    for (const Vec3& p : {Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 0, -1)}) bad.points.push_back(p);
    const auto of = [](Index i) { return i == 0 ? 0 : i + 3; };
    for (const auto& [a, b, c] : tetrahedron().triangles)
        bad.triangles.push_back({of(a), of(c), of(b)});
    expect_refused(bad, {"at point 1 at (0, 0, 0)", "3 of its 6 triangles are one fan"});
    // two open fans: a bow tie
    expect_refused(
        {{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {-1, 0, 0}, {-1, -1, 0}}, {{0, 1, 2}, {0, 3, 4}}},
        {"at point 1", "1 of its 2"});
    // a closed fan and an open one
    bad = tetrahedron();
    bad.points.push_back({-1, 0, 0});
    bad.points.push_back({-1, -1, 0});
    bad.triangles.push_back({0, 4, 5});
    expect_refused(bad, {"at point 1", "3 of its 4"});
}

TEST(CheckedSurface, RefusesASurfaceWithOneSide) {
    const int count = 9;
    TriangleSurface strip;
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * std::acos(-1.0) * i / count;
        for (const double s : {-0.3, 0.3})
            strip.points.emplace_back((1 + s * std::cos(angle / 2)) * std::cos(angle),
                                      (1 + s * std::cos(angle / 2)) * std::sin(angle),
                                      s * std::sin(angle / 2));
    }
    for (Index i = 0; i < count; ++i) {
        const bool is_last = i + 1 == count;
        const Index a = 2 * i, b = a + 1, c = is_last ? 1 : a + 2, d = is_last ? 0 : a + 3;
        strip.triangles.push_back({a, b, c});
        strip.triangles.push_back({b, d, c});
    }
    expect_refused(strip, {"one side only", "the edge between point"});
}

TEST(Merge, MakesEqualPointsOne) {
    const TriangleSurface sphere = sphere_surface(3);
    TriangleSurface apart;
    for (const auto& t : sphere.triangles) {
        const auto first = static_cast<Index>(apart.points.size());
        for (const Index corner : t) apart.points.push_back(sphere.points[corner]);
        apart.triangles.push_back({first, first + 1, first + 2});
    }
    apart.points[0] += Vec3(0.0);
    for (Vec3& p : apart.points)
        if (p.x == 0) p.x = -p.x;  // -0 is 0
    merge_equal_points(apart);
    EXPECT_EQ(apart.points.size(), sphere.points.size());
    EXPECT_TRUE(check_surface(apart, "body.stl").is_closed());
}

TEST(Curvature, IsThatOfASphere) {
    TriangleSurface sphere = sphere_surface(8);
    for (Vec3& p : sphere.points) p *= 4.0;
    for (const double curvature : curvatures_of(sphere)) EXPECT_NEAR(curvature, 0.5, 0.002);
    TriangleSurface irregular = test::random_sphere(8);  // with obtuse triangles, for which it is
    for (Vec3& p : irregular.points) p *= 4.0;           // right in the mean
    double sum = 0;
    for (const double curvature : curvatures_of(irregular)) sum += curvature;
    EXPECT_NEAR(sum / double(irregular.points.size()), 0.5, 0.005);
    for (auto& t : sphere.triangles) std::swap(t[0], t[1]);
    EXPECT_NEAR(curvatures_of(sphere)[0], -0.5, 0.002);
}

}  // namespace
}  // namespace solenoid::checked_surface_test
