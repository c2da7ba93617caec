// Pictures of high dynamic range. What is accepted has as many values as pixels, and, once cleaned,
// finite ones that are not negative.
#include "image/files/image.hpp"

#include <cmath>

#include "fuzz/target.hpp"

namespace solenoid::fuzz {

void read_input(std::string_view bytes) {
    const std::filesystem::path file = scratch_file("picture", bytes);
    Image image;
    if (!accepts(file.string(), [&] { image = read_image(file); })) return;
    const auto pixels = static_cast<std::size_t>(image.pixels());
    if (image.width < 1 || image.height < 1) finding("a picture without pixels");
    for (const auto* channel : {&image.red, &image.green, &image.blue})
        if (channel->size() != pixels) finding("not as many values as pixels");
    const std::int64_t black = clean(image);
    std::int64_t found = 0;
    for (std::size_t k = 0; k < pixels; ++k) {
        for (const auto* channel : {&image.red, &image.green, &image.blue})
            if (!std::isfinite((*channel)[k]) || (*channel)[k] < 0)
                finding("a value that cannot be mapped");
        if (!(luminance(image.red[k], image.green[k], image.blue[k]) > 0)) ++found;
    }
    if (found != black) finding("not as many black pixels as said");
}

}  // namespace solenoid::fuzz
