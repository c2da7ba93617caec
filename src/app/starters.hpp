// Starter cases for a mesh, by what the names of its boundaries say.
#pragma once

#include <filesystem>
#include <string>

#include "mesh/mesh.hpp"

namespace solenoid {

std::string heat_starter(const std::filesystem::path& mesh_file, const Mesh& mesh);
std::string flow_starter(const std::filesystem::path& mesh_file, const Mesh& mesh);

}  // namespace solenoid
