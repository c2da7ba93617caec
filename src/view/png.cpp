#include "view/png.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#include <new>
#include <string>

#include "io/files/atomic_file.hpp"

namespace solenoid {
namespace {

std::vector<std::uint8_t> without_alpha(const Canvas& canvas) {
    const auto& rgba = canvas.rgba();
    std::vector<std::uint8_t> rgb;
    rgb.reserve(rgba.size() / 4 * 3);
    for (std::size_t i = 0; i < rgba.size(); i += 4) rgb.insert(rgb.end(), &rgba[i], &rgba[i] + 3);
    return rgb;
}

}  // namespace

void write_png(const std::filesystem::path& file, const Canvas& canvas) {
    std::string bytes;
    const auto append = [](void* to, void* data, int size) {
        static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                              static_cast<std::size_t>(size));
    };
    const auto rgb = without_alpha(canvas);
    if (stbi_write_png_to_func(append, &bytes, canvas.width(), canvas.height(), 3, rgb.data(),
                               3 * canvas.width()) == 0)
        throw std::bad_alloc();
    std::error_code ignored;  // the write reports the error
    std::filesystem::create_directories(file.parent_path(), ignored);
    write_atomically(file, bytes);
}

}  // namespace solenoid
