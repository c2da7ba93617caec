// Height fields: their scale, what the camera holds, light, bodies on them, and the places of the
// surface under the mouse.
#include "view/height_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <limits>
#include <numbers>

#include "core/state_values.hpp"
#include "drawn_pictures.hpp"
#include "support/quadrilaterals.hpp"
#include "view/colour_map.hpp"
#include "view/controls.hpp"
#include "view/scene.hpp"

namespace solenoid::height_field_test {
namespace {

using namespace test;

constexpr double pi = std::numbers::pi;

double round_wave(const Vec3& p) {
    const double r = std::hypot(p.x - 0.4, p.y - 0.5);
    return 0.5 * std::cos(30 * r) * std::exp(-2 * r);
}
double plane_wave(const Vec3& p) { return std::sin(20 * p.x); }

PictureSettings raised_picture(const std::string& name) {
    PictureSettings settings = picture(name);
    settings.height_of = settings.field;
    return settings;
}

struct Box {
    int left = 100000, right = -1, top = 100000, bottom = -1, count = 0;
    int width() const { return right - left + 1; }
    int height() const { return bottom - top + 1; }
};
template <class Function>  // of x and y
Box where(const Image& image, const Function& is_one) {
    Box box;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (is_one(x, y)) {
                box.left = std::min(box.left, x);
                box.right = std::max(box.right, x);
                box.top = std::min(box.top, y);
                box.bottom = std::max(box.bottom, y);
                ++box.count;
            }
    return box;
}

class HeightFieldTest : public testing::Test {
  protected:
    Communicator comm = Communicator::world();
    Communicator self = Communicator::self();
    ScratchFolder folder{comm};
};

// ---- scale

TEST(HeightFrame, IsKeptUntilAValueLeavesIt) {
    HeightFrame frame;
    EXPECT_EQ(frame.scale(4), 0);
    frame.include({2, 2});
    EXPECT_EQ(frame.scale(4), 0);  // nothing rises over anything
    frame.include({1, 1.5});
    EXPECT_NEAR(frame.scale(4), 0.15 * 4 / 1, 1e-14);
    EXPECT_EQ(frame.held(), (std::array<double, 2>{0.5, 2.5}));
    for (const auto& within : {std::array<double, 2>{0.5, 2.5}, {1.1, 1.2}, {0.6, 2}}) {
        frame.include(within);
        EXPECT_NEAR(frame.scale(4), 0.15 * 4 / 1, 1e-14);
        EXPECT_EQ(frame.held(), (std::array<double, 2>{0.5, 2.5}));
    }
    frame.include({0, 1});
    EXPECT_NEAR(frame.scale(4), 0.15 * 4 / 2, 1e-14);
    EXPECT_EQ(frame.held(), (std::array<double, 2>{-1, 3}));
    frame.include({0, 4});
    EXPECT_NEAR(frame.scale(4), 0.15 * 4 / 4, 1e-14);
    HeightFrame again;  // of a run that goes on
    again.set_range(frame.range());
    EXPECT_EQ(again.held(), frame.held());
    HeightFrame given(7);
    given.include({0, 1e-3});
    EXPECT_EQ(given.scale(4), 7);
}

// z = scale * value, but for a shift that is the same everywhere.
TEST_F(HeightFieldTest, HeightsAreScaleTimesValue) {
    const auto mesh = on_ranks(comm, 2);
    const SurfaceGather gather(comm, SimplexTopology(mesh));
    const auto values = at_nodes(mesh, round_wave);
    for (const double scale : {0.0, 0.02, 3.0}) {
        PictureSettings settings = raised_picture("heights");
        HeightFrame frame(scale > 0 ? std::optional(scale) : std::nullopt);
        const Scene scene =
            scene_of(gather, {values, values, settings.height_of}, settings, frame, {});
        if (!comm.is_root()) continue;
        const Surface& surface = gather.surface();
        const auto [low, high] = *frame.range();
        const double expected = scale > 0 ? scale : 0.15 / (high - low);
        EXPECT_NEAR(scene.height_scale, expected, 1e-12);
        EXPECT_NEAR(scene.heights.thickness, 2 * expected * (high - low), 1e-12);
        for (Index i = 0; i < surface.points.size(); ++i)
            ASSERT_NEAR(scene.heights.z_of_point(i),
                        expected * (round_wave(surface.points[i]) - 0.5 * (low + high)),
                        1e-6 * expected);
    }
}

// Grids and meshes of quadrilaterals, too: two triangles each, on each side of a periodic mesh.
TEST_F(HeightFieldTest, QuadrilateralsHaveHeights) {
    for (const auto form : {Quadrilaterals::Form::distorted, Quadrilaterals::Form::periodic}) {
        const Quadrilaterals mesh(comm, form);
        std::vector<double> values;
        for (Index i = 0; i < mesh.range(Kind::node).all; ++i)
            values.push_back(3 * mesh.position(i).y);
        const SurfaceGather gather(comm, mesh);
        const PictureSettings settings = raised_picture("grid");
        HeightFrame frame(0.25);
        const Scene scene =
            scene_of(gather, {values, values, settings.height_of}, settings, frame, {});
        Pictures pictures(comm, mesh, {settings}, folder.path());
        pictures.draw(
            {true}, [&](const std::string&) { return std::span<const double>(values); }, {}, true);
        if (!comm.is_root()) continue;
        EXPECT_EQ(pictures.files().size(), 1u);
        const Surface& surface = gather.surface();
        ASSERT_EQ(surface.points.size(), 30u);
        const auto [low, high] = *frame.range();
        for (Index i = 0; i < 30; ++i)
            EXPECT_NEAR(surface.scale() * scene.heights.z_of_point(i),
                        0.25 * (3 * surface.points[i].y - 0.5 * (low + high)), 1e-6);
    }
}

// ---- the camera

TEST_F(HeightFieldTest, EverythingIsInTheLayoutsPlotAndNothingIsClipped) {
    const auto mesh = on_ranks(self, 2);
    const SurfaceGather gather(self, SimplexTopology(mesh));
    const Surface& surface = gather.surface();
    const auto values = at_nodes(mesh, round_wave);
    for (const double scale : {0.01, 0.2, 1.0, 40.0})
        for (const auto& direction : {std::optional<Vec3>(), std::optional(Vec3(1, 0.2, -0.3)),
                                      std::optional(Vec3(0, 0, -1))}) {
            PictureSettings settings = raised_picture("heights");
            settings.direction = direction;
            HeightFrame frame(scale);
            const Scene scene =
                scene_of(gather, {values, values, settings.height_of}, settings, frame, {});
            const FigureLayout layout =
                lay_out(surface, hull_of(surface), settings, scene.caption,
                        Relief{scene.heights.rise, scene.heights.thickness, "words"});
            EXPECT_TRUE(layout.camera.perspective);
            EXPECT_FALSE(layout.axes);
            EXPECT_LT(layout.plot.bottom(), settings.height - 3 * layout.letter);
            const glm::dmat4 clip = layout.camera.clip(layout.plot, 600, 400);
            Box box;
            for (Index i = 0; i < surface.points.size(); ++i) {
                Vec3 p = surface.drawn(surface.points[i]);
                p.z += scene.heights.z_of_point(i);
                const glm::dvec4 seen = clip * glm::dvec4(p, 1);
                ASSERT_GT(seen.w, 0);
                ASSERT_LT(std::abs(seen.z / seen.w), 1);
                const double x = 300 * (1 + seen.x / seen.w), y = 200 * (1 - seen.y / seen.w);
                ASSERT_GT(x, layout.plot.x - 1e-6);
                ASSERT_LT(x, layout.plot.right() + 1e-6);
                ASSERT_GT(y, layout.plot.y - 1e-6);
                ASSERT_LT(y, layout.plot.bottom() + 1e-6);
            }
        }
}

// What holds the hull holds all points.
TEST_F(HeightFieldTest, AHullIsTheSmallestConvexPolygon) {
    const auto mesh = on_ranks(self, 2);
    const SurfaceGather gather(self, SimplexTopology(mesh));
    const std::vector<Vec3> hull = hull_of(gather.surface());
    ASSERT_EQ(hull.size(), 6u);  // a square's; its first and last corner twice
    for (const Vec3& corner : hull) {
        EXPECT_EQ(std::abs(corner.x), 0.5);
        EXPECT_EQ(std::abs(corner.y), 0.5);
    }
}

// ---- colours

// A field of one colour over waves: light takes it to between half of it and all, and adds less
// than a quarter of white.
TEST_F(HeightFieldTest, LightChangesAColourNoMoreThanDocumented) {
    const auto mesh = on_ranks(comm, 2);
    PictureSettings settings = picture("light");
    settings.height_of = "displacement";
    settings.range = {-1.0, 1.0};
    Pictures pictures(comm, SimplexTopology(mesh), {settings}, folder.path());
    const auto flat = at_nodes(mesh, [](const Vec3&) { return 0.0; });
    const auto waves = at_nodes(mesh, round_wave);
    pictures.draw(
        {true},
        [&](const std::string& field) { return std::span(field == "displacement" ? waves : flat); },
        1.5, true);
    if (!comm.is_root()) return;
    const Image image(pictures.files().front());
    const Colour middle = 255.0 * colour_of(0.5);
    int darkest = 255, brightest = 0, count = 0;
    for (int y = 120; y < 220; ++y)  // within the surface
        for (int x = 150; x < 300; ++x) {
            const Rgb c = image.at(x, y);
            const int seen[] = {c.r, c.g, c.b};
            for (int k = 0; k < 3; ++k) {
                ASSERT_GE(seen[k], 0.5 * middle[k] - 2) << x << ' ' << y;
                ASSERT_LE(seen[k], middle[k] + 0.22 * (255 - middle[k]) + 2) << x << ' ' << y;
            }
            darkest = std::min(darkest, c.g);
            brightest = std::max(brightest, c.g);
            ++count;
        }
    EXPECT_EQ(count, 15000);
    EXPECT_GT(brightest - darkest, 50);  // waves show
}

// It comes from the left and from behind.
TEST_F(HeightFieldTest, SlopesTowardsTheLightAreBrighter) {
    const auto mesh = on_ranks(comm, 2);
    PictureSettings settings = picture("slopes");
    settings.height_of = "displacement";
    settings.height_scale = 0.4;
    settings.range = {-1.0, 1.0};
    Pictures pictures(comm, SimplexTopology(mesh), {settings}, folder.path());
    const auto flat = at_nodes(mesh, [](const Vec3&) { return 0.0; });
    std::vector<double> brightness;
    for (const Vec3& up : {Vec3(1, 0, 0), Vec3(-1, 0, 0), Vec3(0, -1, 0), Vec3(0, 1, 0)}) {
        const auto heights = at_nodes(mesh, [&](const Vec3& p) { return glm::dot(up, p); });
        pictures.draw(
            {true},
            [&](const std::string& f) { return std::span(f == "displacement" ? heights : flat); },
            {}, false);
        if (!comm.is_root()) continue;
        const Image image(pictures.files().back());
        brightness.push_back(0);
        for (int y = 170; y < 190; ++y)
            for (int x = 220; x < 240; ++x) brightness.back() += image.at(x, y).g / 400.0;
    }
    if (!comm.is_root()) return;
    EXPECT_GT(brightness[0], brightness[1] + 15);
    EXPECT_GT(brightness[2], brightness[3] + 15);
}

TEST_F(HeightFieldTest, PicturesAreTheSameOnAnyNumberOfRanks) {
    const auto file =
        draw(comm, on_ranks(comm, 2), raised_picture("waves"), folder / "many", round_wave);
    if (!comm.is_root()) return;
    const auto reference =
        draw(self, on_ranks(self, 2), raised_picture("waves"), folder / "one", round_wave);
    ASSERT_FALSE(file.empty());
    EXPECT_GE(fraction_alike(Image(file), Image(reference)), 0.999);
}

TEST_F(HeightFieldTest, HeightsThatAreNoNumbersAreMagenta) {
    const auto broken = [](const Vec3& p) {
        return p.x < 0.5 ? std::numeric_limits<double>::quiet_NaN() : p.x;
    };
    const auto mesh = on_ranks(comm, 2);
    PictureSettings settings = picture("broken");
    settings.height_of = "displacement";
    Pictures pictures(comm, SimplexTopology(mesh), {settings}, folder.path());
    const auto colours = at_nodes(mesh, slope), heights = at_nodes(mesh, broken);
    pictures.draw(
        {true},
        [&](const std::string& f) { return std::span(f == "displacement" ? heights : colours); },
        {}, true);
    if (!comm.is_root()) return;
    const Image image(pictures.files().front());
    const Box box = where(image, [&](int x, int y) {
        const Rgb c = image.at(x, y);
        return c.r > 100 && c.g < 50 && c.b > 80;
    });
    EXPECT_GT(box.count, 3000);
}

// A picture of a run that goes on has the scale of the one before.
TEST_F(HeightFieldTest, TheScaleIsKeptOverAFilmAndARestart) {
    const auto mesh = on_ranks(comm, 2);
    const SimplexTopology topology(mesh);
    const auto high = at_nodes(mesh, round_wave);
    std::vector<double> low = high;
    for (double& one : low) one *= 0.25;
    const auto drawn = [&](const std::string& name, std::vector<const std::vector<double>*> states,
                           const std::vector<StateArray>* loaded) {
        Pictures pictures(comm, topology, {raised_picture("film")}, folder / name);
        StateRegistry registry;
        pictures.register_state(StateValues(registry));
        if (loaded) {
            std::vector<std::string> names;
            for (const StateArray& one : *loaded) names.push_back(one.name);
            registry.load(names, [&](const StateArray& wanted) {
                return *std::ranges::find(*loaded, wanted.name, &StateArray::name);
            });
        }
        for (const auto* state : states)
            pictures.draw(
                {true}, [&](const std::string&) { return std::span(*state); }, 0, false);
        return std::pair(
            pictures.files().empty() ? std::filesystem::path() : pictures.files().back(),
            registry.save());
    };
    const auto [whole, after_both] = drawn("whole", {&high, &low}, nullptr);
    const auto [first, state] = drawn("first", {&high}, nullptr);
    const auto [second, unused] = drawn("second", {&low}, &state);
    const auto [anew, unused_too] = drawn("anew", {&low}, nullptr);
    if (!comm.is_root()) return;
    EXPECT_EQ(second.filename(), "film_0001.png");
    EXPECT_EQ(fraction_alike(Image(whole), Image(second)), 1);
    EXPECT_LT(fraction_alike(Image(whole), Image(anew)), 0.9);
}

// ---- places

TEST_F(HeightFieldTest, ThePlaceUnderAPixelIsWhereThePixelIs) {
    const auto mesh = on_ranks(self, 2);
    const SurfaceGather gather(self, SimplexTopology(mesh));
    const Surface& surface = gather.surface();
    const auto values = at_nodes(mesh, plane_wave);
    PictureSettings settings = raised_picture("heights");
    settings.direction = Vec3(0.2, 0.3, -1);  // steep: no wave hides another
    HeightFrame frame;
    const Scene scene = scene_of(gather, {values, values, settings.height_of}, settings, frame, {});
    const FigureLayout layout = lay_out(surface, hull_of(surface), settings, scene.caption,
                                        Relief{scene.heights.rise, scene.heights.thickness, ""});
    const glm::dmat4 clip = layout.camera.clip(layout.plot, 600, 400);
    int found = 0;
    for (const auto& t : surface.triangles) {
        Vec3 drawn(0), at(0);
        for (const Index n : t) {
            drawn +=
                (surface.drawn(surface.points[n]) + Vec3(0, 0, scene.heights.z_of_point(n))) / 3.0;
            at += surface.points[n] / 3.0;
        }
        const glm::dvec4 seen = clip * glm::dvec4(drawn, 1);
        const auto place =
            point_under(surface, scene.heights, clip, seen.x / seen.w, seen.y / seen.w);
        ASSERT_TRUE(place);
        EXPECT_LT(glm::distance(*place, at), 1e-6);
        const auto z = z_at(surface, scene.heights, at);
        ASSERT_TRUE(z);
        EXPECT_NEAR(*z, drawn.z, 1e-9);
        ++found;
    }
    EXPECT_GT(found, 1000);
    EXPECT_FALSE(point_under(surface, scene.heights, clip, 0.99, 0.99));
    EXPECT_FALSE(z_at(surface, scene.heights, Vec3(1.1, 0.5, 0)));
}

// Of a roof the slope in front hides the one behind.
TEST(HeightField, TheNearerOfTwoPlacesCounts) {
    Surface surface;
    surface.dimension = 2;
    surface.points = {{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {0, 0.5, 0}, {1, 1, 0}, {0, 1, 0}};
    surface.triangles = {{0, 1, 2}, {0, 2, 3}, {3, 2, 4}, {3, 4, 5}};
    surface.high = Vec3(1, 1, 0);
    const Heights roof{{0, 0, 1, 1, 0, 0}, 1, 1};
    for (const double from : {-1.0, 1.0}) {
        Camera camera;
        camera.orientation = look_along(Vec3(0, -from, 0));
        camera.perspective = false;
        camera.eye = Vec3(0, 0, 2);
        const auto place =
            point_under(surface, roof, camera.clip({0, 0, 100, 100}, 100, 100), 0.25, 0.2);
        ASSERT_TRUE(place);
        EXPECT_NEAR(place->x, 0.5 - 0.25 * from, 1e-12);
        EXPECT_NEAR(place->y, 0.5 + 0.15 * from, 1e-12);
    }
}

// ---- bodies

TEST_F(HeightFieldTest, AShipHasItsSizeHeadingAndPlace) {
    const auto mesh = on_ranks(comm, 2);
    Pictures pictures(comm, SimplexTopology(mesh), {picture("flat")}, folder.path());
    const auto values = at_nodes(mesh, [](const Vec3& p) { return p.x; });
    const auto draw_with = [&](const std::vector<Marker>& markers) {
        pictures.draw(
            {true}, [&](const std::string&) { return std::span(values); }, {}, false, markers);
        return comm.is_root() ? pictures.files().back() : std::filesystem::path();
    };
    const auto empty = draw_with({});
    const auto east = draw_with({{.position = {0.4, 0.6, 0}, .length = 0.4, .width = 0.1}});
    const auto north =
        draw_with({{.position = {0.4, 0.6, 0}, .heading = pi / 2, .length = 0.4, .width = 0.1}});
    const auto beside = draw_with({{.position = {1.4, 0.6, 0}, .length = 0.4, .width = 0.1}});
    const auto square =
        draw_with({{.position = {0.4, 0.6, 0},
                    .length = 0.2,
                    .width = 0.2,
                    .polygons = {{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}}}}});
    if (!comm.is_root()) return;
    EXPECT_EQ(fraction_alike(Image(empty), Image(beside)), 1);
    const Image plain(empty);
    const auto [first, end] = body_in_middle_row(plain);
    const double metre = end - first;  // [pixels]
    const auto changed = [&](const Image& image) {
        return where(image,
                     [&](int x, int y) { return distance(image.at(x, y), plain.at(x, y)) > 40; });
    };
    const Image image(east);
    const Box a = changed(image), b = changed(Image(north)), c = changed(Image(square));
    EXPECT_NEAR(a.width(), 0.4 * metre, 6);
    EXPECT_NEAR(a.height(), 0.1 * metre, 6);
    EXPECT_NEAR(b.width(), 0.1 * metre, 6);
    EXPECT_NEAR(b.height(), 0.4 * metre, 6);
    EXPECT_NEAR(c.width(), 0.2 * metre, 5);
    EXPECT_NEAR(c.height(), 0.2 * metre, 5);
    EXPECT_NEAR(0.5 * (a.left + a.right), first + 0.4 * metre, 4);
    EXPECT_NEAR(0.5 * (b.left + b.right), first + 0.4 * metre, 4);
    // the bow is narrower than the stern: the middle of all its pixels is aft
    const int middle = (a.left + a.right) / 2;
    const int fore = where(image, [&](int x, int y) {
                         return x > middle && distance(image.at(x, y), plain.at(x, y)) > 40;
                     }).count;
    EXPECT_GT(a.count - fore, 1.1 * fore);
}

TEST_F(HeightFieldTest, AShipFloatsOnTheWave) {
    const auto mesh = on_ranks(self, 2);
    const SurfaceGather gather(self, SimplexTopology(mesh));
    const auto values = at_nodes(mesh, [](const Vec3& p) { return p.x; });
    PictureSettings settings = raised_picture("heights");
    HeightFrame frame(0.5);
    const Scene scene = scene_of(gather, {values, values, settings.height_of}, settings, frame, {});
    const Marker ship{.position = {0.75, 0.5, 3}, .length = 0.2, .width = 0.1};
    const auto bodies = bodies_of({ship, {.position = {2, 0, 0}}}, gather.surface(), scene.heights);
    ASSERT_FALSE(bodies.empty());
    double low = 1, high = -1;
    for (const BodyTriangle& t : bodies) {
        const Vec3 n = glm::cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]);
        EXPECT_NEAR(glm::dot(n, t.normal), glm::length(n), 1e-12);  // outward
        EXPECT_EQ(t.is_deck, t.normal.z > 0.5);
        for (const Vec3& p : t.corners) {
            low = std::min(low, p.z);
            high = std::max(high, p.z);
            EXPECT_LE(std::abs(p.x - 0.25), 0.1 + 1e-12);
            EXPECT_LE(std::abs(p.y), 0.05 + 1e-12);
        }
    }
    const double water = 0.5 * (0.75 - 0.5);
    EXPECT_LT(low, water);
    EXPECT_GT(high, water);
    EXPECT_NEAR(high - low, 0.08, 1e-6);
}

// ---- mouse and keys

TEST(Controls, DoWhatTheirHelpSays) {
    using Key = Controls::Key;
    Controls controls(true, false);
    EXPECT_FALSE(controls.is_raised());
    controls.press(Key::heights);
    EXPECT_TRUE(controls.is_raised());
    controls.press(Key::higher);
    controls.press(Key::higher);
    EXPECT_GT(controls.exaggeration(), 1.5);
    controls.press(Key::lower);
    controls.press(Key::lower);
    EXPECT_NEAR(controls.exaggeration(), 1, 1e-12);
    controls.press(Key::heights);
    EXPECT_FALSE(controls.is_raised());
    controls.press(Key::help);
    EXPECT_TRUE(controls.shows_help());
    EXPECT_TRUE(controls.take().is_empty());

    controls.press(Key::pause);
    controls.press(Key::initial);
    controls.set_held(Controls::Arrow::left, true);
    controls.set_held(Controls::Arrow::down, true);
    controls.click({Vec3(1, 2, 0), 0.5, -3});
    const ViewRequests asked = ViewRequests::of(controls.take().packed());
    EXPECT_TRUE(asked.is_paused);
    EXPECT_TRUE(asked.resets);
    EXPECT_EQ(asked.turning, 1);
    EXPECT_EQ(asked.faster, -1);
    ASSERT_EQ(asked.pushes.size(), 1u);
    EXPECT_EQ(asked.pushes[0].at, Vec3(1, 2, 0));
    EXPECT_EQ(asked.pushes[0].radius, 0.5);
    EXPECT_EQ(asked.pushes[0].height, -3);
    const ViewRequests then = controls.take();
    EXPECT_TRUE(then.is_paused);  // until the key again
    EXPECT_EQ(then.turning, 1);   // held
    EXPECT_FALSE(then.resets);
    EXPECT_TRUE(then.pushes.empty());
    controls.press(Key::pause);
    controls.set_held(Controls::Arrow::left, false);
    controls.set_held(Controls::Arrow::down, false);
    EXPECT_TRUE(controls.take().is_empty());
    EXPECT_TRUE(ViewRequests::of({}).is_empty());
}

TEST(Controls, ABodyHasNoHeights) {
    Controls controls(false, true);
    EXPECT_FALSE(controls.is_raised());
    controls.press(Controls::Key::heights);
    EXPECT_FALSE(controls.is_raised());
}

TEST(Controls, MoveTheCamera) {
    Controls controls(true, true);
    const Camera camera;
    controls.move(0.1, 0, true, false, true);
    EXPECT_FALSE(controls.is_moved());  // turned
    EXPECT_NEAR(controls.moved(camera).orientation.right.y, -std::sin(0.4), 1e-12);
    controls.move(0, 0.1, true, false, true);
    EXPECT_NEAR(controls.moved(camera).orientation.right.z, 0, 1e-12);  // level
    EXPECT_NEAR(controls.moved(camera).orientation.back.z, std::cos(0.4), 1e-12);
    Controls body(false, false);
    body.move(0.1, 0, true, false, true);
    EXPECT_NEAR(body.moved(camera).orientation.back.x, -std::sin(0.4), 1e-12);
    controls.press(Controls::Key::view);
    EXPECT_EQ(controls.moved(camera).orientation.back, camera.orientation.back);
    controls.move(0.1, 0.2, false, true, true);
    controls.scroll(1);
    EXPECT_TRUE(controls.is_moved());
    EXPECT_NEAR(controls.moved(camera).half[0], 1 / 1.1, 1e-12);
    EXPECT_NEAR(controls.moved(camera).eye.x, -0.2 / 1.1, 1e-12);
    EXPECT_NEAR(controls.moved(camera).eye.y, 0.4 / 1.1, 1e-12);
}

TEST(Controls, HelpIsDrawn) {
    Canvas canvas(600, 400);
    draw_help(canvas, 9);
    std::size_t opaque = 0;
    for (std::size_t i = 3; i < canvas.rgba().size(); i += 4) opaque += canvas.rgba()[i] == 255;
    EXPECT_GT(opaque, 50000u);
    EXPECT_EQ(canvas.rgba()[4 * (600 * 399 + 599) + 3], 0);
}

}  // namespace
}  // namespace solenoid::height_field_test
