#include "image/files/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "image/files/exr_file.hpp"
#include "image/files/image_limits.hpp"
#include "image/files/radiance_file.hpp"
#include "io/mesh/file_content.hpp"

namespace solenoid {

void bound_infinite(Image& image, float least) {
    constexpr float infinity = std::numeric_limits<float>::infinity();
    float greatest = least;
    for (const auto* channel : {&image.red, &image.green, &image.blue})
        for (const float value : *channel)
            if (value < infinity) greatest = std::max(greatest, value);
    if (!(greatest > 0)) return;
    for (std::size_t k = 0; k < image.red.size(); ++k) {
        float* const channels[] = {&image.red[k], &image.green[k], &image.blue[k]};
        const bool is_infinite = std::ranges::any_of(
            channels, [](const float* channel) { return *channel == infinity; });
        const bool is_number = std::ranges::none_of(
            channels, [](const float* channel) { return std::isnan(*channel); });
        if (!is_infinite || !is_number) continue;
        for (float* channel : channels) *channel = greatest;
        ++image.infinite;
    }
}

std::int64_t clean(Image& image) {
    bound_infinite(image, 0);
    constexpr double least = 1e-37;  // above the least normal float
    std::int64_t black = 0;
    for (std::size_t k = 0; k < image.red.size(); ++k) {
        float* const channels[] = {&image.red[k], &image.green[k], &image.blue[k]};
        const double light = luminance(image.red[k], image.green[k], image.blue[k]);
        if (std::isfinite(light) && light >= least) {
            for (float* channel : channels) *channel = std::max(*channel, 0.0f);
        } else {
            for (float* channel : channels) *channel = 0;
            ++black;
        }
    }
    return black;
}

void check_image_size(const std::string& place, std::int64_t width, std::int64_t height,
                      std::size_t bytes) {
    // the last: what the PNG's writer counts with 32 bits
    constexpr std::int64_t most_side = 1000000, most_pixels = 333000000, believed = 8000000,
                           pixels_a_byte = 8;
    if (width < 1 || height < 1)
        throw InputError(place, fmt::format("{} x {} pixels: there must be some", width, height));
    if (width > most_side || height > most_side)
        throw InputError(
            place, fmt::format("{} x {} pixels: a side has {} at most", width, height, most_side));
    if (width * height > most_pixels)
        throw InputError(place, fmt::format("{} x {} pixels: {} megapixels are read at most: make "
                                            "the picture smaller",
                                            width, height, most_pixels / 1000000));
    const std::int64_t most = believed + pixels_a_byte * static_cast<std::int64_t>(bytes);
    if (width * height > most)
        throw InputError(
            place, fmt::format("{} x {} pixels in a file of {} bytes: that is not believed, of so "
                               "many bytes at most {} pixels are: is the file cut off?",
                               width, height, bytes, most));
}

Image read_image(const std::filesystem::path& file) {
    const FileContent content =
        read_whole(file, "a picture in Radiance HDR (.hdr) or OpenEXR (.exr)");
    const std::string name = file.string();
    if (is_exr(content.view())) return read_exr(name, content.view());
    if (is_radiance(content.view())) return read_radiance(name, content.view());
    throw InputError(name,
                     "this is neither Radiance HDR, which begins with #?, nor OpenEXR: convert it "
                     "(other pictures have too small a range to be mapped)");
}

}  // namespace solenoid
