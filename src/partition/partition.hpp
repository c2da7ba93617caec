// Partitioning of a mesh: the part of each cell, the piece of each rank, the ranges of its
// entities. Plain data, no MPI.
#pragma once

#include "mesh/mesh.hpp"

namespace solenoid {

struct Partition {
    std::vector<int> part;     // of each cell
    std::size_t edge_cut = 0;  // faces between cells of different parts
    double imbalance = 1;      // cells of the largest part over the mean
};

struct PartitionSettings {
    // asks METIS for connected parts; has no effect where the mesh is not connected
    bool contiguous = false;
    int seed = 1;  // the same seed gives the same parts
};

// Throws InputError if parts > cells.
void require_fit(GlobalIndex cells, int parts);

// METIS k-way partition of the graph of cells that share a face (Karypis & Kumar 1998). No part is
// empty: a part that METIS leaves empty gets half of the largest. The graph has at most most_arcs
// arcs.
Partition partition_graph(Rows& graph, int parts, const PartitionSettings& settings = {});
inline constexpr std::size_t most_arcs = 0x7FFFFFFF;  // METIS counts with 32 bits

// The piece of a rank: its cells and, as ghosts, every cell that shares a node with one of them.
struct PartPiece {
    MeshPiece piece;
    std::vector<int> cell_owner;  // rank that owns each cell held
    // component of the whole mesh that each node lies in
    std::vector<Index> node_component;
};

// Ranges of the entities of a kind, which are numbered interior, border, shared, ghost:
//   [0, interior)      owned, and no stencil here reads a ghost
//   [interior, owned)  owned, next to another rank's cells
//   [owned, shared)    of a cell of this rank, owned by another: computed on both, with
//                      the same result
//   [shared, all)      of ghost cells only
// For cells owned == shared. Every entity is owned by exactly one rank.
struct EntityRanges {
    Index interior = 0, owned = 0, shared = 0, all = 0;

    Range whole() const { return {0, all}; }
    Range owned_range() const { return {0, owned}; }
    Range inside() const { return {0, interior}; }
    Range border() const { return {interior, owned}; }
};

}  // namespace solenoid
