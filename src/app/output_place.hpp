// Where a command writes a file that the user names.
#pragma once

#include <filesystem>

namespace solenoid {

// Throws InputError where `file` is a folder, is there already (unless overwrite), or cannot be
// reached. Makes its folder.
void check_output_place(const std::filesystem::path& file, bool overwrite);

}  // namespace solenoid
