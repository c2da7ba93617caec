// Connectivity of the cells round the nodes of faces to be slit.
#pragma once

#include <unordered_set>

#include "mesh/face_key.hpp"

namespace solenoid {

using FaceSet = std::unordered_set<FaceKey, HashFace>;

// A fan: the cells at a node that are connected through faces that are not slit. Each fan gets its
// own copy of the node. A sector: likewise at an edge. mesh must outlive this, unchanged.
class Fans {
  public:
    Fans(const SimplexMesh& mesh, const FaceSet& slits);

    // The cells that have a node of a slit face, ascending.
    const std::vector<Index>& cells() const { return cells_; }
    bool is_slit_node(Index node) const { return is_slit_node_[node]; }
    // The fan of a corner of cells()[t]. Fans are numbered by their lowest cell; at nodes of no
    // slit face the number has no meaning.
    Index fan(Index t, int corner) const {
        return fan_[std::size_t(t) * (mesh_.dimension + 1) + corner];
    }

    // The places in cells() of the cells of a face that has a node of a slit face; `none` where
    // there is no second cell.
    std::array<Index, 2> cells_of(const FaceKey& face) const;

    // What separate fans do not separate: edges of slit faces with two sectors whose fans are equal
    // at both ends, and slit faces whose sides have equal fans at all nodes. An edge is a key of 2
    // nodes.
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
    std::size_t edge_place(Index t, int a, int b) const;  // index into sector_

    const SimplexMesh& mesh_;
    const FaceSet& slits_;
    std::vector<bool> is_slit_node_;
    std::vector<Index> cells_;
    std::vector<CellFace>
        faces_;  // faces that have a node of a slit face, once for each cell, ascending
    std::vector<Index> fan_;     // of each corner of cells_
    std::vector<Index> sector_;  // of each edge of cells_, in the order of tet_edges
};

}  // namespace solenoid
