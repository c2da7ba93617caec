#pragma once

#include <filesystem>

#include "view/canvas.hpp"

namespace solenoid {

// Writes an opaque picture. The file appears under its name when it is complete. Throws InputError.
void write_png(const std::filesystem::path& file, const Canvas& canvas);

}  // namespace solenoid
