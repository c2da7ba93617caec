#pragma once

#include <filesystem>

namespace solenoid {

// False for what is not there, too. A folder, a pipe or a device is none: reading one may wait for
// ever, or never end.
bool is_regular(const std::filesystem::path& file);
// Throws InputError where something is there that is none.
void refuse_irregular(const std::filesystem::path& file);

}  // namespace solenoid
