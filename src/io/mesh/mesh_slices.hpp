// Mesh files read by all ranks together, one slice each.
#pragma once

#include <filesystem>
#include <optional>

#include "parallel/slices/distribute.hpp"

namespace solenoid {

// Reads and checks tets of a binary Gmsh 4.1 file, with the error messages of read_mesh(). Absent
// on all ranks for other files, and for a file that not all ranks can open: use read_mesh() for
// these. Collective.
std::optional<SlicedMesh> read_mesh_slices(const Communicator& comm,
                                           const std::filesystem::path& file);

}  // namespace solenoid
