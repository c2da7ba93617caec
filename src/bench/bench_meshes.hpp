// Meshes of benchmarks.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include "mesh/box.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// Two directions in which the lattice of a cube with these nodes has equally many boxes; none for a
// square. The tets of a body-centred lattice do not cross the plane x_i = x_j.
std::optional<std::array<int, 2>> diagonal_of(const std::vector<Vec3>& points);
// The unit cube or square with about this number of cells, with nodes next to the plane x_i = x_j
// of diagonal_of() moved onto it. On the root; absent on other ranks. Collective.
std::optional<SimplexMesh> box_of(const Communicator& comm, Index cells, int dimension = 3);
// The mesh of a file, on the root. Throws InputError on all ranks. Collective.
std::optional<SimplexMesh> mesh_of_file(const Communicator& comm,
                                        const std::filesystem::path& file);

}  // namespace solenoid::bench
