// Nodes put into the middle of edges and faces of a mesh.
#pragma once

#include "mesh/face_key.hpp"

namespace solenoid {

// Puts a node into the middle of edges (keys of 2 nodes) or faces (of `dimension`): every cell and
// side that has one is split into as many as that has nodes. `cells`: at least those that have one.
// No two of one cell are split: those of lower keys are, the others are left. How many were split.
std::size_t split_at_middles(SimplexMesh& mesh, const std::vector<FaceKey>& simplices,
                             const std::vector<Index>& cells);

}  // namespace solenoid
