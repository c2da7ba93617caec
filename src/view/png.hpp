#pragma once

#include <filesystem>

#include "view/canvas.hpp"

namespace solenoid {

// Writes an opaque picture; the file appears whole or not at all. Throws InputError.
void write_png(const std::filesystem::path& file, const Canvas& canvas);

}  // namespace solenoid
