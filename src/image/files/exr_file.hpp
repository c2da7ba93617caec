// OpenEXR (.exr).
#pragma once

#include <string>
#include <string_view>

#include "image/files/image.hpp"

namespace solenoid {

bool is_exr(std::string_view bytes);

// Channels R, G and B, or Y alone, in half or single precision or integers, of the first part, in
// scan lines or tiles; others, such as alpha, are left out. The pixels are those of the data
// window, their colours those of `chromaticities`. Throws InputError at `name`, where this build
// has no OpenEXR, too.
Image read_exr(const std::string& name, std::string_view bytes);

}  // namespace solenoid
