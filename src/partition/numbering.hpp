// How a rank numbers what it holds: interior, border, shared, ghost, and near neighbours close in
// memory.
#pragma once

#include <span>

#include "partition/partition.hpp"

namespace solenoid {

enum class CellOrdering { file, hilbert, reverse_cuthill_mckee };

// Cells of `rank` are interior where none of their nodes touches a ghost cell, border otherwise;
// ghosts follow by owner. Each class lies along the curve through the box [low, high], in reverse
// Cuthill-McKee or in file order.
EntityRanges order_cells(PartPiece& held, int rank, CellOrdering ordering, const Vec3& low,
                         const Vec3& high);

// The ranges of a kind, and the owners of entities in [owned, all): the lowest rank among the
// owners of the cells that contain the entity. Of ghosts not all such cells are held; there it is
// the owner of one of them.
struct Numbering {
    EntityRanges ranges;
    std::vector<int> foreign_owner;
};
Numbering order_nodes(PartPiece& held, const EntityRanges& cells, int rank);
Numbering order_entities(Mesh& mesh, Kind kind, const EntityRanges& cells,
                         const std::vector<int>& cell_owner, int rank);

// The entities of one kind (node, edge, face) of each cell, perhaps oriented.
const Table& cell_entities(const Mesh& mesh, Kind kind);

}  // namespace solenoid
