#pragma once

#include <filesystem>
#include <string>

namespace solenoid {

// Command `solenoid init MESH [-o CASE.toml] [--physics NAME]`: writes a commented starter case
// with the names of the mesh. Returns the exit code. Throws InputError where the file exists.
int init_case(const std::filesystem::path& mesh_file, const std::filesystem::path& case_file,
              const std::string& physics, const std::string& unit = "m");

}  // namespace solenoid
