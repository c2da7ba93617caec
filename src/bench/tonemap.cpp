// Tone mapping of a picture of high dynamic range (docs/tone-mapping.md): from its upload to the
// download of its colours, without files.
#include <cmath>

#include "bench/benchmark.hpp"
#include "bench/timing.hpp"
#include "image/tone_map.hpp"

namespace solenoid::bench {
namespace {

// 4 : 3, of about so many pixels: windows in a dark room, with texture down to the pixel.
Image picture(Index pixels) {
    Image image;
    image.width = std::max(1, static_cast<int>(std::lround(std::sqrt(pixels * 4.0 / 3))));
    image.height = std::max(1, static_cast<int>(pixels / static_cast<Index>(image.width)));
    const auto size = static_cast<std::size_t>(image.pixels());
    for (std::vector<float>* channel : {&image.red, &image.green, &image.blue})
        channel->reserve(size);
    std::uint32_t state = 1;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(image.width),
                        v = (static_cast<float>(y) + 0.5f) / static_cast<float>(image.height);
            state = state * 1664525u + 1013904223u;
            const float noise = 0.8f + 0.4f * static_cast<float>(state >> 8) / 16777216.0f;
            const bool is_window = v > 0.2f && v < 0.6f && std::fmod(3 * u, 1.0f) > 0.6f;
            const float light = (is_window ? 2000 * (1.2f - v) : 0.05f + 0.3f * u) * noise;
            image.red.push_back(light);
            image.green.push_back(light * (1 - 0.3f * v));
            image.blue.push_back(light * (0.6f + 0.5f * u));
        }
    return image;
}

class TonemapBenchmark : public Benchmark {
  public:
    std::string name() const override { return "tonemap"; }
    std::string help() const override {
        return "tone mapping of a picture on each rank, from its upload to the download";
    }
    std::string size_help() const override { return "pixels of the picture, 1e6 a megapixel"; }
    std::vector<Index> default_sizes() const override { return {1000000, 20000000}; }
    void run(const Session& session) override {
        const std::unique_ptr<Device> device = session.device();
        for (const Index pixels : session.settings.sizes)
            session.is_double() ? measure<double>(session, *device, pixels)
                                : measure<float>(session, *device, pixels);
    }

  private:
    template <class Real>
    void measure(const Session& session, Device& device, Index pixels) const {
        const Image image = picture(pixels);
        const ToneMapSettings settings;
        const Timer timer(session.comm, device, session.settings.repeats);
        std::unique_ptr<ToneMap<Real>> tone_map;
        ToneMapReport report;
        std::vector<std::uint8_t> rgb;
        const Timing set_up = timer.of_each(
            [&] { tone_map.reset(); },
            [&] { tone_map = std::make_unique<ToneMap<Real>>(device, image.width, image.height); });
        const Timing mapping = timer.of_each([] {},
                                             [&] {
                                                 report = tone_map->map(image, settings);
                                                 rgb = tone_map->colours(settings);
                                             });
        session.results.add({{"megapixels", 1e-6 * static_cast<double>(image.pixels())},
                             {"width", image.width},
                             {"height", image.height},
                             {"precision", session.settings.precision},
                             {"cycles", report.cycles},
                             {"set_up_seconds", set_up.seconds},
                             {"seconds", mapping.seconds},
                             {"spread", mapping.relative_quartiles},
                             {"bytes_of_device", static_cast<double>(device.allocated_bytes())}});
    }
};

}  // namespace

Benchmark& tonemap() {
    static TonemapBenchmark benchmark;
    return benchmark;
}

}  // namespace solenoid::bench
