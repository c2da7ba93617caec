// Small meshes made by hand, and one that is shuffled: what several tests of the mesh start from.
#pragma once

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "mesh/box.hpp"
#include "mesh/mesh.hpp"
#include "support/simplices.hpp"

namespace solenoid::test {

struct Named {
    const char* name;
    SimplexMesh mesh;
    int euler;  // nodes - edges + faces - cells in 3D, nodes - sides + triangles in 2D
};

inline SimplexMesh one_tet() {
    return simplices(3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {0, 1, 2, 3});
}

// Two regions; "between" is the face that they share, "ground" the first one's z = 0.
inline SimplexMesh two_tets() {
    SimplexMesh mesh = simplices(3, {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}},
                                 {0, 1, 2, 3, 3, 1, 2, 4});
    mesh.cell_region = {0, 1};
    mesh.regions = {"lower", "upper"};
    mesh.sides = {3, 2, 1, 0, 2, 1};
    mesh.side_group = {0, 1};
    mesh.boundaries = {"between", "ground"};
    return mesh;
}

// `count` tets round one edge, all the way.
inline SimplexMesh tet_fan(int count) {
    SimplexMesh mesh = simplices(3, {{0, 0, -1}, {0, 0, 1}}, {});
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * M_PI * i / count;
        mesh.points.push_back({std::cos(angle), std::sin(angle), 0});
        const Index a = 2 + i, b = 2 + (i + 1) % count;
        mesh.cells.insert(mesh.cells.end(), {0, 1, a, b});
    }
    mesh.cell_region.assign(count, 0);
    return mesh;
}

inline SimplexMesh one_triangle() {
    return simplices(2, {{0, 0, 0}, {2, 0, 0}, {0, 1, 0}}, {0, 1, 2});
}

inline SimplexMesh two_triangles() {
    SimplexMesh mesh =
        simplices(2, {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}, {0, 1, 2, 2, 3, 0});
    mesh.cell_region = {0, 1};
    mesh.regions = {"right", "left"};
    mesh.sides = {0, 2, 1, 0};
    mesh.side_group = {0, 1};
    mesh.boundaries = {"between", "bottom"};
    return mesh;
}

// A ring of triangles with a hole.
inline SimplexMesh annulus(int count) {
    SimplexMesh mesh = simplices(2, {}, {});
    for (int i = 0; i < count; ++i)
        for (double radius : {1.0, 2.0}) {
            const double angle = 2 * M_PI * i / count;
            mesh.points.push_back({radius * std::cos(angle), radius * std::sin(angle), 0});
        }
    for (Index i = 0; i < static_cast<Index>(count); ++i) {
        const Index inner = 2 * i, outer = inner + 1, next = 2 * ((i + 1) % count);
        mesh.cells.insert(mesh.cells.end(), {inner, outer, next + 1, inner, next + 1, next});
        mesh.sides.insert(mesh.sides.end(), {inner, next, outer, next + 1});
        mesh.side_group.insert(mesh.side_group.end(), {0, 1});
    }
    mesh.cell_region.assign(2 * count, 0);
    mesh.boundaries = {"inner", "outer"};
    return mesh;
}

inline SimplexMesh box(int dimension, std::size_t cells, double jitter = 0.15) {
    BoxSettings settings;
    settings.dimension = dimension;
    settings.cells = cells;
    settings.jitter = jitter;
    return box_mesh(settings);
}

inline std::vector<Named> all_meshes() {
    return {{"one tet", one_tet(), 1},    {"two tets", two_tets(), 1},
            {"fan", tet_fan(7), 1},       {"one triangle", one_triangle(), 1},
            {"pair", two_triangles(), 1}, {"annulus", annulus(9), 0},
            {"square", box(2, 500), 1},   {"cube", box(3, 1000), 1}};
}

inline std::vector<Index> random_order(std::size_t count, unsigned seed) {
    std::vector<Index> order(count);
    std::iota(order.begin(), order.end(), Index{0});
    std::shuffle(order.begin(), order.end(), std::mt19937(seed));
    return order;
}

inline std::vector<Index> inverse(const std::vector<Index>& order) {
    std::vector<Index> position(order.size());
    for (Index i = 0; i < order.size(); ++i) position[order[i]] = i;
    return position;
}

// The same mesh as another rank would hold it: nodes and cells in another local order, under their
// global numbers.
inline MeshPiece shuffled(const SimplexMesh& mesh, unsigned seed) {
    const std::vector<Index> nodes = random_order(mesh.points.size(), seed),
                             position = inverse(nodes);
    MeshPiece piece;
    piece.dimension = mesh.dimension;
    piece.regions = mesh.regions;
    piece.boundaries = mesh.boundaries;
    for (Index node : nodes) {
        piece.points.push_back(mesh.points[node]);
        piece.node_number.push_back(node);
    }
    for (Index cell : random_order(mesh.cell_count(), seed + 1)) {
        piece.cell_number.push_back(cell);
        piece.cell_region.push_back(mesh.cell_region[cell]);
        for (int j = 0; j <= mesh.dimension; ++j)
            piece.cells.push_back(position[mesh.cell(cell)[j]]);
    }
    piece.side_group = mesh.side_group;
    for (Index node : mesh.sides) piece.sides.push_back(position[node]);
    return piece;
}

inline Mesh build(SimplexMesh mesh) { return build_mesh(whole(std::move(mesh))); }

// An entity by the global numbers of its nodes, ascending.
inline std::vector<GlobalIndex> name_of(const Mesh& mesh, Kind kind, Index entity) {
    std::vector<GlobalIndex> numbers;
    for (int j = 0; j < mesh.node_count_of(kind); ++j)
        numbers.push_back(mesh.node_number[mesh.nodes_of(kind, entity)[j]]);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace solenoid::test
