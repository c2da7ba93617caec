// The blocks of the ranks, cut such that each of the first levels of a repeated red-black numbering
// is cut into blocks, too: the node (i, j) of a level is (2 i + 1, 2 j + 1) of the one before, so
// all cuts between ranks are multiples of 2^levels.
#pragma once

#include <vector>

#include "grid/rrb/array_shape.hpp"
#include "parallel/communicator.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class RankBlocks {
  public:
    // Of a grid of nx times ny nodes. Throws InputError where it is too small to give each rank a
    // block of two by two nodes.
    RankBlocks(const Communicator& comm, int nx, int ny);

    int nx() const { return nx_; }
    int ny() const { return ny_; }
    // How many levels are cut; the next one is held by all ranks. 0 on one rank.
    int levels() const { return levels_; }
    struct Block {
        int x, y, width, height;
    };
    // Of a level, 1 the finest.
    Block block(int level) const { return block(level, rank_); }
    Block block(int level, int rank) const;

    // Fills the ring of an array from the ranks around; every rank's array has the shape of its
    // block at `level`, or, halved, of a quarter of it.
    HaloPlan ring(int level, bool is_quarter, const ArrayShape& shape) const;
    // Brings the nodes of a level that each rank has to all others. shape: of the whole level.
    HaloPlan replication(int level, const ArrayShape& shape) const;

  private:
    const int nx_, ny_, rank_, ranks_;
    int px_ = 1, py_ = 1, levels_ = 0;
    std::vector<int> cuts_x_, cuts_y_;
};

}  // namespace solenoid
