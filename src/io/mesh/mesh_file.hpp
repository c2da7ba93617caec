// Mesh files: Gmsh 2.2 and 4.1, ASCII and binary, both byte orders.
#pragma once

#include <filesystem>

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

// Reads and checks a mesh (check_and_repair). Throws InputError with file and line (text) or byte
// (binary).
SimplexMesh read_mesh(const std::filesystem::path& file);

// Writes Gmsh 4.1, binary or ASCII. The file appears under its name when it is complete.
void write_gmsh(const SimplexMesh& mesh, const std::filesystem::path& file, bool binary = true);

}  // namespace solenoid
