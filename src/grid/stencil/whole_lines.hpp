// Lines of a grid along one direction, whole on each rank that has a part of them: what is computed
// of them does not depend on where they are cut.
#pragma once

#include <map>

#include "grid/grid.hpp"

namespace solenoid {

template <class Real>
class WholeLines {
  public:
    // Those that run through this rank's block. direction: 0 along x, 1 along y. Collective.
    WholeLines(const Grid<Real>& grid, int direction);

    // As that of the grid on one rank, less what is beside the block.
    const GridLayout& layout() const { return layout_; }
    Buffer<Real> field(int columns = 1) const {
        return grid_->device().template buffer<Real>(layout_.size(), columns);
    }
    // 1 on all nodes, 0 on all other entries.
    Buffer<Real> marker() const;
    // A field of the grid at the nodes of the lines, and round a periodic direction at the ghosts
    // next to their ends; at this rank's own nodes and these ghosts alone; and back, at this rank's
    // own nodes. bring() is collective.
    void bring(const Buffer<Real>& from, Buffer<Real>& to);
    void bring_own(const Buffer<Real>& from, Buffer<Real>& to);
    void take_own(const Buffer<Real>& from, Buffer<Real>& to);

  private:
    struct Copy {
        Buffer<std::uint32_t> from, to;
    };
    void copy(const Copy& which, const Buffer<Real>& from, Buffer<Real>& to);

    const Grid<Real>* grid_;
    GridLayout layout_;
    Copy there_, back_;
    HaloPlan plan_;
    std::map<int, Halo<Real>> halos_;        // by columns
    std::map<int, Buffer<Real>> copies_[2];  // likewise: of there_, of back_
};

}  // namespace solenoid
