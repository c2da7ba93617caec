// The dual graph of a mesh: cells that share a face.
#pragma once

#include "core/types.hpp"

namespace solenoid {

// Row c: the cell behind the face opposite node j of cell c, or `none`. `cells` holds dimension + 1
// nodes a cell. Faces are matched in buckets of their lowest node: 16 bytes a tet beyond the
// result.
Table face_neighbours(const std::vector<Index>& cells, int dimension, std::size_t nodes);

// The same as rows without `none`.
Rows cell_graph(Table&& neighbours);

}  // namespace solenoid
