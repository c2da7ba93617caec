#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

// solenoid init MESH [-o CASE.toml] [--physics NAME]: a commented starter case with the mesh's own
// names. Does not replace a file.
int init_case(const std::filesystem::path& mesh_file, const std::filesystem::path& case_file,
              const std::string& physics, const std::string& unit = "m");

}  // namespace solenoid
