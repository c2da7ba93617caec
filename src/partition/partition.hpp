// Cutting a mesh: parts of cells, what each rank holds of it, and how its entities are numbered.
// Plain data, no MPI.
#pragma once

#include "mesh/mesh.hpp"

namespace solenoid {

struct Partition {
    std::vector<int> part;     // of each cell
    std::size_t edge_cut = 0;  // faces between cells of different parts
    double imbalance = 1;      // cells of the largest part over the mean
};

struct PartitionSettings {
    // ask METIS for connected parts (it obliges where the mesh is connected)
    bool contiguous = false;
    int seed = 1;  // the same seed gives the same parts
};

// Throws InputError where parts > cells.
void require_fit(GlobalIndex cells, int parts);

// METIS k-way on the graph of cells that share a face (Karypis & Kumar 1998). No part is empty: the
// ones that METIS leaves empty at small sizes take half of the largest. The graph has at most
// most_arcs.
Partition partition_graph(Rows& graph, int parts, const PartitionSettings& settings = {});
inline constexpr std::size_t most_arcs = 0x7FFFFFFF;  // METIS counts with 32 bits

// What a rank holds: its cells and, as ghosts, every cell that shares a node with one of them.
struct PartPiece {
    MeshPiece piece;
    std::vector<int> cell_owner;  // rank that owns each cell held
    // connected component of the whole mesh that each node lies in
    std::vector<Index> node_component;
};

// Entities of a kind are numbered interior, border, shared, ghost:
//   [0, interior)      marker 1, and no stencil here reads a ghost
//   [interior, owned)  marker 1, next to another rank's cells
//   [owned, shared)    belongs to a cell of this rank, but marked on another: computed here
//       too, the same
//   [shared, all)      belongs to ghost cells only
// For cells owned == shared. The marker is 1 on exactly one rank for every entity.
struct EntityRanges {
    Index interior = 0, owned = 0, shared = 0, all = 0;

    Range whole() const { return {0, all}; }
    Range owned_range() const { return {0, owned}; }
    Range inside() const { return {0, interior}; }
    Range border() const { return {interior, owned}; }
};

}  // namespace solenoid
