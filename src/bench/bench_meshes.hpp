// Meshes that benchmarks run on.
#pragma once

#include <array>
#include <filesystem>
#include <optional>

#include "mesh/box.hpp"
#include "parallel/communicator.hpp"

namespace solenoid::bench {

// Two directions in which a cube's lattice has as many boxes, of its nodes; none in a square. Tets
// of a body-centred lattice do not cross the plane x_i = x_j.
std::optional<std::array<int, 2>> diagonal_of(const std::vector<Vec3>& points);
// The unit cube, or square, with about so many cells, the nodes on the plane above exactly on it;
// on the root, nothing elsewhere. Collective.
std::optional<SimplexMesh> box_of(const Communicator& comm, Index cells, int dimension = 3);
// Of a file. Throws InputError, on all ranks.
std::optional<SimplexMesh> mesh_of_file(const Communicator& comm,
                                        const std::filesystem::path& file);

}  // namespace solenoid::bench
