// The order of a rank's cells where nodes at one place are coupled.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "partition/numbering.hpp"

namespace solenoid {

// As order_cells, of a piece that holds the cells at all nodes of a place where it has one of them:
// what touches a ghost at one of those nodes touches it at all.
EntityRanges order_cells(PartPiece& held, const CoupledNodes& coupled, int rank,
                         CellOrdering ordering, const Vec3& low, const Vec3& high);

}  // namespace solenoid
