// What the readers of pictures believe a header.
#pragma once

#include <cstdint>
#include <string>

namespace solenoid {

// Throws InputError at `place` unless the sides are positive, and bearable, and the file long
// enough for so many pixels: a header of a few bytes must not cost any memory that it likes.
void check_image_size(const std::string& place, std::int64_t width, std::int64_t height,
                      std::size_t bytes);

}  // namespace solenoid
