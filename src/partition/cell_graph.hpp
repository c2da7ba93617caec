// The dual graph of a mesh, which joins cells that share a face.
#pragma once

#include "core/types.hpp"

namespace solenoid {

// Row c: for each j the cell behind the face opposite node j of cell c, or `none`. cells: dimension
// + 1 nodes per cell. Faces are matched within buckets of equal lowest node; this takes 16 bytes
// per tet beyond the result. Throws InputError for more than 2^32 cell corners.
Table face_neighbours(const std::vector<Index>& cells, int dimension, std::size_t nodes);

// The neighbours as rows without `none`.
Rows cell_graph(Table&& neighbours);

}  // namespace solenoid
