// A picture of 8 bits a channel as PNG.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>

namespace solenoid {

// rgb: red, green and blue, 0 to 255, of each pixel, row by row from the top left. The file appears
// under its name when it is complete. Throws WriteError.
void write_colours(const std::filesystem::path& file, int width, int height,
                   std::span<const std::uint8_t> rgb);

}  // namespace solenoid
