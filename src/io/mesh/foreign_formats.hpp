// Recognition of files that are not Gmsh meshes, for an error message that names their format and a
// remedy.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace solenoid {

// A sentence with the format of the file and a remedy.
std::string describe_foreign_mesh(const std::filesystem::path& file, std::string_view bytes);

}  // namespace solenoid
