// Splitting of cells at the middles of edges and faces.
#pragma once

#include "mesh/face_key.hpp"

namespace solenoid {

// Puts a node into the middle of edges (keys of 2 nodes) or faces (keys of `dimension`). Every cell
// and side that contains one is split into as many as it has nodes. cells: at least those that
// contain one. Of the simplices of one cell only that with the lowest key is split. Returns the
// number of simplices split.
std::size_t split_at_middles(SimplexMesh& mesh, const std::vector<FaceKey>& simplices,
                             const std::vector<Index>& cells);

}  // namespace solenoid
