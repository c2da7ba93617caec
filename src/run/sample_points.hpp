// A few representative points of a mesh, equal on any number of ranks.
#pragma once

#include <string>
#include <vector>

#include "parallel/topology.hpp"

namespace solenoid {

constexpr std::size_t most_sample_points = 16;

// Centroids of faces of a boundary, or of cells of a region ("": of all): at most 16, chosen by a
// hash of their nodes' coordinates. Collective.
std::vector<Vec3> boundary_samples(const Communicator& comm, const Topology& topology,
                                   const std::string& boundary);
std::vector<Vec3> cell_samples(const Communicator& comm, const Topology& topology,
                               const std::string& region = "");

}  // namespace solenoid
