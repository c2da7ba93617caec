// The mesh that one rank computes on: entities of every dimension, their incidence, boundary
// groups.
//
// Orientation follows global node numbers alone, so that it is the same on every rank: an edge runs
// from its lower node to its higher one; a face's nodes a < b < c turn right-handed round its
// normal (3D); in 2D the normal lies to the right of the edge, (dy, -dx). Hence, with the incidence
// operators of docs/numerics.md, D C = 0 exactly.
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
    // the cell that the normal leaves, the cell that it enters; `none` outside the mesh held here
    Table face_cells;
    Table face_edges;  // 3D: oriented edges ab, bc, ca of the face a < b < c; 2D: empty
    Table edge_nodes;  // 3D: lower and higher node; 2D: empty (see face_nodes)

    std::vector<std::string> regions;
    std::vector<std::string> boundaries;
    std::vector<Side> sides;   // a face may lie in several groups, and in the domain's inside
    PeriodicMap periodic_map;  // of a periodic mesh

    std::vector<Index> itself;  // 0, 1, 2, ...: what nodes_of gives for a node

    Index count(Kind kind) const;  // entities of this kind; edges are faces in 2D
    Index nodes() const { return static_cast<Index>(points.size()); }
    Index edges() const {
        return static_cast<Index>(dimension == 2 ? face_nodes.rows() : edge_nodes.rows());
    }
    Index faces() const { return static_cast<Index>(face_nodes.rows()); }
    Index cells() const { return static_cast<Index>(cell_nodes.rows()); }
    const Index* nodes_of(Kind kind, Index entity) const;  // ascending global number, but for cells
    int node_count_of(Kind kind) const;                    // 1, 2, dimension, dimension + 1

    // The faces' boundary as oriented entities of dimension - 2: the rows of C. Two nodes in 2D (-
    // a, + b), three edges in 3D.
    std::array<Index, 3> face_codim2(Index face) const;
    Kind codim2_kind() const { return dimension == 2 ? Kind::node : Kind::edge; }

    // Positions [m], on a periodic mesh too. `points` is where a node is stored; a cell sees it
    // there or shifted, and only positions that one cell sees may be subtracted.
    Vec3 corner(Index cell, int j) const {
        const std::size_t k = cell_nodes.width * std::size_t{cell} + j;
        return periodic_map.moved(points[cell_nodes.data[k]], k);
    }
    int corner_code(Index cell, int j) const {
        return periodic_map.code(cell_nodes.width * std::size_t{cell} + j);
    }
    int place_in_cell(Index cell, Index node) const;  // the j of that node
    // The nodes of a face, ascending, where its first cell sees them: the one that the normal
    // leaves, or the only one.
    std::array<Vec3, 3> face_corners(Index face) const;
    // From there to where its second cell sees the face: an offset across a periodic pair, else 0.
    Vec3 jump(Index face) const;
};

// The cells and nodes of a mesh with the numbers they have in the whole of it: what a rank
// receives.
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

    // k: place in `cells`
    Vec3 corner(std::size_t k) const { return periodic_map.moved(points[cells[k]], k); }
};

// The whole mesh as one piece, numbered as in the file.
MeshPiece whole(SimplexMesh&& mesh);

// Edges, faces and incidence of a piece. Cells and nodes keep the piece's order; edges and faces
// are numbered by their first appearance in the cells.
Mesh build_mesh(MeshPiece&& piece);

// Renumbers entities of one kind: new entity i is the old order[i]. Every table follows.
void renumber(Mesh& mesh, Kind kind, const std::vector<Index>& order);

// The incidence turned round: for every entity of `from`, the entities of `to` (of higher
// dimension) that contain it, in ascending global number of the cell or, for edges and faces, of
// their nodes. Edge and face rows that `C^T` or a divergence at nodes needs come oriented.
Rows cells_of(const Mesh& mesh, Kind from);
// rows of R = C^T: oriented faces of each node (2D) or edge (3D)
Rows codim2_faces(const Mesh& mesh);
// oriented edges of each node, + where the edge leaves the node
Rows node_edges(const Mesh& mesh);

// The faces between a periodic pair that are held here, oriented: + where the normal points along
// the pair's offset, out of the domain through `to` and in again through `from`. Summed over the
// marked ones, orientation times flux is the flux through the section.
std::vector<Index> section_faces(const Mesh& mesh, const PeriodicPair& pair);

}  // namespace solenoid
