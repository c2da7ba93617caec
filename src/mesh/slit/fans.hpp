// How cells hang together round the nodes of faces that are to be slit.
#pragma once

#include <unordered_set>

#include "mesh/face_key.hpp"

namespace solenoid {

using FaceSet = std::unordered_set<FaceKey, HashFace>;

// The cells at a node that hang together through faces that are not slit are a fan: each fan gets a
// node of its own. Those at an edge likewise are a sector. `mesh` must outlive this, unchanged.
class Fans {
  public:
    Fans(const SimplexMesh& mesh, const FaceSet& slits);

    // that have a node of a slit face, ascending
    const std::vector<Index>& cells() const { return cells_; }
    bool is_slit_node(Index node) const { return is_slit_node_[node]; }
    // Of the corner of cells()[t]; numbers rise with the lowest cell of the fan, and mean nothing
    // at other nodes.
    Index fan(Index t, int corner) const {
        return fan_[std::size_t(t) * (mesh_.dimension + 1) + corner];
    }

    // The places in cells() of the one or two cells of a face that has a node of a slit face;
    // `none` where there is no other.
    std::array<Index, 2> cells_of(const FaceKey& face) const;

    // What stays one when every fan has its own nodes: edges of slit faces with two sectors whose
    // fans agree at both ends, and slit faces whose sides agree at all nodes. As keys, of 2 nodes
    // an edge.
    std::vector<FaceKey> unseparated_edges() const;
    std::vector<FaceKey> unseparated_faces() const;

  private:
    struct CellFace {
        FaceKey nodes;
        Index cell;  // place in cells_
        auto operator<=>(const CellFace&) const = default;
    };
    void find_cells();
    void find_faces();
    void join();
    int corner_of(Index t, Index node) const;
    std::size_t edge_place(Index t, int a, int b) const;  // in sector_

    const SimplexMesh& mesh_;
    const FaceSet& slits_;
    std::vector<bool> is_slit_node_;
    std::vector<Index> cells_;
    std::vector<CellFace> faces_;  // with a node of a slit face, once a cell, ascending
    std::vector<Index> fan_;       // of each corner of cells_
    std::vector<Index> sector_;    // of each edge of cells_, tet_edge's order
};

}  // namespace solenoid
