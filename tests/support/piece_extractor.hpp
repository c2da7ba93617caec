// A mesh that is held as a whole, cut into the pieces of all ranks in the plainest way: what slices
// are compared with.
#pragma once

#include "partition/partition.hpp"

namespace solenoid {

// partition_graph() of the mesh's cells. Throws InputError where parts > cells.
Partition partition_cells(const SimplexMesh& mesh, int parts,
                          const PartitionSettings& settings = {});

// Cuts out the pieces of all ranks in turn, each in time proportional to its size. Keeps references
// to both.
class PieceExtractor {
  public:
    PieceExtractor(const SimplexMesh& mesh, const Partition& partition);
    PartPiece extract(int rank);  // own cells first, then ghosts, both in ascending cell number
    Index components() const { return components_; }

  private:
    std::vector<Index> held_cells(int rank);
    void take_nodes(const std::vector<Index>& held, PartPiece& result);
    void take_sides(PartPiece& result) const;
    bool is_held_face(const Index* side) const;

    const SimplexMesh& mesh_;
    const Partition& partition_;
    Rows part_cells_;  // cells of each part
    Rows node_cells_;  // cells round each node
    Rows node_sides_;  // sides whose first node it is
    std::vector<Index> node_component_;
    Index components_ = 0;
    std::vector<Index> local_node_;      // in the piece under way, or none
    std::vector<std::uint8_t> is_held_;  // cell in the piece under way
};
PartPiece extract_piece(const SimplexMesh& mesh, const Partition& partition, int rank);

}  // namespace solenoid
