// Pictures: the same on any number of ranks, colours that mean what the bar says, and what
// surrounds them.
#include "view/picture.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <glm/geometric.hpp>
#include <limits>

#include "core/error.hpp"
#include "drawn_pictures.hpp"
#include "support/quadrilaterals.hpp"
#include "view/colour_map.hpp"
#include "view/surface.hpp"
#include "view/ticks.hpp"
#include "view/viewer.hpp"

namespace solenoid::picture_test {
namespace {

using namespace test;

class PictureTest : public testing::Test {
  protected:
    Communicator comm = Communicator::world();
    ScratchFolder folder{comm};
};

TEST_F(PictureTest, IsTheSameOnAnyNumberOfRanks) {
    for (const int dimension : {2, 3})
        for (const bool mesh_lines : {false, true}) {
            PictureSettings settings = picture("body");
            settings.mesh = mesh_lines;
            const auto file =
                draw(comm, on_ranks(comm, dimension), settings, folder / "many", slope);
            if (!comm.is_root()) continue;
            const auto self = Communicator::self();
            const auto reference =
                draw(self, on_ranks(self, dimension), settings, folder / "one", slope);
            ASSERT_FALSE(file.empty());
            EXPECT_GE(fraction_alike(Image(file), Image(reference)), 0.999) << dimension;
        }
}

TEST_F(PictureTest, SurfaceIsTheSameOnAnyNumberOfRanks) {
    for (const int dimension : {2, 3}) {
        const auto mesh = on_ranks(comm, dimension);
        const SurfaceGather gather(comm, SimplexTopology(mesh));
        const auto range = gather.range(at_nodes(mesh, slope));
        EXPECT_DOUBLE_EQ(range[0], dimension == 3 ? 290 : 300);
        EXPECT_DOUBLE_EQ(range[1], 370);
        const auto values = gather.gather(at_nodes(mesh, slope), range[0], range[1]);
        if (!comm.is_root()) continue;
        const auto self = Communicator::self();
        const auto whole = on_ranks(self, dimension);
        const SurfaceGather reference(self, SimplexTopology(whole));
        EXPECT_EQ(gather.surface().triangles, reference.surface().triangles);
        EXPECT_EQ(gather.surface().points, reference.surface().points);
        EXPECT_EQ(values, reference.gather(at_nodes(whole, slope), range[0], range[1]));
    }
}

// Two triangles each; the side between them is no line of the mesh.
TEST_F(PictureTest, QuadrilateralsAreDrawn) {
    using test::Quadrilaterals;
    const auto self = Communicator::self();
    for (const auto form : {Quadrilaterals::Form::distorted, Quadrilaterals::Form::periodic}) {
        const Quadrilaterals mesh(comm, form), whole(self, form);
        const auto values_of = [](const Topology& topology) {
            std::vector<double> values;
            for (Index i = 0; i < topology.range(Kind::node).all; ++i)
                values.push_back(topology.position(i).y);
            return values;
        };
        const std::vector<double> values = values_of(mesh);
        const SurfaceGather gather(comm, mesh);
        const auto [low, high] = gather.range(values);
        const auto drawn = gather.gather(values, low, high);
        PictureSettings settings = picture("quadrilaterals");
        settings.mesh = true;
        Pictures pictures(comm, mesh, {settings}, folder.path());
        pictures.draw(
            {true}, [&](const std::string&) { return std::span<const double>(values); }, {}, true);
        if (!comm.is_root()) continue;
        const Surface& surface = gather.surface();
        ASSERT_EQ(surface.triangles.size(), 40u);
        ASSERT_EQ(surface.points.size(), 30u);
        const SurfaceGather reference(self, whole);
        EXPECT_EQ(surface.triangles, reference.surface().triangles);
        EXPECT_EQ(surface.points, reference.surface().points);
        EXPECT_EQ(surface.creases, reference.surface().creases);
        double area = 0, expected = 0;
        for (Index c = 0; c < 20; ++c) expected += whole.volume(c);
        for (std::size_t t = 0; t < 40; ++t) {
            const auto& [a, b, c] = surface.triangles[t];
            const Vec3 &x = surface.points[a], &y = surface.points[b], &z = surface.points[c];
            area += 0.5 * glm::cross(y - x, z - x).z;
            int within = 0;
            for (int i = 0; i < 3; ++i)
                if (surface.creases[t] >> (3 + i) & 1) {
                    ++within;
                    EXPECT_EQ(surface.creases[t] >> i & 1, 0);
                }
            EXPECT_EQ(within, 1);
        }
        EXPECT_NEAR(area, expected, 1e-13);
        for (std::size_t i = 0; i < 30; ++i)
            EXPECT_NEAR(drawn[i], (surface.points[i].y - low) / (high - low), 1e-6);
        ASSERT_EQ(pictures.files().size(), 1u);
        EXPECT_EQ(Image(pictures.files().front()).width, 600);
    }
}

// The twelve edges of a box are its only creases; every side of the surface is shared by two
// triangles.
TEST_F(PictureTest, SurfaceOfABoxIsClosedWithTwelveEdges) {
    const SurfaceGather gather(comm, SimplexTopology(on_ranks(comm, 3)));
    if (!comm.is_root()) return;
    const Surface& surface = gather.surface();
    EXPECT_EQ(surface.points.size() + surface.triangles.size(),
              3 * surface.triangles.size() / 2 + 2);
    double area = 0, creases = 0;
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const auto corner = [&](int i) { return surface.points[surface.triangles[t][i % 3]]; };
        area += 0.5 * glm::length(glm::cross(corner(1) - corner(0), corner(2) - corner(0)));
        for (int i = 0; i < 3; ++i)
            if (surface.creases[t] >> i & 1)
                creases += 0.5 * glm::length(corner(i + 1) - corner(i + 2));
        for (const glm::vec3& n : surface.normals[t])
            EXPECT_NEAR(std::abs(n.x) + std::abs(n.y) + std::abs(n.z), 1, 1e-5);
    }
    EXPECT_NEAR(area, 6, 1e-9);
    EXPECT_NEAR(creases, 12, 1e-9);
}

TEST_F(PictureTest, ColoursOfALinearFieldAreThoseOfViridis) {
    const auto file = draw(comm, on_ranks(comm, 2), picture("plane"), folder.path(),
                           [](const Vec3& p) { return p.x; });
    if (!comm.is_root()) return;
    const Image image(file);
    EXPECT_EQ(image.width, 600);
    EXPECT_EQ(image.height, 400);
    for (const int x : {0, 599})
        for (const int y : {0, 399}) EXPECT_EQ(image.at(x, y), white);

    const std::uint32_t viridis[] = {0x481a6c, 0x414487, 0x31688e, 0x23888e,
                                     0x22a884, 0x54c568, 0xa5db36};
    const auto [first, end] = body_in_middle_row(image);
    ASSERT_GT(end - first, 150);
    for (int k = 0; k < 7; ++k) {
        const Rgb expected{int(viridis[k] >> 16), int(viridis[k] >> 8 & 255),
                           int(viridis[k] & 255)};
        const int x = static_cast<int>(first + (end - first) * (2 * k + 1) / 15.0);
        EXPECT_LE(distance(image.at(x, image.height / 2), expected), 5) << k;
    }
}

TEST_F(PictureTest, GivenRangeIsKept) {
    PictureSettings settings = picture("range");
    settings.range = {-1.0, 0.5};
    const auto file =
        draw(comm, on_ranks(comm, 2), settings, folder.path(), [](const Vec3& p) { return p.x; });
    if (!comm.is_root()) return;
    const Image image(file);
    const auto [first, end] = body_in_middle_row(image);
    EXPECT_LE(
        distance(image.at(first + 3 * (end - first) / 4, image.height / 2), {0xfd, 0xe7, 0x25}), 2);
}

TEST_F(PictureTest, ValuesThatAreNotNumbersAreMagenta) {
    const auto broken = [](const Vec3& p) {
        const double r = std::hypot(p.x - 0.5, p.y - 0.5);
        return r < 0.15 ? std::numeric_limits<double>::quiet_NaN() : p.x;
    };
    const auto file = draw(comm, on_ranks(comm, 2), picture("broken"), folder.path(), broken);
    if (!comm.is_root()) return;
    const Image image(file);
    const auto [first, end] = body_in_middle_row(image);
    const int y = image.height / 2;
    EXPECT_LE(distance(image.at((first + end) / 2, y), {237, 0, 191}), 2);
    EXPECT_GT(distance(image.at(first + (end - first) / 10, y), {237, 0, 191}), 50);
}

TEST_F(PictureTest, ConstantAndWhollyBrokenFieldsAreDrawn) {
    const auto mesh = on_ranks(comm, 3);
    Pictures pictures(comm, SimplexTopology(mesh), {picture("same")}, folder.path());
    for (const double value : {0.0, 300.0, std::numeric_limits<double>::infinity()}) {
        const std::vector<double> values(mesh.mesh.nodes(), value);
        pictures.draw(
            {true}, [&](const std::string&) { return std::span(values); }, std::nullopt, false);
    }
    EXPECT_EQ(pictures.files().size(), comm.is_root() ? 3u : 0u);
}

TEST_F(PictureTest, ARankMayHoldNothing) {
    DistributedMesh mesh;
    if (comm.is_root()) mesh = on_ranks(Communicator::self(), 3);
    mesh.mesh.dimension = 3;
    const auto file = draw(comm, mesh, picture("lone"), folder / "many", slope);
    if (!comm.is_root()) return;
    const auto reference = draw(Communicator::self(), mesh, picture("lone"), folder / "one", slope);
    EXPECT_GE(fraction_alike(Image(file), Image(reference)), 0.999);
}

TEST_F(PictureTest, StatesAreNumberedAndOnlyThoseDueAreDrawn) {
    const auto mesh = on_ranks(comm, 2);
    PictureSettings other = picture("other");
    other.field = "pressure";
    Pictures pictures(comm, SimplexTopology(mesh), {picture("front"), other}, folder.path());
    const auto values = at_nodes(mesh, slope);
    std::vector<std::string> asked;
    const auto node_values = [&](const std::string& field) {
        asked.push_back(field);
        return std::span(values);
    };
    for (const auto& [time, final] : {std::pair(0.0, false), {1.0, false}, {1.0, true}})
        pictures.draw({true, false}, node_values, time, final);
    EXPECT_EQ(asked, std::vector<std::string>(3, "temperature"));
    if (!comm.is_root()) return;
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "pictures"))
        names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    EXPECT_EQ(names, (std::vector<std::string>{"front.png", "front_0000.png", "front_0001.png"}));
    EXPECT_EQ(pictures.files().size(), 3u);
}

TEST_F(PictureTest, ViewNeedsADisplay) {
    unsetenv("DISPLAY");
    unsetenv("WAYLAND_DISPLAY");
    const auto mesh = on_ranks(comm, 2);
    try {
        Viewer viewer(comm, SimplexTopology(mesh), PictureSettings{}, "test");
        ADD_FAILURE() << "a window without a display";
    } catch (const Error& error) {
        EXPECT_EQ(error.exit_code(), 2);
        EXPECT_NE(std::string(error.what()).find("--view needs a display"), std::string::npos)
            << error.what();
    }
}

TEST(Ticks, AreRoundNumbersWithinTheRange) {
    const Ticks ticks = nice_ticks(293.15, 412.7, 6);
    EXPECT_EQ(ticks.labels, (std::vector<std::string>{"300", "320", "340", "360", "380", "400"}));
    EXPECT_EQ(ticks.exponent, 0);
    EXPECT_EQ(nice_ticks(-0.1, 0.25, 4).labels,
              (std::vector<std::string>{"-0.1", "0.0", "0.1", "0.2"}));
    EXPECT_EQ(nice_ticks(0, 3e6, 3).labels, (std::vector<std::string>{"0", "1", "2", "3"}));
    EXPECT_EQ(nice_ticks(0, 3e6, 3).exponent, 6);
    EXPECT_TRUE(nice_ticks(1, 1, 5).values.empty());
}

}  // namespace
}  // namespace solenoid::picture_test
