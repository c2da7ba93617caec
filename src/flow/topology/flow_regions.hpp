// The regions of a domain (cells joined by faces), and which of them have an outlet: a boundary
// face without a prescribed flux.
#pragma once

#include <set>

#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class FlowRegions {
  public:
    // prescribed: one flag for each face held. Collective.
    FlowRegions(const Communicator& comm, const DistributedMesh& mesh,
                const std::vector<bool>& prescribed);

    // The region of a cell held: the lowest number of its cells.
    GlobalIndex of_cell(Index cell) const { return of_cell_[cell]; }
    bool has_outlet(GlobalIndex region) const { return open_.count(region) > 0; }
    bool have_outlets() const { return !open_.empty(); }
    Index count() const { return static_cast<Index>(all_.size()); }
    // The number of regions without an outlet, and the one of each cell held, or `none`.
    Index closed() const { return static_cast<Index>(all_.size() - open_.size()); }
    std::vector<Index> closed_of_cells() const;

  private:
    std::vector<GlobalIndex> of_cell_;
    std::set<GlobalIndex> all_, open_;
};

// The union of the values of all ranks. Collective.
std::set<GlobalIndex> distinct(const Communicator& comm, const std::set<GlobalIndex>& here);

}  // namespace solenoid
