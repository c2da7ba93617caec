// `solenoid tonemap` as a user meets it: the picture, its options, and files that are refused.
#include <gtest/gtest.h>

#include "program.hpp"

namespace solenoid::test::end_to_end_tonemap_test {
namespace {

// A picture of a window in a dark room in Radiance HDR, not encoded.
std::string window(int width = 40, int height = 30) {
    std::string text = "#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y " + std::to_string(height) +
                       " +X " + std::to_string(width) + "\n";
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const bool is_window = x > 22 && x < 32 && y > 6 && y < 20;
            text +=
                {static_cast<char>(130 + x), static_cast<char>(100 + 3 * y),
                 static_cast<char>(90 + (x * y) % 60), static_cast<char>(is_window ? 140 : 124)};
        }
    return text;
}

Outcome tonemap(const Folder& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "tonemap");
    return run_program(arguments,
                       {.folder = folder.path, .environment = {{"SOLENOID_GL_SOFTWARE", "1"}}});
}

void expect_refused(const Outcome& outcome, const std::string& part) {
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(lines_of(outcome.err).size(), 1u) << outcome.err;
    EXPECT_NE(outcome.err.find(part), std::string::npos) << outcome.err;
}

TEST(Tonemap, WritesAPictureOnEveryDevice) {
    const Folder folder;
    folder.write("room.hdr", window());
    for (const std::string device : {"cpu", "compute", "fragment"}) {
        const std::string out = "pictures/" + device + ".png";
        const Outcome outcome = tonemap(folder, {"room.hdr", "-o", out, "--device", device});
        ASSERT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        EXPECT_NE(outcome.out.find("40 x 30 pixels"), std::string::npos) << outcome.out;
        EXPECT_NE(outcome.out.find("written  " + out), std::string::npos) << outcome.out;
        const std::string png = contents(folder / out);
        EXPECT_TRUE(png.starts_with("\x89PNG"));
        EXPECT_EQ(png.substr(16, 8), std::string("\0\0\0\x28\0\0\0\x1e", 8));
    }
}

TEST(Tonemap, OptionsChangeThePicture) {
    const Folder folder;
    folder.write("room.hdr", window());
    const auto picture = [&](std::vector<std::string> options) {
        options.insert(options.begin(),
                       {"room.hdr", "-o", "a.png", "--overwrite", "--quiet", "--device", "cpu"});
        const Outcome outcome = tonemap(folder, options);
        EXPECT_EQ(outcome.code, 0) << outcome.err;
        EXPECT_EQ(outcome.out + outcome.err, "");
        return contents(folder / "a.png");
    };
    const std::string usual = picture({});
    EXPECT_EQ(picture({"--beta", "0.87", "--black", "0.1%"}), usual);  // the defaults
    for (const std::vector<std::string>& options : {std::vector<std::string>{"--alpha", "0.5"},
                                                    {"--beta", "0.8"},
                                                    {"--saturation", "1"},
                                                    {"--black", "10%"},
                                                    {"--white", "90%"},
                                                    {"--black", "1e-4", "--white", "0.3"}})
        EXPECT_NE(picture(options), usual) << options.front();
}

TEST(Tonemap, PixelsWithoutLuminanceAreTold) {
    const Folder folder;
    std::string bytes = window();
    for (int k = 0; k < 5; ++k) bytes[bytes.size() - 1 - 4 * k] = 0;
    folder.write("room.hdr", bytes);
    const Outcome outcome = tonemap(folder, {"room.hdr", "-o", "a.png", "--device", "cpu"});
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.err.find("warning: room.hdr: 5 of 1200 pixels"), std::string::npos)
        << outcome.err;
}

TEST(Tonemap, MistakesAreTold) {
    const Folder folder;
    folder.write("room.hdr", window());
    folder.write("short.hdr", window().substr(0, 1000));
    folder.write("dark.hdr", "#?RADIANCE\n\n-Y 1 +X 2\n" + std::string(8, '\0'));
    folder.write("picture.jpg", "no such thing");
    folder.write("there.png", "mine");
    expect_refused(tonemap(folder, {"room.hdr"}), "--output");
    expect_refused(tonemap(folder, {"none.hdr", "-o", "a.png"}), "none.hdr: there is no such file");
    expect_refused(tonemap(folder, {"picture.jpg", "-o", "a.png"}), "neither Radiance HDR");
    expect_refused(tonemap(folder, {"short.hdr", "-o", "a.png"}), "short.hdr: byte 1000: the file");
    expect_refused(tonemap(folder, {"dark.hdr", "-o", "a.png", "--device", "cpu"}),
                   "dark.hdr: no pixel has a luminance");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "a.jpg"}),
                   "a.jpg: the picture is written as");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "there.png"}), "there.png: is there already");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "a.png", "--black", "much"}),
                   "--black: 'much' is neither");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "a.png", "--black", "99.9%"}),
                   "99.9% is not below --white, 99.5%");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "a.png", "--device", "cpu", "--black", "50",
                                    "--white", "1%"}),
                   "is not below the one shown white");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "a.png", "--beta", "1.5"}), "--beta");
    expect_refused(tonemap(folder, {"room.hdr", "-o", "a.png", "--device", "cpuu"}),
                   "did you mean cpu");
    EXPECT_EQ(contents(folder / "there.png"), "mine");
    EXPECT_FALSE(fs::exists(folder / "a.png"));
}

}  // namespace
}  // namespace solenoid::test::end_to_end_tonemap_test
