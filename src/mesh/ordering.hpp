// Orders of cells in which neighbours are close in memory. order[i] is the old number of new cell
// i.
#pragma once

#include "mesh/mesh.hpp"

namespace solenoid {

// Position along the Hilbert curve through the box [low, high], 21 bits per direction (Skilling
// 2004).
std::uint64_t hilbert_index(const Vec3& point, const Vec3& low, const Vec3& high, int dimension);

std::vector<Index> hilbert_order(const std::vector<Vec3>& points, int dimension);
// Reverse Cuthill-McKee of a graph (Cuthill & McKee 1969, reversed: George 1971).
std::vector<Index> reverse_cuthill_mckee(const Rows& neighbours);

}  // namespace solenoid
