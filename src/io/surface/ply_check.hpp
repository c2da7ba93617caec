// Whether a PLY file has what its head promises, for VTK's reader believes the head.
#pragma once

#include <filesystem>

namespace solenoid {

// Throws InputError with the line or the number of the entry.
void check_ply(const std::filesystem::path& file);

}  // namespace solenoid
