// Pictures in Radiance HDR and OpenEXR: what is read, and what is refused.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <functional>
#include <glm/mat3x3.hpp>

#include "core/error.hpp"
#include "image/files/exr_file.hpp"
#include "image/files/image.hpp"
#include "image/files/primaries.hpp"
#include "image/files/radiance_file.hpp"
#include "image/files/write_colours.hpp"
#include "support/scratch_folder.hpp"

#ifdef SOLENOID_OPENEXR
#include <Imath/half.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfTiledOutputFile.h>
#endif

namespace solenoid::image_files_test {
namespace {

using namespace std::string_literals;

const std::string header = "#?RADIANCE\n# made for a test\nFORMAT=32-bit_rle_rgbe\n";

// Four bytes a pixel.
std::string pixel(int r, int g, int b, int e) {
    return {static_cast<char>(r), static_cast<char>(g), static_cast<char>(b), static_cast<char>(e)};
}
float value_of(int mantissa, int exponent) {
    return static_cast<float>(std::ldexp(mantissa + 0.5, exponent - 136));
}

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        EXPECT_EQ(error.exit_code(), 2);
        return error.what();
    }
    return "accepted";
}
void expect_refused(const std::string& bytes, const std::string& part) {
    const std::string message = message_of([&] { read_radiance("a.hdr", bytes); });
    EXPECT_NE(message.find(part), message.npos) << message;
    EXPECT_TRUE(message.starts_with("a.hdr")) << message;
}

TEST(Radiance, PlainPixels) {
    const Image image =
        read_radiance("a.hdr", header + "\n-Y 2 +X 3\n" + pixel(10, 20, 30, 129) +
                                   pixel(255, 0, 1, 136) + pixel(9, 9, 9, 0) + pixel(1, 2, 3, 120) +
                                   pixel(4, 5, 6, 200) + pixel(7, 8, 9, 1));
    EXPECT_EQ(image.width, 3);
    EXPECT_EQ(image.height, 2);
    const std::vector<float> red{value_of(10, 129), 255.5f,           0,
                                 value_of(1, 120),  value_of(4, 200), value_of(7, 1)};
    EXPECT_EQ(image.red, red);
    EXPECT_EQ(image.green[1], 0.5f);
    EXPECT_EQ(image.blue[4], value_of(6, 200));
    EXPECT_EQ(image.green[2], 0);
}

// The same pixels in each encoding.
TEST(Radiance, BothRunLengthEncodings) {
    std::string plain;
    for (int k = 0; k < 3; ++k) plain += pixel(40, 41, 42, 130);
    for (int k = 3; k < 10; ++k) plain += pixel(k, 2 * k, 3 * k, 128);
    for (int k = 10; k < 310; ++k) plain += pixel(5, 6, 7, 129);
    const std::string sizes = "\n-Y 1 +X 310\n";
    const Image expected = read_radiance("a.hdr", header + sizes + plain);

    std::string by_pixels = pixel(40, 41, 42, 130) + pixel(1, 1, 1, 2) + plain.substr(12, 28);
    // 1 + (43 + 256) times
    by_pixels += pixel(5, 6, 7, 129) + pixel(1, 1, 1, 43) + pixel(1, 1, 1, 1);
    const Image old = read_radiance("a.hdr", header + sizes + by_pixels);
    EXPECT_EQ(old.red, expected.red);
    EXPECT_EQ(old.green, expected.green);
    EXPECT_EQ(old.blue, expected.blue);

    std::string by_components = pixel(2, 2, 1, 310 - 256);
    const int first[] = {40, 41, 42, 130}, last[] = {5, 6, 7, 129};
    for (int c = 0; c < 4; ++c) {
        by_components += {static_cast<char>(128 + 3), static_cast<char>(first[c])};
        by_components += static_cast<char>(7);
        for (int k = 3; k < 10; ++k) by_components += static_cast<char>(c == 3 ? 128 : (c + 1) * k);
        for (int left = 300; left > 0; left -= 100)
            by_components += {static_cast<char>(128 + 100), static_cast<char>(last[c])};
    }
    const Image newer = read_radiance("a.hdr", header + sizes + by_components);
    EXPECT_EQ(newer.red, expected.red);
    EXPECT_EQ(newer.green, expected.green);
    EXPECT_EQ(newer.blue, expected.blue);
}

// Red names the pixel: as the picture is seen, 10 11 12 above 20 21 22.
TEST(Radiance, EveryOrientation) {
    const auto file = [](const std::string& sizes, const std::vector<int>& names) {
        std::string bytes = header + "\n" + sizes + "\n";
        for (const int name : names) bytes += pixel(name, 0, 0, 136);
        return bytes;
    };
    const std::vector<float> seen{10.5f, 11.5f, 12.5f, 20.5f, 21.5f, 22.5f};
    const std::pair<const char*, std::vector<int>> files[] = {
        {"-Y 2 +X 3", {10, 11, 12, 20, 21, 22}}, {"-Y 2 -X 3", {12, 11, 10, 22, 21, 20}},
        {"+Y 2 +X 3", {20, 21, 22, 10, 11, 12}}, {"+Y 2 -X 3", {22, 21, 20, 12, 11, 10}},
        {"+X 3 -Y 2", {10, 20, 11, 21, 12, 22}}, {"+X 3 +Y 2", {20, 10, 21, 11, 22, 12}},
        {"-X 3 -Y 2", {12, 22, 11, 21, 10, 20}}, {"-X 3 +Y 2", {22, 12, 21, 11, 20, 10}}};
    for (const auto& [sizes, names] : files) {
        const Image image = read_radiance("a.hdr", file(sizes, names));
        EXPECT_EQ(image.width, 3) << sizes;
        EXPECT_EQ(image.height, 2) << sizes;
        EXPECT_EQ(image.red, seen) << sizes;
    }
}

TEST(Radiance, ExposuresAreTakenOut) {
    const Image image =
        read_radiance("a.hdr", header + "EXPOSURE=4\nEXPOSURE= +0.5\nCOLORCORR= 1 2 0.25\n" +
                                   "\n-Y 1 +X 1\n" + pixel(10, 20, 30, 136));
    EXPECT_EQ(image.red[0], 10.5f / 2);
    EXPECT_EQ(image.green[0], 20.5f / 4);
    EXPECT_EQ(image.blue[0], 30.5f * 2);
}

// The rows of published matrices.
void expect_matrix(const glm::dmat3& found, const std::array<std::array<double, 3>, 3>& rows) {
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) EXPECT_NEAR(found[j][i], rows[i][j], 1e-4) << i << ", " << j;
}
const Primaries rec2020{{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}, {0.3127, 0.3290}};
const Primaries ap1{{0.713, 0.293}, {0.165, 0.830}, {0.128, 0.044}, {0.32168, 0.33767}};

TEST(Primaries, HaveThePublishedMatrices) {
    // ITU-R BT.2087, and of ACES' AP1, whose white is another (by Bradford's transform)
    expect_matrix(
        to_rec709(rec2020, ""),
        {{{1.6605, -0.5876, -0.0728}, {-0.1246, 1.1329, -0.0083}, {-0.0182, -0.1006, 1.1187}}});
    expect_matrix(to_rec709(ap1, ""), {{{1.70505, -0.62179, -0.08326},
                                        {-0.13026, 1.14080, -0.01055},
                                        {-0.02400, -0.12897, 1.15297}}});
    expect_matrix(to_rec709({}, ""), {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
}

TEST(Primaries, OfRadianceAreTaken) {
    const std::string pixels = "\n-Y 1 +X 2\n" + pixel(80, 160, 40, 136) + pixel(9, 9, 9, 136);
    const Image plain = read_radiance("a.hdr", header + pixels),
                wide = read_radiance("a.hdr", header +
                                                  "PRIMARIES= .708 .292 .170 .797 .131 .046 "
                                                  ".3127 .3290\n" +
                                                  pixels);
    EXPECT_EQ(plain.red[0], 80.5f);
    EXPECT_NEAR(wide.red[0], 1.6605 * 80.5 - 0.5876 * 160.5 - 0.0728 * 40.5, 0.02);
    EXPECT_NEAR(wide.green[0], -0.1246 * 80.5 + 1.1329 * 160.5 - 0.0083 * 40.5, 0.02);
    EXPECT_NEAR(wide.blue[0], -0.0182 * 80.5 - 0.1006 * 160.5 + 1.1187 * 40.5, 0.02);
    for (const auto* channel : {&wide.red, &wide.green, &wide.blue})
        EXPECT_NEAR((*channel)[1], 9.5, 1e-5);  // grey is grey
}

TEST(Radiance, Refused) {
    const std::string sizes = "\n-Y 2 +X 8\n";
    const std::string start = header + sizes;
    expect_refused(header, "the header has no end");
    expect_refused("#?RADIANCE\nFORMAT=32-bit_rle_xyze\n" + sizes, "ra_xyze");
    expect_refused("#?RADIANCE\nFORMAT=png\n" + sizes, "FORMAT is 'png'");
    expect_refused(header + "EXPOSURE=0\n" + sizes, "EXPOSURE: 0 is not above 0");
    expect_refused(header + "EXPOSURE=much\n" + sizes, "EXPOSURE needs a number above 0");
    expect_refused(header + "EXPOSURE=1e20\nEXPOSURE=1e20\n" + sizes, "between");
    expect_refused(header + "COLORCORR=1 1\n" + sizes, "3 numbers");
    expect_refused(header + "PRIMARIES=.64 .33 .3 .6\n" + sizes, "PRIMARIES needs 8 numbers");
    expect_refused(header + "PRIMARIES=.1 .1 .2 .2 .3 .3 .3 .3\n" + sizes, "lie on a line");
    expect_refused(header + "PRIMARIES=.64 .33 .3 .6 .15 .06 .3 0\n" + sizes, "white");
    expect_refused(header + "PRIMARIES=99 .33 .3 .6 .15 .06 .3 .3\n" + sizes, "below 10");
    expect_refused(header + "\n-Y 2\n", "two sizes");
    expect_refused(header + "\n-Y 2 +Y 8\n", "one direction");
    expect_refused(header + "\n-Y 2 +X 8 deep\n", "something else");
    expect_refused(header + "\n-Y 0 +X 8\n", "0 pixels");
    expect_refused(header + "\n-Y -2 +X 8\n", "pixels");
    expect_refused(header + "\n-Y 40000 +X 8000\n" + pixel(1, 2, 3, 4), "not believed");
    expect_refused(header + "\n-Y 99999999999999999999 +X 8\n", "two sizes");
    expect_refused(header + "\n-Y 2000000 +X 1\n", "1000000 at most");
    expect_refused(start, "the file ends within the pixels");
    expect_refused(start + pixel(2, 2, 0, 9), "of 9 pixels");
    expect_refused(start + pixel(2, 2, 0, 8) + "\xff\x01", "a run of 127 bytes where 8");
    expect_refused(start + pixel(2, 2, 0, 8) + "\x09", "a run of 9 bytes where 8");
    expect_refused(start + pixel(2, 2, 0, 8) + "\0"s, "a run of no bytes");
    expect_refused(start + pixel(1, 1, 1, 2), "begins with the repetition");
    expect_refused(start + pixel(9, 1, 1, 2) + pixel(1, 1, 1, 8), "repeated 8 times where 7");
    std::string shifts = start + pixel(9, 1, 1, 2);
    for (int k = 0; k < 9; ++k) shifts += pixel(1, 1, 1, 0);
    expect_refused(shifts, "is repeated");
    // cut off anywhere
    std::string whole = start;
    for (int line = 0; line < 2; ++line) {
        whole += pixel(2, 2, 0, 8);
        for (int c = 0; c < 4; ++c) whole += "\x84\x50\x04\x51\x52\x53\x54"s;
    }
    EXPECT_EQ(read_radiance("a.hdr", whole).red.size(), 16u);
    for (std::size_t n = 0; n < whole.size(); ++n)
        EXPECT_NE(message_of([&] { read_radiance("a.hdr", whole.substr(0, n)); }), "accepted") << n;
}

TEST(ReadImage, TellsWhatItIsByItsContents) {
    const ScratchFolder folder(Communicator::self());
    const auto file = [&](const std::string& bytes) {
        std::ofstream(folder / "picture", std::ios::binary) << bytes;
        return folder / "picture";
    };
    EXPECT_EQ(read_image(file(header + "\n-Y 1 +X 1\n" + pixel(1, 2, 3, 136))).green[0], 2.5f);
    EXPECT_NE(message_of([&] { read_image(file("\x89PNG\r\n")); }).find("neither Radiance HDR"),
              std::string::npos);
    EXPECT_NE(message_of([&] { read_image(folder / "none.hdr"); }).find("no such file"),
              std::string::npos);
    EXPECT_NE(message_of([&] { read_image(folder.path()); }).find("directory"), std::string::npos);
}

#ifdef SOLENOID_OPENEXR

namespace exr = OPENEXR_IMF_NAMESPACE;

// Channels by name, each with a value at (x, y).
struct Channel {
    const char* name;
    exr::PixelType type;
    std::function<float(int x, int y)> value;
};

std::string written(const ScratchFolder& folder, const Imath::Box2i& window,
                    const std::vector<Channel>& channels, exr::Compression compression,
                    bool is_tiled = false, const Primaries* primaries = nullptr,
                    int side_of_tiles = 16) {
    exr::Header header(Imath::Box2i({0, 0}, {63, 63}), window);
    header.compression() = compression;
    header.insert("version", exr::StringAttribute("1.2"));  // of a program, not of the format
    if (primaries) {
        const auto place = [](const Primaries::Place& p) {
            return Imath::V2f(static_cast<float>(p[0]), static_cast<float>(p[1]));
        };
        exr::addChromaticities(header, {place(primaries->red), place(primaries->green),
                                        place(primaries->blue), place(primaries->white)});
    }
    const int width = window.max.x - window.min.x + 1, height = window.max.y - window.min.y + 1;
    std::vector<std::vector<float>> values;
    std::vector<std::vector<half>> halves;
    std::vector<std::vector<unsigned>> numbers;
    exr::FrameBuffer frame;
    values.reserve(channels.size());
    halves.reserve(channels.size());
    numbers.reserve(channels.size());
    for (const Channel& channel : channels) {
        header.channels().insert(channel.name, exr::Channel(channel.type));
        values.emplace_back();
        for (int y = window.min.y; y <= window.max.y; ++y)
            for (int x = window.min.x; x <= window.max.x; ++x)
                values.back().push_back(channel.value(x, y));
        halves.emplace_back(values.back().begin(), values.back().end());
        numbers.emplace_back(values.back().begin(), values.back().end());
        const std::size_t size = channel.type == exr::HALF ? 2 : 4;
        const void* data = channel.type == exr::HALF    ? static_cast<void*>(halves.back().data())
                           : channel.type == exr::FLOAT ? static_cast<void*>(values.back().data())
                                                        : numbers.back().data();
        frame.insert(channel.name,
                     exr::Slice::Make(channel.type, data, window, size, size * std::size_t(width)));
    }
    const std::string path = (folder / "a.exr").string();
    if (is_tiled) {
        header.setTileDescription(exr::TileDescription(static_cast<unsigned>(side_of_tiles),
                                                       static_cast<unsigned>(side_of_tiles) / 2,
                                                       exr::MIPMAP_LEVELS));
        exr::TiledOutputFile file(path.c_str(), header, 0);
        file.setFrameBuffer(frame);
        file.writeTiles(0, file.numXTiles() - 1, 0, file.numYTiles() - 1);
    } else {
        exr::OutputFile file(path.c_str(), header, 0);
        file.setFrameBuffer(frame);
        file.writePixels(height);
    }
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

const Imath::Box2i window({-3, 5}, {33, 40});
float red(int x, int y) { return 100.0f + static_cast<float>(x) + 0.5f * static_cast<float>(y); }
float green(int x, int y) { return 0.25f * static_cast<float>(y - x + 40); }
float blue(int x, int) { return x % 2 == 0 ? 1000.0f : 2.0f; }
float alpha(int, int) { return 0.5f; }

TEST(OpenExr, ColoursInEveryCompression) {
    const ScratchFolder folder(Communicator::self());
    for (const exr::Compression compression :
         {exr::NO_COMPRESSION, exr::RLE_COMPRESSION, exr::ZIPS_COMPRESSION, exr::ZIP_COMPRESSION,
          exr::PIZ_COMPRESSION})
        for (const exr::PixelType type : {exr::HALF, exr::FLOAT})
            for (const bool is_tiled : {false, true}) {
                const Image image = read_exr("a.exr", written(folder, window,
                                                              {{"R", type, red},
                                                               {"G", type, green},
                                                               {"B", type, blue},
                                                               {"A", exr::HALF, alpha},
                                                               {"depth", exr::UINT, blue}},
                                                              compression, is_tiled));
                SCOPED_TRACE(testing::Message() << compression << (is_tiled ? " tiled" : ""));
                ASSERT_EQ(image.width, 37);
                ASSERT_EQ(image.height, 36);
                for (int y = 5; y <= 40; ++y)
                    for (int x = -3; x <= 33; ++x) {
                        const std::size_t k = std::size_t(y - 5) * 37 + (x + 3);
                        ASSERT_EQ(image.red[k], red(x, y)) << x << ", " << y;
                        ASSERT_EQ(image.green[k], green(x, y)) << x << ", " << y;
                        ASSERT_EQ(image.blue[k], blue(x, y)) << x << ", " << y;
                    }
            }
}

TEST(OpenExr, LossyCompressionsAreNear) {
    const ScratchFolder folder(Communicator::self());
    for (const exr::Compression compression : {exr::PXR24_COMPRESSION, exr::B44_COMPRESSION,
                                               exr::DWAA_COMPRESSION, exr::DWAB_COMPRESSION}) {
        const Image image = read_exr(
            "a.exr", written(folder, window,
                             {{"R", exr::HALF, red}, {"G", exr::HALF, red}, {"B", exr::HALF, red}},
                             compression));
        for (int y = 5; y <= 40; ++y)
            for (int x = -3; x <= 33; ++x)
                ASSERT_NEAR(image.red[std::size_t(y - 5) * 37 + (x + 3)], red(x, y), 2)
                    << compression;
    }
}

TEST(OpenExr, ChromaticitiesAreTaken) {
    const ScratchFolder folder(Communicator::self());
    const auto image_of = [&](const Primaries* primaries) {
        return read_exr(
            "a.exr",
            written(folder, window,
                    {{"R", exr::FLOAT, red}, {"G", exr::FLOAT, green}, {"B", exr::FLOAT, blue}},
                    exr::ZIP_COMPRESSION, false, primaries));
    };
    const Primaries rec709;
    const Image plain = image_of(nullptr), same = image_of(&rec709), wide = image_of(&ap1);
    EXPECT_EQ(same.red, plain.red);
    EXPECT_EQ(same.blue, plain.blue);
    for (std::size_t k = 0; k < plain.red.size(); k += 7) {
        const double r = plain.red[k], g = plain.green[k], b = plain.blue[k];
        EXPECT_NEAR(wide.red[k], 1.70505 * r - 0.62179 * g - 0.08326 * b, 0.02);
        EXPECT_NEAR(wide.green[k], -0.13026 * r + 1.14080 * g - 0.01055 * b, 0.02);
        EXPECT_NEAR(wide.blue[k], -0.02400 * r - 0.12897 * g + 1.15297 * b, 0.02);
    }
    const Primaries on_a_line{{0.1, 0.1}, {0.2, 0.2}, {0.3, 0.3}, {0.3, 0.3}};
    const std::string message = message_of([&] { image_of(&on_a_line); });
    EXPECT_TRUE(message.starts_with("a.exr: the chromaticities")) << message;
}

// Tiles as large as programs write them, of a picture that compresses well.
TEST(OpenExr, LargeTiles) {
    const ScratchFolder folder(Communicator::self());
    const Imath::Box2i large({0, 0}, {2599, 1299});
    const auto light = [](int x, int) { return static_cast<float>(x / 100); };
    for (const int side : {1024, 2048}) {
        const std::string bytes =
            written(folder, large,
                    {{"R", exr::HALF, light}, {"G", exr::HALF, light}, {"B", exr::HALF, light}},
                    exr::ZIP_COMPRESSION, true, nullptr, side);
        ASSERT_LT(bytes.size(), 1000000u);
        EXPECT_EQ(read_exr("a.exr", bytes).red[1234], 12) << side;
    }
}

// In wide primaries, too, where differences of infinite numbers would be none.
TEST(OpenExr, InfiniteHalvesAreTheGreatestOne) {
    const ScratchFolder folder(Communicator::self());
    const auto sun = [](int x, int y) {
        return x == 0 && y == 7 ? std::numeric_limits<float>::infinity() : 1.0f;
    };
    for (const Primaries* primaries : {static_cast<const Primaries*>(nullptr), &ap1}) {
        const Image image = read_exr(
            "a.exr",
            written(folder, window,
                    {{"R", exr::HALF, sun}, {"G", exr::HALF, green}, {"B", exr::HALF, sun}},
                    exr::ZIP_COMPRESSION, false, primaries));
        const std::size_t k = 2 * 37 + 3;
        EXPECT_EQ(image.infinite, 1);
        for (const auto* channel : {&image.red, &image.green, &image.blue})
            EXPECT_NEAR((*channel)[k], 65504, 100);
    }
    const Image single =
        read_exr("a.exr", written(folder, window, {{"Y", exr::FLOAT, sun}}, exr::ZIP_COMPRESSION));
    EXPECT_EQ(single.red[2 * 37 + 3], 1);
}

TEST(OpenExr, LuminanceAlone) {
    const ScratchFolder folder(Communicator::self());
    const Image image = read_exr(
        "a.exr", written(folder, window, {{"Y", exr::FLOAT, green}, {"A", exr::HALF, alpha}},
                         exr::ZIP_COMPRESSION));
    EXPECT_EQ(image.red[37], green(-3, 6));
    EXPECT_EQ(image.green, image.red);
    EXPECT_EQ(image.blue, image.red);
}

TEST(OpenExr, Refused) {
    const ScratchFolder folder(Communicator::self());
    const auto message = [](const std::string& bytes) {
        const std::string text = message_of([&] { read_exr("a.exr", bytes); });
        EXPECT_TRUE(text == "accepted" || text.starts_with("a.exr: ")) << text;
        return text;
    };
    const auto expect = [&](const std::string& bytes, const std::string& part) {
        const std::string text = message(bytes);
        EXPECT_NE(text.find(part), text.npos) << text;
    };
    expect(written(folder, window, {{"Z", exr::FLOAT, red}, {"A", exr::HALF, alpha}},
                   exr::NO_COMPRESSION),
           "neither channels R, G and B nor Y: it has A, Z");
    expect(written(folder, window, {{"Y", exr::HALF, red}, {"RY", exr::HALF, red}},
                   exr::NO_COMPRESSION),
           "luminance and chroma");
    const std::string whole = written(
        folder, window, {{"R", exr::HALF, red}, {"G", exr::HALF, green}, {"B", exr::HALF, blue}},
        exr::ZIP_COMPRESSION);
    ASSERT_EQ(message(whole), "accepted");
    for (std::size_t n = 4; n < whole.size(); ++n)
        EXPECT_NE(message(whole.substr(0, n)), "accepted") << n;
    // sizes that no such file has: the data window's corner
    const std::size_t at = whole.find("dataWindow") + "dataWindow\0box2i\0"s.size() + 4;
    std::string huge = whole, high = whole;
    for (const std::size_t corner : {at + 8, at + 12}) huge.replace(corner, 4, "\x00\x20\x00\x00"s);
    expect(huge, "8196 x 8188 pixels in a file of");
    high.replace(at + 12, 4, "\x00\x20\x00\x00"s);
    EXPECT_NE(message(high), "accepted");
    std::string turned = whole;
    turned.replace(at + 8, 4, "\xf0\xff\xff\xff"s);
    expect(turned, "-12 x 36 pixels");
    std::string long_value = whole;  // an attribute's size
    long_value.replace(at - 4, 4, "\x00\x00\x00\x70"s);
    expect(long_value, "the header ends beyond the file");
}

#else

TEST(OpenExr, IsNotReadHere) {
    EXPECT_FALSE(reads_openexr());
    const std::string message =
        message_of([] { read_exr("a.exr", "\x76\x2f\x31\x01 and the rest"); });
    EXPECT_NE(message.find("this build does not read OpenEXR"), message.npos) << message;
}

#endif

TEST(WriteColours, IsAPng) {
    const ScratchFolder folder(Communicator::self());
    const std::vector<std::uint8_t> rgb{255, 0, 0, 0, 255, 0};
    write_colours(folder / "a.png", 2, 1, rgb);
    std::ifstream in(folder / "a.png", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    EXPECT_TRUE(bytes.starts_with("\x89PNG"));
    // width and height, 8 bits, red, green and blue
    EXPECT_EQ(bytes.substr(16, 10), "\0\0\0\2\0\0\0\1\x08\x02"s);
}

}  // namespace
}  // namespace solenoid::image_files_test
