// The map against a direct solve of the same equations by Eigen, on every device; its colours; and
// pictures at the edge of what can be mapped.
#include "image/tone_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "support/devices.hpp"
#include "support/eigen_problems.hpp"

namespace solenoid::tone_map_test {
namespace {

using Plane = std::vector<double>;

// A dark room with a window 30000 times as bright, a lamp, colours and texture.
Image room(int width, int height) {
    Image image{width, height, {}, {}, {}};
    std::mt19937 random(7);
    std::uniform_real_distribution<double> noise(0.8, 1.25);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double u = (x + 0.5) / width, v = (y + 0.5) / height;
            const bool is_window = u > 0.55 && u < 0.85 && v > 0.15 && v < 0.6;
            const double lamp = 40 * std::exp(-90 * (std::pow(u - 0.2, 2) + std::pow(v - 0.3, 2)));
            const double light =
                ((is_window ? 3000 * (1.5 - v) : 0.1 + 0.2 * u) + lamp) * noise(random);
            image.red.push_back(static_cast<float>(light * (1.2 - 0.5 * v)));
            image.green.push_back(static_cast<float>(light));
            image.blue.push_back(static_cast<float>(light * (0.6 + 0.7 * u)));
        }
    return image;
}

// The equations of docs/tone-mapping.md, in plain loops in double precision.
class Reference {
  public:
    Reference(const Image& image, const ToneMapSettings& settings)
        : width_(image.width), height_(image.height) {
        for (std::size_t k = 0; k < image.red.size(); ++k)
            light.push_back(0.2126 * image.red[k] + 0.7152 * image.green[k] +
                            0.0722 * image.blue[k]);
        double least = std::numeric_limits<double>::infinity();
        for (const double l : light)
            if (l > 0) least = std::min(least, l);
        Plane h;
        for (const double l : light) h.push_back(std::log(l > 0 ? l : least));
        solve(h, attenuation(h, width_, height_, 1, settings));
    }
    Plane light, map;

  private:
    // Phi of a level and of all coarser ones.
    static Plane attenuation(const Plane& h, int w, int v, double distance,
                             const ToneMapSettings& settings) {
        const auto at = [](const Plane& p, int columns, int rows, int x, int y) {
            return p[std::size_t(std::clamp(y, 0, rows - 1)) * columns +
                     std::clamp(x, 0, columns - 1)];
        };
        Plane slope;
        double mean = 0;
        for (int y = 0; y < v; ++y)
            for (int x = 0; x < w; ++x) {
                const int across = std::min(x + 1, w - 1) - std::max(x - 1, 0),
                          down = std::min(y + 1, v - 1) - std::max(y - 1, 0);
                const double dx = across == 0 ? 0
                                              : (at(h, w, v, x + 1, y) - at(h, w, v, x - 1, y)) /
                                                    (across * distance),
                             dy = down == 0 ? 0
                                            : (at(h, w, v, x, y + 1) - at(h, w, v, x, y - 1)) /
                                                  (down * distance);
                slope.push_back(std::hypot(dx, dy));
                mean += slope.back() / (double(w) * v);
            }
        const double alpha = settings.alpha * mean;
        Plane phi;
        for (const double s : slope)
            phi.push_back(alpha == 0
                              ? 1
                              : alpha / std::max(s, 0.1 * alpha) *
                                    std::pow(std::max(s, 0.1 * alpha) / alpha, settings.beta));
        const int cw = (w + 1) / 2, ch = (v + 1) / 2;
        if (std::min(cw, ch) < 32) return phi;
        constexpr double filter[] = {1. / 16, 4. / 16, 6. / 16, 4. / 16, 1. / 16};
        Plane coarse;
        for (int y = 0; y < ch; ++y)
            for (int x = 0; x < cw; ++x) {
                double sum = 0;
                for (int n = 0; n < 5; ++n)
                    for (int m = 0; m < 5; ++m)
                        sum += filter[n] * filter[m] * at(h, w, v, 2 * x + m - 2, 2 * y + n - 2);
                coarse.push_back(sum);
            }
        const Plane below = attenuation(coarse, cw, ch, 2 * distance, settings);
        for (int y = 0; y < v; ++y)
            for (int x = 0; x < w; ++x) {
                double sum = 0;
                for (const int to_x : {x / 2, (x + 1) / 2})
                    for (const int to_y : {y / 2, (y + 1) / 2})
                        sum += at(below, cw, ch, to_x, to_y) / 4;
                phi[std::size_t(y) * w + x] *= sum;
            }
        return phi;
    }

    // div grad map = div G; the mean of the map is that of h.
    void solve(const Plane& h, const Plane& phi) {
        const auto n = static_cast<Eigen::Index>(h.size());
        test::Entries entries;
        test::Vector right = test::Vector::Zero(n);
        const auto couple = [&](Eigen::Index from, Eigen::Index to) {
            const double flux = (h[to] - h[from]) * (phi[from] + phi[to]) / 2;
            right[from] -= flux;
            right[to] += flux;
            entries.emplace_back(from, from, 1);
            entries.emplace_back(to, to, 1);
            entries.emplace_back(from, to, -1);
            entries.emplace_back(to, from, -1);
        };
        for (int y = 0; y < height_; ++y)
            for (int x = 0; x < width_; ++x) {
                const Eigen::Index k = Eigen::Index(y) * width_ + x;
                if (x + 1 < width_) couple(k, k + 1);
                if (y + 1 < height_) couple(k, k + width_);
            }
        entries.emplace_back(0, 0, 1);  // holds the first pixel
        const test::Vector u = test::solve_symmetric(test::sparse(n, n, entries), right);
        double mean = 0;
        for (const double value : h) mean += value / double(n);
        for (Eigen::Index k = 0; k < n; ++k) map.push_back(u[k] - u.mean() + mean);
    }
    int width_, height_;
};

double greatest_difference(const Plane& a, const Plane& b) {
    EXPECT_EQ(a.size(), b.size());
    double most = 0;
    for (std::size_t k = 0; k < a.size(); ++k) {
        if (!std::isfinite(a[k])) return std::numeric_limits<double>::infinity();
        most = std::max(most, std::abs(a[k] - b[k]));
    }
    return most;
}

// What every device computes: the map and the colours. What follows from them is shown on the cpu.
class ToneMapTest : public testing::TestWithParam<std::string> {
  protected:
    const std::unique_ptr<Device> device = test::make_device(GetParam());
    const bool is_cpu = GetParam() == "cpu";

    template <class Real>
    double error_of(const Image& image, const ToneMapSettings& settings) {
        ToneMap<Real> tone_map(*device, image.width, image.height);
        tone_map.map(image, settings);
        return greatest_difference(tone_map.log_luminance(), Reference(image, settings).map);
    }
};
class MapOnCpu : public testing::Test {
  protected:
    const std::unique_ptr<Device> device = test::make_device("cpu");
};

TEST_P(ToneMapTest, SolvesTheEquations) {
    const Image image = is_cpu ? room(131, 97) : room(67, 97);  // three levels, odd sides
    const ToneMapSettings other{.alpha = 0.3, .beta = 0.8};
    EXPECT_LT(error_of<float>(image, {}), 1e-4);
    EXPECT_LT(error_of<double>(image, other), 1e-6);
    if (is_cpu) {
        EXPECT_LT(error_of<double>(image, {}), 1e-6);
        EXPECT_LT(error_of<float>(image, other), 1e-4);
        EXPECT_LT(error_of<float>(room(64, 160), {}), 1e-4);  // two levels, all sides even
    }
    EXPECT_LT(error_of<float>(room(64, 66), {}), 1e-4);
    EXPECT_LT(error_of<float>(room(33, 32), {}), 1e-4);
}

TEST_P(ToneMapTest, ThinAndSmallPictures) {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {1, 3}, {2, 2}, {300, 1}, {1, 117}, {64, 3}}) {
        SCOPED_TRACE(testing::Message() << width << " x " << height);
        EXPECT_LT(error_of<float>(room(width, height), {}), 1e-4);
        if (is_cpu || width == 300) {
            EXPECT_LT(error_of<double>(room(width, height), {}), 1e-6);
        }
    }
}

// In a mirror it is the same map: nothing depends on the order of pixels. Sides of 2^n + 1 pixels
// have coarser pictures that are mirrored, too.
TEST_F(MapOnCpu, OfAMirroredPictureIsMirrored) {
    constexpr int width = 129, height = 65;
    const auto mirrored = [](const auto& plane, bool in_x) {
        auto result = plane;
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
                result[std::size_t(y) * width + x] =
                    plane[std::size_t(in_x ? y : height - 1 - y) * width +
                          (in_x ? width - 1 - x : x)];
        return result;
    };
    Image image = room(width, height);
    image.green[std::size_t(30) * width + 40] = 1e6f;  // one bright pixel
    ToneMap<double> tone_map(*device, width, height);
    tone_map.map(image, {});
    const Plane map = tone_map.log_luminance();
    for (const bool in_x : {true, false}) {
        Image other = image;
        for (std::vector<float>* channel : {&other.red, &other.green, &other.blue})
            *channel = mirrored(*channel, in_x);
        tone_map.map(other, {});
        EXPECT_LT(greatest_difference(tone_map.log_luminance(), mirrored(map, in_x)), 1e-6);
    }
}

// On both sides of a bright line one pixel wide the picture is as dark.
TEST_F(MapOnCpu, ALineIsNoStep) {
    constexpr int side = 129;
    std::vector<float> light(std::size_t(side) * side, 1.0f);
    for (int y = 0; y < side; ++y) light[std::size_t(y) * side + side / 2] = 100;
    ToneMap<double> tone_map(*device, side, side);
    tone_map.map({side, side, light, light, light}, {});
    const Plane map = tone_map.log_luminance();
    const std::size_t row = std::size_t(64) * side;
    EXPECT_NEAR(map[row + 3], map[row + side - 4], 1e-6);
    EXPECT_NEAR(map[row + 60], map[row + 68], 1e-6);
}

double shown(double colour) {
    return 255 * (colour <= 0.0031308 ? 12.92 * colour : 1.055 * std::pow(colour, 1 / 2.4) - 0.055);
}

TEST_P(ToneMapTest, Colours) {
    Image image = room(90, 71);
    image.red[5] = image.green[5] = image.blue[5] = 0;  // grey, at the least luminance
    const ToneMapSettings settings{.saturation = 0.6, .black = {2, true}, .white = {97, true}};
    ToneMap<double> tone_map(*device, 90, 71);
    const ToneMapReport report = tone_map.map(image, settings);
    EXPECT_EQ(report.black_pixels, 1);
    const Reference reference(image, settings);
    Plane sorted = reference.map;
    std::sort(sorted.begin(), sorted.end());
    const double black = sorted[sorted.size() * 2 / 100], white = sorted[sorted.size() * 97 / 100];
    EXPECT_NEAR(report.black, black, 1e-3);
    EXPECT_NEAR(report.white, white, 1e-3);
    const std::vector<std::uint8_t> rgb = tone_map.colours(settings);
    ASSERT_EQ(rgb.size(), 3 * image.red.size());
    for (std::size_t k = 0; k < image.red.size(); ++k) {
        const double light = std::clamp(
            (std::exp(reference.map[k]) - std::exp(black)) / (std::exp(white) - std::exp(black)),
            0.0, 1.0);
        const float in[] = {image.red[k], image.green[k], image.blue[k]};
        for (std::size_t c = 0; c < 3; ++c) {
            const double part =
                reference.light[k] > 0 ? std::pow(in[c] / reference.light[k], 0.6) : 1;
            ASSERT_NEAR(rgb[3 * k + c], shown(std::min(1.0, part * light)), 1.5)
                << "pixel " << k << " channel " << c;
        }
    }
    // points that are luminances: the same picture
    const ToneMapSettings by_value{.saturation = 0.6,
                                   .black = {std::exp(report.black), false},
                                   .white = {std::exp(report.white), false}};
    tone_map.map(image, by_value);
    EXPECT_EQ(tone_map.colours(by_value), rgb);
}

// Only ratios of luminances count.
TEST_F(MapOnCpu, BrighterLightIsTheSamePicture) {
    const Image image = room(100, 60);
    Image brighter = image;
    for (std::vector<float>* channel : {&brighter.red, &brighter.green, &brighter.blue})
        for (float& value : *channel) value *= 1024;
    ToneMap<double> tone_map(*device, 100, 60);
    tone_map.map(image, {});
    const std::vector<std::uint8_t> rgb = tone_map.colours({});
    tone_map.map(brighter, {});
    const std::vector<std::uint8_t> again = tone_map.colours({});
    for (std::size_t k = 0; k < rgb.size(); ++k) ASSERT_NEAR(rgb[k], again[k], 1) << k;
}

TEST_F(MapOnCpu, RangeIsCompressedAndDetailKept) {
    const Image image = room(200, 150);
    ToneMap<float> tone_map(*device, 200, 150);
    const ToneMapReport report = tone_map.map(image, {});
    EXPECT_GT(report.greatest - report.least, 10);
    EXPECT_LT(report.mapped_greatest - report.mapped_least, 0.6 * (report.greatest - report.least));
    EXPECT_GE(report.levels, 3);
    EXPECT_LE(report.cycles, 6);
}

TEST_P(ToneMapTest, ConstantPictureIsShownAtHalf) {
    for (const auto& [width, height] : {std::pair{1, 1}, {70, 67}}) {
        const std::vector<float> value(std::size_t(width) * height, 3.5f);
        ToneMap<float> tone_map(*device, width, height);
        const ToneMapReport report = tone_map.map({width, height, value, value, value}, {});
        EXPECT_NEAR(report.mapped_least, std::log(3.5), 1e-5);
        EXPECT_NEAR(report.mapped_greatest, std::log(3.5), 1e-5);
        for (const std::uint8_t channel : tone_map.colours({})) ASSERT_EQ(channel, 188);
    }
}

// Of a small lamp in the dark both percentiles are the dark: then all of the map is shown.
TEST_F(MapOnCpu, SmallLightsAreShownOnBlack) {
    constexpr int side = 100;
    std::vector<float> light(std::size_t(side) * side, 0.01f);
    for (int y = 50; y < 54; ++y)
        for (int x = 20; x < 24; ++x) light[std::size_t(y) * side + x] = 10;
    ToneMap<float> tone_map(*device, side, side);
    const Image image{side, side, light, light, light};
    ToneMapSettings settings{.beta = 1};
    const ToneMapReport report = tone_map.map(image, settings);
    EXPECT_TRUE(report.shows_all);
    EXPECT_NEAR(report.black, std::log(0.01), 1e-3);
    EXPECT_NEAR(report.white, std::log(10), 1e-3);
    const std::vector<std::uint8_t> rgb = tone_map.colours(settings);
    EXPECT_EQ(rgb[0], 0);
    EXPECT_EQ(rgb[3 * (std::size_t(51) * side + 21)], 255);
}

// Luminances that are given are kept, however near they are.
TEST_F(MapOnCpu, GivenLuminancesAreKept) {
    constexpr int side = 40;
    std::vector<float> light(std::size_t(side) * side);
    for (std::size_t k = 0; k < light.size(); ++k) light[k] = k % 2 == 0 ? 1.1f : 1.101f;
    ToneMap<double> tone_map(*device, side, side);
    const Image image{side, side, light, light, light};
    const ToneMapSettings settings{.beta = 1, .black = {1.1002, false}, .white = {1.1008, false}};
    EXPECT_FALSE(tone_map.map(image, settings).shows_all);
    const std::vector<std::uint8_t> rgb = tone_map.colours(settings);
    EXPECT_EQ(rgb[0], 0);
    EXPECT_EQ(rgb[3], 255);
}

TEST_P(ToneMapTest, PixelsWithoutLuminance) {
    Image image = room(80, 64);
    constexpr float nan = std::numeric_limits<float>::quiet_NaN(),
                    infinity = std::numeric_limits<float>::infinity();
    image.red[10] = nan;
    image.blue[200] = nan;
    image.green[200] = infinity;  // and no number: nothing is known of it
    image.blue[300] = -infinity;
    image.red[999] = image.green[999] = image.blue[999] = 0;
    image.red[1000] = -5000;
    image.blue[1001] = 1e-40f;
    image.red[1001] = image.green[1001] = 0;
    image.red[1002] = -0.001f * image.green[1002];  // stays, without red
    EXPECT_EQ(clean(image), 6);
    EXPECT_EQ(image.red[1002], 0);
    EXPECT_GT(image.green[1002], 0);
    for (const std::size_t k : {10, 200, 300, 999, 1000, 1001})
        EXPECT_TRUE(image.red[k] == 0 && image.green[k] == 0 && image.blue[k] == 0) << k;
    ToneMap<float> tone_map(*device, 80, 64);
    const ToneMapReport report = tone_map.map(image, {});
    EXPECT_EQ(report.black_pixels, 6);
    EXPECT_LT(greatest_difference(tone_map.log_luminance(), Reference(image, {}).map), 1e-4);

    Image dark{3, 2, std::vector<float>(6), std::vector<float>(6), std::vector<float>(6)};
    EXPECT_THROW(ToneMap<float>(*device, 3, 2).map(dark, {}), InputError);
}

// A pixel of which one channel is infinite is the brightest of all.
TEST_F(MapOnCpu, InfiniteIsBrightest) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    Image image = room(80, 64);
    float greatest = 0;
    for (const auto* channel : {&image.red, &image.green, &image.blue})
        for (const float value : *channel) greatest = std::max(greatest, value);
    image.red[10] = infinity;
    image.red[900] = image.green[900] = image.blue[900] = infinity;
    image.blue[901] = infinity;
    EXPECT_EQ(clean(image), 0);
    EXPECT_EQ(image.infinite, 3);
    for (const std::size_t k : {10, 900, 901})
        for (const auto* channel : {&image.red, &image.green, &image.blue})
            EXPECT_EQ((*channel)[k], greatest) << k;
    ToneMap<double> tone_map(*device, 80, 64);
    tone_map.map(image, {});
    const std::vector<std::uint8_t> rgb = tone_map.colours({});
    EXPECT_EQ(*std::ranges::max_element(rgb), rgb[30]);

    Image bounded = room(80, 64);
    bounded.green[5] = infinity;
    bound_infinite(bounded, 65504);  // what half floats hold
    EXPECT_EQ(bounded.red[5], 65504);
}

TEST_F(MapOnCpu, PointsInTheWrongOrder) {
    ToneMap<float> tone_map(*device, 40, 40);
    EXPECT_THROW(tone_map.map(room(40, 40), {.black = {100, false}, .white = {1, false}}),
                 InputError);
}

// Of so many pixels the map is refused; returns what is said.
std::string refusal(Device& device, int width, int height) {
    try {
        const ToneMap<float> tone_map(device, width, height);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST_P(ToneMapTest, TooLargeForABuffer) {
    if (GetParam() == "cpu" || GetParam() == "cuda") GTEST_SKIP() << "buffers have no limit";
    const std::string message = refusal(*device, 1000000, 1400);
    EXPECT_NE(message.find("1000000 x 1400 pixels are more than a buffer"), message.npos)
        << message;
    EXPECT_NE(message.find("at most"), message.npos) << message;
    EXPECT_NE(message.find("cuda or cpu"), message.npos) << message;
}

TEST_P(ToneMapTest, TooLargeForKernels) {
    const std::string message = refusal(*device, 1000000, 1500);
    EXPECT_NE(message.find("1000000 x 1500 pixels are more than "), message.npos) << message;
    EXPECT_NE(message.find("at most"), message.npos) << message;
    EXPECT_EQ(message.find("cuda or cpu"), message.npos) << message;
}

INSTANTIATE_TEST_SUITE_P(Devices, ToneMapTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::tone_map_test
