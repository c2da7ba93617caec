// Meshes that benchmarks run on.
#pragma once

#include <filesystem>
#include <optional>

#include "mesh/box.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// The unit cube, or square, with about so many cells; on the root, nothing elsewhere. Collective.
std::optional<SimplexMesh> box_of(const Communicator& comm, Index cells, int dimension = 3);
// Of a file. Throws InputError, on all ranks.
std::optional<SimplexMesh> mesh_of_file(const Communicator& comm, const std::filesystem::path& file);

}  // namespace solenoid::bench
