// The order of a rank's cells on a mesh with coupled nodes.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "partition/numbering.hpp"

namespace solenoid {

// order_cells() for a piece that holds the cells at all nodes of a place where it holds one of
// them: what touches a ghost at one of these nodes counts as touching it at all of them.
EntityRanges order_cells(PartPiece& held, const CoupledNodes& coupled, int rank,
                         CellOrdering ordering, const Vec3& low, const Vec3& high);

}  // namespace solenoid
