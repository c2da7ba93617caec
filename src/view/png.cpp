#include "view/png.hpp"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>

#include <fstream>

#include "core/error.hpp"

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
    std::filesystem::path unfinished = file;
    unfinished += ".part";
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    {
        std::ofstream out(unfinished, std::ios::binary);
        const auto write = [](void* to, void* data, int size) {
            static_cast<std::ofstream*>(to)->write(static_cast<const char*>(data), size);
        };
        const auto rgb = without_alpha(canvas);
        stbi_write_png_to_func(write, &out, canvas.width(), canvas.height(), 3, rgb.data(),
                               3 * canvas.width());
        out.close();
        if (!out) throw InputError(file.string(), "cannot be written");
    }
    std::filesystem::rename(unfinished, file, error);
    if (error) throw InputError(file.string(), "cannot be written: " + error.message());
}

}  // namespace solenoid
