// The points of a mesh as its cells see them, for pictures and files. On a periodic mesh a node has
// one point for each of its positions, so that no cell spans the domain. On other meshes points are
// nodes, and nothing is stored.
#pragma once

#include "parallel/topology.hpp"

namespace solenoid {

class PeriodicGeometry {
  public:
    // The points of cells [0, cells). topology must outlive this.
    PeriodicGeometry(const Topology& topology, Index cells);

    bool is_trivial() const { return is_trivial_; }
    Index size() const {
        return is_trivial_ ? topology_.range(Kind::node).all : static_cast<Index>(node_.size());
    }
    // The points of a cell, as of CellNodes.
    CellNodes points_of(Index cell) const;
    Index node(Index point) const { return is_trivial_ ? point : node_[point]; }
    // The point of a node with a shift, `none` where no cell sees it there. Only on periodic
    // meshes.
    Index find(Index node, int code) const;
    // index into Topology::shifts
    int code(Index point) const { return is_trivial_ ? 0 : code_[point]; }
    Vec3 position(Index point) const {
        return is_trivial_ ? topology_.position(point)
                           : topology_.position(node_[point]) + topology_.shifts()[code_[point]];
    }
    // The global number of a point: the node's number where the node is stored, beyond all nodes
    // elsewhere.
    GlobalIndex number(Index point) const {
        return topology_.node_number(node(point)) + code(point) * topology_.count(Kind::node);
    }

  private:
    const Topology& topology_;
    const bool is_trivial_;
    std::vector<std::size_t> start_;  // of each cell's points
    std::vector<Index> corners_;      // points of the cells
    std::vector<Index> node_;
    std::vector<std::uint8_t> code_;
};

}  // namespace solenoid
