// solenoid smooth: from file to file, what it says of steps and limits, and what it refuses.
#include "app/smooth_command.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glm/geometric.hpp>

#include "core/error.hpp"
#include "io/surface/surface_file.hpp"
#include "support/scratch_folder.hpp"
#include "surface/sample_surfaces.hpp"

namespace solenoid::smooth_command_test {
namespace {

class Smooth : public testing::Test {
  protected:
    Smooth() {
        options_.surface = folder_.path() / "in.vtp";
        options_.output = folder_.path() / "made" / "out.vtp";
        options_.device = "cpu";
        options_.quiet = true;
        write_surface(sphere_surface(6), options_.surface);
    }
    TriangleSurface smoothed() const {
        EXPECT_EQ(smooth(options_), 0);
        return read_surface(options_.output);
    }
    void expect_refused(const std::vector<std::string>& words, int code = 2) const {
        try {
            smooth(options_);
            ADD_FAILURE() << "accepted";
        } catch (const Error& error) {
            const std::string message = error.what();
            EXPECT_EQ(error.exit_code(), code) << message;
            EXPECT_EQ(message.find('\n'), message.npos) << message;
            for (const std::string& word : words)
                EXPECT_NE(message.find(word), message.npos) << message;
        }
        std::error_code ignored;
        EXPECT_FALSE(std::filesystem::is_regular_file(options_.output, ignored));
    }
    const ScratchFolder folder_{Communicator::self()};
    SmoothOptions options_;
};

double radius(const TriangleSurface& surface) {
    double sum = 0;
    for (const Vec3& p : surface.points) sum += glm::length(p);
    return sum / double(surface.points.size());
}

// A step of the whole sphere at once: R^3 / (R^2 + 2 dt).
TEST_F(Smooth, TakesTheStepsThatAreGiven) {
    options_.time = 0.1;
    options_.steps = 1;
    testing::internal::CaptureStderr();
    EXPECT_NEAR(radius(smoothed()), 1 / 1.2, 1e-3);
    const std::string warning = testing::internal::GetCapturedStderr();
    EXPECT_NE(warning.find("step 1 takes 31 % of the area"), warning.npos) << warning;
    EXPECT_NE(warning.find("(--step 0.033)"), warning.npos) << warning;  // a tenth of the area
    options_.overwrite = true;
    options_.steps = -1;
    options_.step = 0.07;  // two of 0.05
    const double first = 1 / 1.1, second = std::pow(first, 3) / (first * first + 0.1);
    EXPECT_NEAR(radius(smoothed()), second, 2e-3);
    options_.time = 0;
    options_.step = 0.05;
    options_.steps = 2;
    EXPECT_NEAR(radius(smoothed()), second, 2e-3);
    options_.step = 0;
    options_.steps = -1;
    const double usual = radius(smoothed());
    EXPECT_LT(usual, 0.98);
    EXPECT_GT(usual, 0.9);
}

TEST_F(Smooth, LeavesMostOfAThinBodyUnlessTold) {
    TriangleSurface thin = sphere_surface(12);
    for (Vec3& p : thin.points) p.z *= 0.1;
    write_surface(thin, options_.surface);
    const double left = volume_of(smoothed()) / volume_of(thin);
    EXPECT_GT(left, 0.9);
    EXPECT_LT(left, 0.99);
}

// A ball without a triangle is smoothed for as long as the ball is.
TEST_F(Smooth, DoesNotEndASurfaceWithAHole) {
    TriangleSurface ball = test::random_sphere(8);
    const double whole = area_of(ball);
    write_surface(ball, options_.surface);
    const double closed = area_of(smoothed());
    ball.triangles.erase(ball.triangles.begin() + 3);
    write_surface(ball, options_.surface);
    options_.overwrite = true;
    EXPECT_NEAR(area_of(smoothed()), closed, 0.02 * closed);
    EXPECT_GT(closed, 0.8 * whole);
}

// A speck stays as it is, and the rest is smoothed as it is without the speck.
TEST_F(Smooth, IsNotStoppedByASpeck) {
    TriangleSurface ball = test::random_sphere(8);
    write_surface(ball, options_.surface);
    const TriangleSurface alone = smoothed();
    const TriangleSurface speck = sphere_surface(2);
    const auto first = static_cast<Index>(ball.points.size());
    for (const Vec3& p : speck.points) ball.points.push_back(1e-3 * p + Vec3(1.5, 0, 0));
    for (const auto& [a, b, c] : speck.triangles)
        ball.triangles.push_back({a + first, b + first, c + first});
    write_surface(ball, options_.surface);
    options_.overwrite = true;
    testing::internal::CaptureStderr();
    const TriangleSurface both = smoothed();
    const std::string words = testing::internal::GetCapturedStderr();
    EXPECT_NE(words.find("% of the area"), words.npos) << words;
    EXPECT_NE(words.find("it stays as it is"), words.npos) << words;
    for (std::size_t i = 0; i < both.points.size(); ++i)
        EXPECT_LT(glm::length(both.points[i] - (i < first ? alone.points[i] : ball.points[i])),
                  1e-9);
    // the remedy that is named
    const std::size_t at = words.find("--time of at most ");
    ASSERT_NE(at, words.npos);
    options_.time = std::stod(words.substr(at + 18));
    testing::internal::CaptureStderr();
    const TriangleSurface shortly = smoothed();
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
    EXPECT_NE(shortly.points.back(), ball.points.back());
    // what keeps its volume bears the usual time
    options_.time = 0;
    options_.keeps_volume = true;
    testing::internal::CaptureStderr();
    EXPECT_NEAR(volume_of(smoothed()), volume_of(ball), 1e-9);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(Smooth, TellsWhenHalfOfTheAreaIsGone) {
    options_.time = 0.2;
    options_.steps = 40;
    testing::internal::CaptureStderr();
    smoothed();
    const std::string words = testing::internal::GetCapturedStderr();
    EXPECT_NE(words.find("half of the area is gone"), words.npos) << words;
}

TEST_F(Smooth, OfNoStepsIsAConversion) {
    options_.steps = 0;
    options_.picture = folder_.path() / "picture.png";
    EXPECT_EQ(smoothed().points, sphere_surface(6).points);
    EXPECT_GT(std::filesystem::file_size(options_.picture), 1000u);
}

TEST_F(Smooth, KeepsVolumeAndOrder) {
    const TriangleSurface rough = test::noisy_sphere(8, 0.05);
    write_surface(rough, options_.surface);
    options_.keeps_volume = true;
    options_.precision = "mixed";
    options_.step = 0.005;
    const TriangleSurface after = smoothed();
    EXPECT_EQ(after.triangles, rough.triangles);
    EXPECT_NEAR(volume_of(after) / volume_of(rough), 1, 1e-6);
    EXPECT_LT(area_of(after), area_of(rough));
}

TEST_F(Smooth, RefusesTimesThatAreTooLong) {
    options_.time = 0.26;
    expect_refused({"--time: ", "ball of radius 1", "gone at 0.25", "--keep-volume"});
    options_.time = 0;
    options_.step = 1;
    expect_refused({"--step: ", "gone at 0.25"});
}

TEST_F(Smooth, SaysUntilWhenTheFlowWasGood) {
    write_surface(test::tube(16, 12, 1.0), options_.surface);
    options_.step = 0.02;
    options_.steps = 100;
    expect_refused({"step ", " of 100, to the time 0.", "has lost its shape", "nothing is written",
                    "the flow is good until 0.", "--steps "},
                   1);
}

TEST_F(Smooth, RefusesWhatItCannotDo) {
    options_.time = 0.1, options_.step = 0.01, options_.steps = 5;
    expect_refused({"--time, --step and --steps"});
    options_.step = std::nan("");
    expect_refused({"--step: must be a positive number"});
    options_.step = 1e-12, options_.steps = -1;
    expect_refused({"--step: gives 1e+11 steps"});
    options_.step = 0, options_.steps = 0;
    expect_refused({"--steps: must be above 0"});
    options_.steps = 5;
    options_.picture = "picture.jpg";
    expect_refused({"picture.jpg", ".png"});
    options_.picture.clear();
    options_.output = folder_.path() / "out.msh";
    expect_refused({"its ending '.msh'", ".stl, .ply, .obj and .vtp"});
    options_.output = folder_.path() / "out.stl";
    options_.surface = folder_.path() / "none.stl";
    expect_refused({"none.stl: there is no such file"});
    write_surface(test::tube(8, 2, 1), folder_.path() / "tube.ply");
    options_.surface = folder_.path() / "tube.ply";
    options_.keeps_volume = true;
    expect_refused({"has no volume to keep", "one goes through point 1 at (1, 0, -1)"});
}

// A triangle and its back, as meshes that were put together have them.
// Triangles of the sphere that share no points: of all, and of a half with the other.
TEST_F(Smooth, TellsOfTrianglesThatShareNoPoints) {
    const TriangleSurface whole = sphere_surface(6);
    TriangleSurface soup, halves = whole;
    for (const auto& t : whole.triangles) {
        const auto first = static_cast<Index>(soup.points.size());
        for (const Index corner : t) soup.points.push_back(whole.points[corner]);
        soup.triangles.push_back({first, first + 1, first + 2});
    }
    std::vector<Index> copy(whole.points.size(), none);
    for (auto& t : halves.triangles) {
        const Vec3 middle = whole.points[t[0]] + whole.points[t[1]] + whole.points[t[2]];
        if (middle.z < 0) continue;
        for (Index& corner : t) {
            if (copy[corner] == none) {
                copy[corner] = static_cast<Index>(halves.points.size());
                halves.points.push_back(whole.points[corner]);
            }
            corner = copy[corner];
        }
    }
    options_.surface = folder_.path() / "soup.ply";
    write_surface(soup, options_.surface);
    expect_refused({"soup.ply: every point lies on a border", "--steps 0 -o NAME.obj"});
    write_surface(halves, options_.surface);
    testing::internal::CaptureStderr();
    EXPECT_EQ(smooth(options_), 0);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("points of borders lie where other ones"),
              std::string::npos);
    // what the message says to do
    options_.surface = folder_.path() / "soup.ply";
    write_surface(soup, options_.surface);
    options_.output = folder_.path() / "joined.obj";
    options_.steps = 0;
    EXPECT_EQ(smooth(options_), 0);
    options_.surface = options_.output;
    options_.output = folder_.path() / "flown.ply";
    options_.steps = -1;
    EXPECT_LT(radius(smoothed()), 0.98);
}

TEST_F(Smooth, OffersToKeepTheVolumeOfClosedSurfacesAlone) {
    options_.time = 2;
    expect_refused({"take a shorter time, or --keep-volume"});
    TriangleSurface with_a_triangle = sphere_surface(6);
    const auto first = static_cast<Index>(with_a_triangle.points.size());
    for (const Vec3& p : {Vec3(3, 0, 0), Vec3(4, 0, 0), Vec3(3, 1, 0)})
        with_a_triangle.points.push_back(p);
    with_a_triangle.triangles.push_back({first, first + 1, first + 2});
    write_surface(with_a_triangle, options_.surface);
    try {
        smooth(options_);
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        EXPECT_TRUE(std::string(error.what()).ends_with("take a shorter time")) << error.what();
    }
}

// Before the first of steps that would take years.
TEST_F(Smooth, RefusesAtOnceWhatTheFileCannotHold) {
    TriangleSurface large = sphere_surface(6);
    for (Vec3& p : large.points) p *= 1e39;
    write_surface(large, options_.surface);
    options_.output = folder_.path() / "out.stl";
    options_.step = 1;
    options_.steps = 100000000;
    expect_refused({"out.stl", "beyond 3.4e+38", ".vtp"});
}

TEST_F(Smooth, NamesAPartWithoutAVolume) {
    TriangleSurface surface = sphere_surface(4);
    const auto first = static_cast<Index>(surface.points.size());
    for (const Vec3& p : {Vec3(5, 0, 0), Vec3(6, 0, 0), Vec3(5, 3, 0)}) surface.points.push_back(p);
    surface.triangles.push_back({first, first + 1, first + 2});
    surface.triangles.push_back({first, first + 2, first + 1});
    write_surface(surface, options_.surface);
    expect_refused({"--step: must be given", "triangle 321 with its centroid at (5.33333, 1, 0)"});
    options_.step = 1e-3;
    options_.keeps_volume = true;
    expect_refused(
        {"the closed part of triangle 321 with its centroid at (5.33333, 1, 0) has no "
         "volume to keep",
         "leave --keep-volume out"});
}

TEST_F(Smooth, RefusesPlacesThatCannotBeWritten) {
    options_.output = folder_.path() / (std::string(300, 'a') + ".vtp");
    expect_refused({"cannot be written: ", "take another place"});
    options_.output = folder_.path();
    options_.output += "/in.vtp/out.vtp";
    expect_refused({"out.vtp: "});
    options_.output = folder_.path() / "folder.vtp";
    std::filesystem::create_directory(options_.output);
    try {
        smooth(options_);
        ADD_FAILURE() << "accepted";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("is a folder"), std::string::npos);
    }
}

TEST_F(Smooth, ReplacesFilesWhenTold) {
    options_.steps = 1;
    smoothed();
    try {
        smooth(options_);
        ADD_FAILURE() << "replaced";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("add --overwrite"), std::string::npos);
    }
    options_.overwrite = true;
    options_.output = options_.surface;  // in place
    EXPECT_LT(radius(smoothed()), 0.999);
}

}  // namespace
}  // namespace solenoid::smooth_command_test
