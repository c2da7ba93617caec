// Structured grids: nodes (i, j), 0 <= i < nx, 0 <= j < ny, cut into blocks over the ranks, and how
// the nodes of a block lie in a buffer (docs/grids.md).
#pragma once

#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace solenoid {

enum GridSide { west, east, south, north };

struct GridExtents {
    int nx = 0, ny = 0;
    bool is_periodic_x = false, is_periodic_y = false;

    std::int64_t nodes() const { return std::int64_t(nx) * ny; }
};

// Nodes [x, x + width) x [y, y + height); x and y are even.
struct GridBlock {
    int x = 0, y = 0, width = 0, height = 0;

    bool contains(int i, int j) const {
        return i >= x && j >= y && i < x + width && j < y + height;
    }
};

// The quarter layout: the nodes of a block in four arrays by the parity of (i, j), one behind the
// other: 0 (even, even), 1 (odd, even), 2 (even, odd), 3 (odd, odd). Each is row-major with a ring
// of one ghost, so that the nodes from x - 2 to x + width + 1 have a place. A neighbour of any node
// of a quarter is at the same distance in the buffer.
class GridLayout {
  public:
    GridLayout() = default;
    GridLayout(const GridExtents& extents, const GridBlock& block);

    const GridExtents& extents() const { return extents_; }
    const GridBlock& block() const { return block_; }
    int pitch() const { return columns_ + 2; }
    int rows() const { return rows_ + 2; }
    Index quarter_size() const { return static_cast<Index>(pitch()) * rows(); }
    Index size() const { return 4 * quarter_size(); }
    // Of node (i, j) of the whole grid, or a ghost of this block; beyond a periodic side i and j go
    // on.
    Index entry(int i, int j) const;
    // From the first to the last node of a quarter: ghosts at both ends of its rows are among them.
    Range nodes(int quarter) const;
    Range nodes() const { return {nodes(0).begin, nodes(3).end}; }
    // The first and last i and j that have a place.
    int first_x() const { return block_.x - 2; }
    int last_x() const { return block_.x + 2 * columns_ + 1; }
    int first_y() const { return block_.y - 2; }
    int last_y() const { return block_.y + 2 * rows_ + 1; }

    // Distances in a buffer from any node of a quarter to the next ones, modulo 2^32.
    struct Shifts {
        std::uint32_t east, west, north, south;
    };
    Shifts shifts(int quarter) const;

  private:
    GridExtents extents_;
    GridBlock block_;
    int columns_ = 0, rows_ = 0;  // of a quarter, without the ring
};

// The blocks of all ranks, cut such that the first `levels` coarser grids, the nodes (2 i, 2 j) of
// the one before, are cut into blocks, too.
class GridBlocks {
  public:
    // Throws InputError where a direction has no nodes, or the grid no block of 2 x 2 nodes for
    // each rank. uncut: lines along that direction stay on one rank. A coarser grid of no more than
    // `small` nodes is not cut: as many as a multigrid solves at once.
    enum class Uncut { neither, x, y };
    static constexpr int small = 300;
    GridBlocks(const GridExtents& extents, int ranks, Uncut uncut = Uncut::neither);

    static bool may_be_cut(const GridExtents& extents) {
        return extents.nx >= 4 || extents.ny >= 4;
    }
    int ranks() const { return px_ * py_; }
    int across() const { return px_; }  // blocks along x; block n of row m is of rank m across + n
    int levels() const { return levels_; }
    GridExtents extents(int level) const;  // of a coarser grid; 0: the grid itself
    GridBlock block(int level, int rank) const;
    std::vector<GridBlock> all() const;  // of the grid itself, by ranks

  private:
    GridExtents extents_;
    int px_ = 1, py_ = 1, levels_ = 0;
    std::vector<int> cuts_x_, cuts_y_;
};

}  // namespace solenoid
