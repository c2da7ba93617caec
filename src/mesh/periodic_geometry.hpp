// The points of a mesh as its cells see them, for pictures and files. On a periodic mesh a node has
// one point for each of its positions, so that no cell spans the domain. On other meshes points are
// nodes, and nothing is stored.
#pragma once

#include "mesh/mesh.hpp"

namespace solenoid {

class PeriodicGeometry {
  public:
    // The points of cells [0, cells). mesh must outlive this.
    PeriodicGeometry(const Mesh& mesh, Index cells);

    bool is_trivial() const { return mesh_.periodic_map.empty(); }
    Index size() const { return is_trivial() ? mesh_.nodes() : static_cast<Index>(node_.size()); }
    Index corner(Index cell, int j) const {
        return is_trivial() ? mesh_.cell_nodes(cell, j) : corners_(cell, j);
    }
    const Table& corners() const { return is_trivial() ? mesh_.cell_nodes : corners_; }
    Index node(Index point) const { return is_trivial() ? point : node_[point]; }
    // The point of a node with a shift, `none` where no cell sees it there. Only on periodic
    // meshes.
    Index find(Index node, int code) const;
    // index into PeriodicMap::shifts
    int code(Index point) const { return is_trivial() ? 0 : code_[point]; }
    Vec3 position(Index point) const {
        return is_trivial() ? mesh_.points[point]
                            : mesh_.points[node_[point]] + mesh_.periodic_map.shifts[code_[point]];
    }
    // The global number of a point: the node's number where the node is stored, beyond all_nodes
    // elsewhere.
    GlobalIndex number(Index point, GlobalIndex all_nodes) const {
        return mesh_.node_number[node(point)] + code(point) * all_nodes;
    }

  private:
    const Mesh& mesh_;
    Table corners_;  // points of each cell
    std::vector<Index> node_;
    std::vector<std::uint8_t> code_;
};

}  // namespace solenoid
