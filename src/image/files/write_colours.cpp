#include "image/files/write_colours.hpp"

#include <utility>
#include <vector>

#include "view/png.hpp"

namespace solenoid {

void write_colours(const std::filesystem::path& file, int width, int height,
                   std::span<const std::uint8_t> rgb) {
    std::vector<std::uint8_t> rgba;
    rgba.reserve(rgb.size() / 3 * 4);
    for (std::size_t k = 0; k + 3 <= rgb.size(); k += 3) {
        rgba.insert(rgba.end(), &rgb[k], &rgb[k] + 3);
        rgba.push_back(255);
    }
    write_png(file, Canvas(width, height, std::move(rgba)));
}

}  // namespace solenoid
