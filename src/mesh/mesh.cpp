#include "mesh/mesh.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <glm/geometric.hpp>
#include <numeric>
#include <stdexcept>

#include "mesh/simplex.hpp"
#include "mesh/simplex_numbering.hpp"

namespace solenoid {
namespace {

template <int dimension>
SimplexNumbering<dimension> number_faces(Mesh& mesh) {
    const auto number = [&](Index node) { return mesh.node_number[node]; };
    constexpr int width = dimension + 1;
    SimplexNumbering<dimension> numbering(
        mesh.points.size(), std::size_t{mesh.cells()} * width, [&](std::size_t k) {
            auto nodes = outward_face<dimension>(mesh.cell_nodes.row(k / width),
                                                 static_cast<int>(k % width));
            sort_is_odd(nodes, number);
            return nodes;
        });
    mesh.cell_faces = Table(mesh.cells(), width);
    for_each(0, mesh.cells(), [&](Index c) {
        for (int j = 0; j < width; ++j) {
            auto nodes = outward_face<dimension>(mesh.cell_nodes.row(c), j);
            mesh.cell_faces(c, j) = numbering.numbers()[std::size_t{c} * width + j] |
                                    (sort_is_odd(nodes, number) ? reversed : 0);
        }
    });
    return numbering;
}

template <int dimension>
void find_sides(Mesh& mesh, const MeshPiece& piece, const SimplexNumbering<dimension>& numbering) {
    const auto number = [&](Index node) { return mesh.node_number[node]; };
    mesh.sides.reserve(piece.side_group.size());
    for (std::size_t s = 0; s < piece.side_group.size(); ++s) {
        std::array<Index, dimension> nodes;
        std::copy_n(piece.sides.data() + s * dimension, dimension, nodes.begin());
        sort_is_odd(nodes, number);
        const Index face = numbering.find(nodes);
        if (face == none)
            throw std::logic_error(
                fmt::format("side {} of a mesh piece is not a face of its cells", s));
        mesh.sides.push_back({face, piece.side_group[s]});
    }
}

void connect_faces_to_cells(Mesh& mesh) {
    mesh.face_cells = Table(mesh.faces(), 2);
    for_each(0, mesh.cells(), [&](Index c) {
        for (int j = 0; j <= mesh.dimension; ++j) {
            const Index face = mesh.cell_faces(c, j);
            const Index other =
                std::atomic_ref(mesh.face_cells(entity_of(face), orientation_of(face) > 0 ? 0 : 1))
                    .exchange(c, std::memory_order_relaxed);
            if (other != none)
                throw std::logic_error(
                    fmt::format("cells {} and {} lie on one side of a face", other, c));
        }
    });
}

template <int dimension>
void build_faces(Mesh& mesh, const MeshPiece& piece) {
    auto numbering = number_faces<dimension>(mesh);
    find_sides<dimension>(mesh, piece, numbering);
    mesh.face_nodes = numbering.release();
    connect_faces_to_cells(mesh);
}

void build_edges(Mesh& mesh) {
    const auto number = [&](Index node) { return mesh.node_number[node]; };
    SimplexNumbering<2> numbering(
        mesh.points.size(), std::size_t{mesh.cells()} * 6, [&](std::size_t k) {
            const Index* cell = mesh.cell_nodes.row(k / 6);
            std::array<Index, 2> ends{cell[tet_edges[k % 6][0]], cell[tet_edges[k % 6][1]]};
            sort_is_odd(ends, number);
            return ends;
        });
    mesh.cell_edges.width = 6;
    mesh.cell_edges.data = numbering.release_numbers();
    mesh.edge_nodes = numbering.release();
}

// Sets the edges ab, bc, ca of each face a < b < c, from those of one of its cells.
void connect_faces_to_edges(Mesh& mesh) {
    mesh.face_edges = Table(mesh.faces(), 3);
    for_each(0, mesh.faces(), [&](Index f) {
        const Index cell =
            mesh.face_cells(f, 0) != none ? mesh.face_cells(f, 0) : mesh.face_cells(f, 1);
        std::array<int, 3> place;
        for (int i = 0; i < 3; ++i) place[i] = mesh.place_in_cell(cell, mesh.face_nodes(f, i));
        const auto edge = [&](int a, int b) {
            return mesh.cell_edges(cell, tet_edge(place[a], place[b]));
        };
        mesh.face_edges(f, 0) = edge(0, 1);
        mesh.face_edges(f, 1) = edge(1, 2);
        mesh.face_edges(f, 2) = edge(0, 2) | reversed;
    });
}

}  // namespace

Index Mesh::count(Kind kind) const {
    switch (kind) {
        case Kind::node:
            return nodes();
        case Kind::edge:
            return edges();
        case Kind::face:
            return faces();
        default:
            return cells();
    }
}

const Index* Mesh::nodes_of(Kind kind, Index entity) const {
    switch (kind) {
        case Kind::node:
            return itself.data() + entity;
        case Kind::edge:
            return dimension == 2 ? face_nodes.row(entity) : edge_nodes.row(entity);
        case Kind::face:
            return face_nodes.row(entity);
        default:
            return cell_nodes.row(entity);
    }
}

int Mesh::node_count_of(Kind kind) const {
    switch (kind) {
        case Kind::node:
            return 1;
        case Kind::edge:
            return 2;
        case Kind::face:
            return dimension;
        default:
            return dimension + 1;
    }
}

std::array<Index, 3> Mesh::face_codim2(Index face) const {
    if (dimension == 2) return {face_nodes(face, 0) | reversed, face_nodes(face, 1), none};
    return {face_edges(face, 0), face_edges(face, 1), face_edges(face, 2)};
}

int Mesh::place_in_cell(Index cell, Index node) const {
    const Index* nodes = cell_nodes.row(cell);
    return static_cast<int>(std::find(nodes, nodes + cell_nodes.width, node) - nodes);
}

std::array<Vec3, 3> Mesh::face_corners(Index face) const {
    const Index* nodes = face_nodes.row(face);
    const Index cell = face_cells(face, 0) != none ? face_cells(face, 0) : face_cells(face, 1);
    std::array<Vec3, 3> corners{};
    for (int i = 0; i < dimension; ++i)
        corners[i] =
            periodic_map.empty() ? points[nodes[i]] : corner(cell, place_in_cell(cell, nodes[i]));
    return corners;
}

Vec3 Mesh::jump(Index face) const {
    const Index first = face_cells(face, 0), second = face_cells(face, 1),
                node = face_nodes(face, 0);
    if (periodic_map.empty() || first == none || second == none) return Vec3(0);
    return periodic_map.shifts[corner_code(second, place_in_cell(second, node))] -
           periodic_map.shifts[corner_code(first, place_in_cell(first, node))];
}

MeshPiece whole(SimplexMesh&& mesh) {
    MeshPiece piece;
    piece.dimension = mesh.dimension;
    piece.node_number.resize(mesh.points.size());
    piece.cell_number.resize(mesh.cell_count());
    std::iota(piece.node_number.begin(), piece.node_number.end(), GlobalIndex{0});
    std::iota(piece.cell_number.begin(), piece.cell_number.end(), GlobalIndex{0});
    piece.points = std::move(mesh.points);
    piece.cells = std::move(mesh.cells);
    piece.cell_region = std::move(mesh.cell_region);
    piece.regions = std::move(mesh.regions);
    piece.boundaries = std::move(mesh.boundaries);
    piece.sides = std::move(mesh.sides);
    piece.side_group = std::move(mesh.side_group);
    piece.periodic_map = std::move(mesh.periodic_map);
    return piece;
}

Mesh build_mesh(MeshPiece&& piece) {
    Mesh mesh;
    mesh.dimension = piece.dimension;
    mesh.points = std::move(piece.points);
    mesh.node_number = std::move(piece.node_number);
    mesh.cell_number = std::move(piece.cell_number);
    mesh.cell_region = std::move(piece.cell_region);
    mesh.regions = std::move(piece.regions);
    mesh.boundaries = std::move(piece.boundaries);
    mesh.periodic_map = std::move(piece.periodic_map);
    mesh.cell_nodes.width = piece.dimension + 1;
    mesh.cell_nodes.data = std::move(piece.cells);
    mesh.itself.resize(mesh.points.size());
    std::iota(mesh.itself.begin(), mesh.itself.end(), Index{0});
    if (mesh.dimension == 2) {
        build_faces<2>(mesh, piece);
    } else {
        build_faces<3>(mesh, piece);
        build_edges(mesh);
        connect_faces_to_edges(mesh);
    }
    return mesh;
}

std::vector<Index> section_faces(const Mesh& mesh, const PeriodicPair& pair) {
    std::vector<Index> faces;
    for (const Side& side : mesh.sides) {
        if (side.boundary != pair.from) continue;
        const double along = glm::dot(mesh.jump(side.face), pair.offset);
        // 0 at a face of a ghost whose other cell is not held
        if (along != 0) faces.push_back(side.face | (along < 0 ? 0 : reversed));
    }
    return faces;
}

}  // namespace solenoid
