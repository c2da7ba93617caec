// Radiance HDR (.hdr, .pic): RGBE pixels, plain or run-length encoded.
#pragma once

#include <string>
#include <string_view>

#include "image/files/image.hpp"

namespace solenoid {

bool is_radiance(std::string_view bytes);

// Both run-length encodings and plain pixels; all eight orientations; divided by what EXPOSURE and
// COLORCORR lines say, of the colours of PRIMARIES. Throws InputError at `name`, with the byte.
Image read_radiance(const std::string& name, std::string_view bytes);

}  // namespace solenoid
