// Pictures of high dynamic range in the memory of the host: read from Radiance HDR and OpenEXR.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace solenoid {

// Linear light by the primaries of Rec. 709, row by row from the top left: width x height values
// each. The unit is the file's (of Radiance watt/sr/m^2).
struct Image {
    int width = 0, height = 0;
    std::vector<float> red, green, blue;
    std::int64_t infinite = 0;  // pixels with a channel of +infinity, which are white since

    std::int64_t pixels() const { return std::int64_t(width) * height; }
};

// Of linear red, green and blue (Rec. 709).
inline double luminance(double red, double green, double blue) {
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

// A pixel with a channel of +infinity is brighter than its file can say. It becomes white: each
// channel is the greatest number that is finite in the image, or `least`, whichever is greater.
// Without either it stays. A channel that is no number leaves its pixel as it is.
void bound_infinite(Image& image, float least);

// Makes an image one that can be mapped: what has no colour that can be shown becomes black, (0, 0,
// 0), and negative channels of other pixels zero; bounds what is +infinite. Black become pixels
// with a channel that is no number or -infinite, and those whose luminance is not positive (or
// below 1e-37, as good as zero). Returns how many pixels are black.
std::int64_t clean(Image& image);

// Whether this build reads OpenEXR.
bool reads_openexr();

// By what the file begins with. Throws InputError with the file and, where there is one, the byte.
Image read_image(const std::filesystem::path& file);

}  // namespace solenoid
