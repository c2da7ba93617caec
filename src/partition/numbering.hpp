// Numbering of the entities of a rank: interior, border, shared, ghost; neighbours close in memory.
#pragma once

#include <span>

#include "partition/partition.hpp"

namespace solenoid {

enum class CellOrdering { file, hilbert, reverse_cuthill_mckee };

// Orders the cells of a rank. Own cells without a node on a ghost cell are interior, the others
// border; ghosts follow by owner. Within each class cells lie along the Hilbert curve through the
// box [low, high], in reverse Cuthill-McKee or in file order.
EntityRanges order_cells(PartPiece& held, int rank, CellOrdering ordering, const Vec3& low,
                         const Vec3& high);

// Ranges of the entities of a kind, and the owners of those in [owned, all): the lowest rank among
// the owners of all cells that contain the entity. For ghosts, of which not all such cells are
// held, the owner of one of them.
struct Numbering {
    EntityRanges ranges;
    std::vector<int> foreign_owner;
};
Numbering order_nodes(PartPiece& held, const EntityRanges& cells, int rank);
Numbering order_entities(Mesh& mesh, Kind kind, const EntityRanges& cells,
                         const std::vector<int>& cell_owner, int rank);

// The entities of a kind (node, edge, face) of each cell, oriented where the table of Mesh is.
const Table& cell_entities(const Mesh& mesh, Kind kind);

}  // namespace solenoid
