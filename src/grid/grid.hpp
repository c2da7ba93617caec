// A structured grid on a device: this rank's part of it, its fields, and what needs other ranks or
// the other side of a periodic direction.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <vector>

#include "device/device.hpp"
#include "grid/grid_layout.hpp"
#include "parallel/communicator.hpp"
#include "parallel/halo.hpp"

namespace solenoid {

// Fields are buffers of layout().size() entries in the quarter layout. Ghosts beyond a side that is
// not periodic are zero as long as nothing else is written there.
template <class Real>
class Grid {
  public:
    // All blocks of a level of `blocks` (GridBlocks::levels); a coarser one, and any on one rank,
    // is held whole by every rank. Collective.
    Grid(const Communicator& comm, Device& device, const GridBlocks& blocks, int level = 0);

    const Communicator& comm() const { return comm_; }
    Device& device() const { return device_; }
    const GridLayout& layout() const { return layout_; }
    const GridBlocks& blocks() const { return blocks_; }
    bool is_whole() const { return is_whole_; }  // on this rank
    // Who makes launches with sums over nodes: of a grid held whole every rank has them all, alone.
    const Communicator& summing() const { return summing_; }
    int level() const { return level_; }
    Buffer<Real> field(int columns = 1) const {
        return device_.buffer<Real>(layout_.size(), columns);
    }
    // 1 on the nodes of this rank where `is_in` holds (none: everywhere), 0 on all other entries.
    Buffer<Real> marker(const std::function<bool(int i, int j)>& is_in = nullptr) const;

    // Fills the ghosts. Collective.
    void exchange(Buffer<Real>& field) const;

    // Row by row the nodes of the block, and the other way round, column by column of the field.
    // Ghosts are zero behind from_host().
    void from_host(std::span<const double> values, Buffer<Real>& field) const;
    std::vector<double> to_host(const Buffer<Real>& field) const;
    // The field of a function of the nodes of the whole grid, on this rank's.
    Buffer<Real> field_of(const std::function<double(int i, int j)>& value) const;

    // Sum of marker x y and greatest of marker |x| over the nodes of all ranks. Collective.
    double dot(const Buffer<Real>& marker, const Buffer<Real>& x, const Buffer<Real>& y) const;
    double greatest(const Buffer<Real>& marker, const Buffer<Real>& x) const;
    // Takes the mean over the marked nodes of all ranks out of them. Collective.
    void remove_mean(const Buffer<Real>& marker, Buffer<Real>& x) const;

  private:
    void make_plan();
    Communicator comm_, summing_;
    Device& device_;
    GridBlocks blocks_;
    int level_;
    bool is_whole_;
    GridLayout layout_;
    HaloPlan plan_;
    Buffer<std::uint32_t> copied_from_, copied_to_;  // ghosts of this rank's own nodes
    mutable Buffer<Real> copies_;
    mutable std::map<int, Halo<Real>> halos_;  // by columns
};

}  // namespace solenoid
