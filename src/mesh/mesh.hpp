// The mesh of one rank: entities of every dimension, their incidence, named regions and boundaries.
// Orientation follows from global node numbers alone, so that it is equal on all ranks. An edge
// runs from its lower node to its higher one. The nodes a < b < c of a face turn right-handed round
// its normal (3D); in 2D the normal lies to the right of the edge, (dy, -dx). Hence D C = 0
// exactly, with the incidence operators of docs/numerics.md.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"
#include "mesh/simplex_mesh.hpp"

namespace solenoid {

struct Side {
    Index face;
    std::uint16_t boundary;  // index into Mesh::boundaries
};

struct Mesh {
    int dimension = 3;

    std::vector<Vec3> points;              // of the nodes [m]
    std::vector<GlobalIndex> node_number;  // the node's number in the whole mesh
    std::vector<GlobalIndex> cell_number;  // the cell's number in the whole mesh
    std::vector<std::uint16_t> cell_region;

    Table cell_nodes;  // dimension + 1 nodes, positively oriented
    // oriented faces, + where the normal leaves the cell; face j lies opposite node j
    Table cell_faces;
    // 3D: the six edges 01 02 03 12 13 23, not oriented; 2D: empty (see cell_faces)
    Table cell_edges;
    Table face_nodes;  // `dimension` nodes, ascending in global number
    // the cell that the normal leaves, the cell that it enters; `none` where no cell is held here
    Table face_cells;
    Table face_edges;  // 3D: oriented edges ab, bc, ca of the face a < b < c; 2D: empty
    Table edge_nodes;  // 3D: lower and higher node; 2D: empty (see face_nodes)

    std::vector<std::string> regions;
    std::vector<std::string> boundaries;
    std::vector<Side> sides;   // a face may be in several groups, also one inside the domain
    PeriodicMap periodic_map;  // of a periodic mesh

    std::vector<Index> itself;  // 0, 1, 2, ...: storage for nodes_of() of a node

    Index count(Kind kind) const;  // entities of this kind; edges are faces in 2D
    Index nodes() const { return static_cast<Index>(points.size()); }
    Index edges() const {
        return static_cast<Index>(dimension == 2 ? face_nodes.rows() : edge_nodes.rows());
    }
    Index faces() const { return static_cast<Index>(face_nodes.rows()); }
    Index cells() const { return static_cast<Index>(cell_nodes.rows()); }
    const Index* nodes_of(Kind kind, Index entity) const;  // ascending global number, but for cells
    int node_count_of(Kind kind) const;                    // 1, 2, dimension, dimension + 1

    // Row of C: the entities of dimension d - 2 on the boundary of a face, oriented. In 2D two
    // nodes (- a, + b), in 3D three edges.
    std::array<Index, 3> face_codim2(Index face) const;
    Kind codim2_kind() const { return dimension == 2 ? Kind::node : Kind::edge; }

    // The position [m] of a corner as the cell sees it. On a periodic mesh a node is stored at one
    // position, and a cell sees it there or shifted; only positions that one cell sees may be
    // subtracted.
    Vec3 corner(Index cell, int j) const {
        const std::size_t k = cell_nodes.width * std::size_t{cell} + j;
        return periodic_map.moved(points[cell_nodes.data[k]], k);
    }
    int corner_code(Index cell, int j) const {
        return periodic_map.code(cell_nodes.width * std::size_t{cell} + j);
    }
    int place_in_cell(Index cell, Index node) const;  // the j of the node
    // The nodes of a face, ascending, where its first cell sees them [m]. The first cell is the one
    // that the normal leaves, or the only one.
    std::array<Vec3, 3> face_corners(Index face) const;
    // The vector [m] from the face as its first cell sees it to the face as its second cell sees
    // it: 0, or an offset at a periodic pair.
    Vec3 jump(Index face) const;
};

// Cells and nodes of a part of a mesh, with their numbers in the whole mesh: what a rank receives.
struct MeshPiece {
    int dimension = 3;
    std::vector<Vec3> points;
    std::vector<GlobalIndex> node_number;
    std::vector<Index> cells;  // dimension + 1 local nodes each
    std::vector<GlobalIndex> cell_number;
    std::vector<std::uint16_t> cell_region;
    std::vector<std::string> regions;
    std::vector<std::string> boundaries;
    std::vector<Index> sides;  // dimension local nodes each, all faces of cells held here
    std::vector<std::uint16_t> side_group;
    PeriodicMap periodic_map;

    // k: place in `cells`.
    Vec3 corner(std::size_t k) const { return periodic_map.moved(points[cells[k]], k); }
};

// The whole mesh as one piece, with the numbers of the file.
MeshPiece whole(SimplexMesh&& mesh);

// Builds edges, faces and incidence of a piece. Cells and nodes keep their order; edges and faces
// are numbered by first appearance in the cells.
Mesh build_mesh(MeshPiece&& piece);

// Renumbers the entities of a kind in all tables: new entity i is the old order[i].
void renumber(Mesh& mesh, Kind kind, const std::vector<Index>& order);

// Transposed incidence: for each entity of kind `from` the cells that contain it, in ascending
// global number. Throws std::logic_error for cells.
Rows cells_of(const Mesh& mesh, Kind from);
// Rows of R = C^T: the oriented faces of each node (2D) or edge (3D), by the global numbers of
// their nodes.
Rows codim2_faces(const Mesh& mesh);
// The oriented edges of each node, + where the edge leaves the node, by the global numbers of their
// nodes.
Rows node_edges(const Mesh& mesh);

// The faces of a periodic pair held here, oriented: + where the normal points along the pair's
// offset, out of the domain through `to` and in through `from`. The sum of orientation times flux
// over the owned ones is the flux through the cut surface.
std::vector<Index> section_faces(const Mesh& mesh, const PeriodicPair& pair);

}  // namespace solenoid
