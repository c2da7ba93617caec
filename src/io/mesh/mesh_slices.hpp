// Mesh files that all ranks read together, a slice each.
#pragma once

#include <filesystem>
#include <optional>

#include "parallel/slices/distribute.hpp"

namespace solenoid {

// Reads and checks tets of Gmsh 4.1 in binary, with read_mesh's words where they are refused.
// Nothing, on every rank, where the file is another one, or not to be seen from every rank:
// read_mesh is for it. Collective.
std::optional<SlicedMesh> read_mesh_slices(const Communicator& comm,
                                           const std::filesystem::path& file);

}  // namespace solenoid
