// Recognises files that are no Gmsh meshes, so that the refusal can name what they are and the way
// out.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace solenoid {

// What the file is and what to do, as a sentence.
std::string describe_foreign_mesh(const std::filesystem::path& file, std::string_view bytes);

}  // namespace solenoid
