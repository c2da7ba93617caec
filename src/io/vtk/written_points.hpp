// The points that a rank writes: the nodes of its cells, on a periodic mesh once for each position
// in which a cell sees them.
#pragma once

#include "mesh/periodic_geometry.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

class WrittenPoints {
  public:
    // The mesh must outlive this.
    WrittenPoints(const DistributedMesh& distributed, int rank);

    Index count() const {
        return periodic_geometry_.is_trivial() ? distributed_.range(Kind::node).shared
                                               : periodic_geometry_.size();
    }
    const Table& corners() const { return periodic_geometry_.corners(); }  // points of the cells
    const std::vector<Vec3>& positions() const {
        return periodic_geometry_.is_trivial() ? distributed_.mesh.points : positions_;
    }
    // Numbers in the whole mesh. On a periodic mesh additional points of a node are numbered beyond
    // all nodes.
    const std::vector<GlobalIndex>& numbers() const {
        return periodic_geometry_.is_trivial() ? distributed_.mesh.node_number : numbers_;
    }
    // The node of each point; empty where points are nodes.
    const std::vector<Index>& nodes() const { return nodes_; }
    // True on exactly one of the ranks that write the point.
    bool is_own(Index point) const {
        return periodic_geometry_.is_trivial() ? point < distributed_.range(Kind::node).owned
                                               : is_own_[point];
    }

  private:
    const DistributedMesh& distributed_;
    PeriodicGeometry periodic_geometry_;
    std::vector<Vec3> positions_;
    std::vector<GlobalIndex> numbers_;
    std::vector<Index> nodes_;
    std::vector<bool> is_own_;
};

}  // namespace solenoid
