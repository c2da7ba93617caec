// Entities, incidence and orientation against sets of node numbers and plain vector geometry.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <map>
#include <set>
#include <stdexcept>

#include "mesh_fixtures.hpp"

namespace solenoid::test::mesh_topology_test {
namespace {

using Name = std::vector<GlobalIndex>;

// Every subset of `size` nodes of every cell.
std::set<Name> subsets(const Mesh& mesh, int size) {
    std::set<Name> names;
    for (Index c = 0; c < mesh.cells(); ++c)
        for (unsigned mask = 0; mask < (1u << (mesh.dimension + 1)); ++mask) {
            Name name;
            for (int j = 0; j <= mesh.dimension; ++j)
                if (mask >> j & 1) name.push_back(mesh.node_number[mesh.cell_nodes(c, j)]);
            std::sort(name.begin(), name.end());
            if (static_cast<int>(name.size()) == size) names.insert(name);
        }
    return names;
}

void expect_entities(const Mesh& mesh) {
    for (Kind kind : all_kinds) {
        std::set<Name> names;
        for (Index i = 0; i < mesh.count(kind); ++i) {
            names.insert(name_of(mesh, kind, i));
            if (kind == Kind::cell) continue;
            const Index* node = mesh.nodes_of(kind, i);
            for (int j = 1; j < mesh.node_count_of(kind); ++j)
                EXPECT_LT(mesh.node_number[node[j - 1]], mesh.node_number[node[j]]);
        }
        EXPECT_EQ(names.size(), mesh.count(kind)) << "twice the same " << name_of(kind);
        EXPECT_EQ(names, subsets(mesh, mesh.node_count_of(kind)));
    }
}

Vec3 mean(const Mesh& mesh, Kind kind, Index entity) {
    Vec3 sum(0);
    for (int j = 0; j < mesh.node_count_of(kind); ++j)
        sum += mesh.points[mesh.nodes_of(kind, entity)[j]];
    return sum / static_cast<double>(mesh.node_count_of(kind));
}

Vec3 normal(const Mesh& mesh, Index face) {
    const auto x = [&](int j) { return mesh.points[mesh.face_nodes(face, j)]; };
    if (mesh.dimension == 3) return glm::cross(x(1) - x(0), x(2) - x(0));
    return glm::cross(x(1) - x(0), Vec3(0, 0, 1));  // (dy, -dx): to the right of the edge
}

void expect_cell_faces(const Mesh& mesh) {
    std::vector<int> seen(mesh.faces(), 0), sum(mesh.faces(), 0);
    for (Index c = 0; c < mesh.cells(); ++c)
        for (int j = 0; j <= mesh.dimension; ++j) {
            const Index face = entity_of(mesh.cell_faces(c, j));
            const int sign = orientation_of(mesh.cell_faces(c, j));
            Name opposite = name_of(mesh, Kind::cell, c);
            std::erase(opposite, mesh.node_number[mesh.cell_nodes(c, j)]);
            EXPECT_EQ(name_of(mesh, Kind::face, face), opposite);
            const Vec3 outward = mean(mesh, Kind::face, face) - mean(mesh, Kind::cell, c);
            EXPECT_GT(sign * glm::dot(normal(mesh, face), outward), 0)
                << "cell " << c << " face " << j;
            EXPECT_EQ(mesh.face_cells(face, sign > 0 ? 0 : 1), c);
            ++seen[face];
            sum[face] += sign;
        }
    for (Index f = 0; f < mesh.faces(); ++f) {
        const int cells = (mesh.face_cells(f, 0) != none) + (mesh.face_cells(f, 1) != none);
        EXPECT_EQ(seen[f], cells);
        if (cells == 2) {
            EXPECT_EQ(sum[f], 0) << "opposite signs";
        }
    }
}

void expect_edges(const Mesh& mesh) {
    if (mesh.dimension == 2) return;
    const int ends[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
    for (Index c = 0; c < mesh.cells(); ++c)
        for (int e = 0; e < 6; ++e) {
            Name name;
            for (int end : ends[e]) name.push_back(mesh.node_number[mesh.cell_nodes(c, end)]);
            std::sort(name.begin(), name.end());
            EXPECT_EQ(name_of(mesh, Kind::edge, mesh.cell_edges(c, e)), name);
        }
    for (Index f = 0; f < mesh.faces(); ++f)
        for (int e = 0; e < 3;
             ++e) {  // the walk a, b, c, a follows the edge where it is not reversed
            const Index edge = mesh.face_edges(f, e);
            const bool back = orientation_of(edge) < 0;
            EXPECT_EQ(mesh.edge_nodes(entity_of(edge), back), mesh.face_nodes(f, e));
            EXPECT_EQ(mesh.edge_nodes(entity_of(edge), !back), mesh.face_nodes(f, (e + 1) % 3));
        }
}

void expect_exact_sequence(const Mesh& mesh) {
    for (Index c = 0; c < mesh.cells(); ++c) {  // D C
        std::map<Index, int> row;
        for (int j = 0; j <= mesh.dimension; ++j)
            for (Index codim2 : mesh.face_codim2(entity_of(mesh.cell_faces(c, j))))
                if (codim2 != none)
                    row[entity_of(codim2)] +=
                        orientation_of(mesh.cell_faces(c, j)) * orientation_of(codim2);
        EXPECT_EQ(row.size(), mesh.dimension == 3 ? 6u : 3u);
        for (const auto& [codim2, value] : row) EXPECT_EQ(value, 0);
    }
    const Rows faces = codim2_faces(mesh);
    ASSERT_EQ(faces.rows(), mesh.count(mesh.codim2_kind()));
    std::size_t entries = 0;
    for (Index r = 0; r < faces.rows(); ++r) {  // R G, with G = -D^T
        std::map<Index, int> row;
        for (const Index* f = faces.begin(r); f != faces.end(r); ++f, ++entries) {
            row[mesh.face_cells(entity_of(*f), 0)] -= orientation_of(*f);
            row[mesh.face_cells(entity_of(*f), 1)] += orientation_of(*f);
        }
        row.erase(none);
        for (const auto& [cell, value] : row) EXPECT_EQ(value, 0);
    }
    EXPECT_EQ(entries, static_cast<std::size_t>(mesh.faces()) * mesh.dimension);
}

void expect_consistent(const Mesh& mesh) {
    expect_entities(mesh);
    expect_cell_faces(mesh);
    expect_edges(mesh);
    expect_exact_sequence(mesh);
}

TEST(Topology, EntitiesIncidenceAndOrientation) {
    for (auto& [name, simplex_mesh, euler] : all_meshes()) {
        SCOPED_TRACE(name);
        const Mesh mesh = build(simplex_mesh);
        expect_consistent(mesh);
        const int nodes = mesh.nodes(), edges = mesh.edges(), faces = mesh.faces(),
                  cells = mesh.cells();
        EXPECT_EQ(mesh.dimension == 3 ? nodes - edges + faces - cells : nodes - faces + cells,
                  euler);
        EXPECT_EQ(edges == faces, mesh.dimension == 2 || simplex_mesh.cell_count() == 0);
    }
}

TEST(Topology, OneTetByHand) {
    const Mesh mesh = build(one_tet());
    const std::vector<Index> faces{1, 2, 3, 0, 2, 3, 0, 1, 3, 0, 1, 2},
        edges{0, 1, 0, 2, 0, 3, 1, 2, 1, 3, 2, 3};
    EXPECT_EQ(mesh.face_nodes.data, faces);
    EXPECT_EQ(mesh.edge_nodes.data, edges);
    EXPECT_EQ(mesh.cell_faces.data, (std::vector<Index>{0, 1 | reversed, 2, 3 | reversed}));
    EXPECT_EQ(mesh.face_cells.data, (std::vector<Index>{0, none, none, 0, 0, none, none, 0}));
    EXPECT_EQ(*mesh.nodes_of(Kind::node, 2), 2u);
}

// Cells and nodes keep their order; faces and edges come in the order of the cells.
TEST(Topology, NumberedByFirstAppearance) {
    const SimplexMesh given = box(3, 1000);
    const Mesh mesh = build(given);
    EXPECT_EQ(mesh.cell_nodes.data, given.cells);
    Index next_face = 0, next_edge = 0;
    for (Index face : mesh.cell_faces.data) {
        EXPECT_LE(entity_of(face), next_face);
        next_face = std::max(next_face, entity_of(face) + 1);
    }
    for (Index edge : mesh.cell_edges.data) {
        EXPECT_LE(edge, next_edge);
        next_edge = std::max(next_edge, edge + 1);
    }
}

TEST(Topology, SidesRegionsAndInteriorGroups) {
    for (const SimplexMesh& given :
         {two_tets(), two_triangles(), annulus(5), box(2, 200), box(3, 1000)}) {
        const Mesh mesh = build(given);
        EXPECT_EQ(mesh.regions, given.regions);
        EXPECT_EQ(mesh.boundaries, given.boundaries);
        EXPECT_EQ(mesh.cell_region, given.cell_region);
        ASSERT_EQ(mesh.sides.size(), given.side_count());
        for (std::size_t s = 0; s < given.side_count(); ++s) {
            Name name(given.side(s), given.side(s) + given.dimension);
            std::sort(name.begin(), name.end());
            EXPECT_EQ(name_of(mesh, Kind::face, mesh.sides[s].face), name);
            EXPECT_EQ(mesh.sides[s].boundary, given.side_group[s]);
            const bool inside = mesh.face_cells(mesh.sides[s].face, 0) != none &&
                                mesh.face_cells(mesh.sides[s].face, 1) != none;
            EXPECT_EQ(inside, mesh.boundaries[mesh.sides[s].boundary] == "between");
        }
    }
}

TEST(Topology, BadPiecesAreRefused) {
    MeshPiece no_face = whole(two_tets());
    no_face.sides = {0, 1, 4};
    no_face.side_group = {0};
    EXPECT_THROW(build_mesh(std::move(no_face)), std::logic_error);
    MeshPiece overlap = whole(two_tets());
    std::swap(overlap.cells[6], overlap.cells[7]);
    EXPECT_THROW(build_mesh(std::move(overlap)), std::logic_error);
}

// Rows of incidence turned round, told in global numbers.
using GlobalRows = std::map<Name, std::vector<std::pair<Name, int>>>;

GlobalRows in_global_numbers(const Mesh& mesh, const Rows& rows, Kind from, Kind to) {
    GlobalRows result;
    for (Index i = 0; i < rows.rows(); ++i)
        for (const Index* v = rows.begin(i); v != rows.end(i); ++v) {
            const Name name =
                to == Kind::cell ? Name{mesh.cell_number[*v]} : name_of(mesh, to, entity_of(*v));
            result[name_of(mesh, from, i)].push_back({name, orientation_of(*v)});
        }
    return result;
}

TEST(Topology, IncidenceTurnedRound) {
    for (auto& [name, simplex_mesh, euler] : all_meshes()) {
        SCOPED_TRACE(name);
        const Mesh mesh = build_mesh(shuffled(simplex_mesh, 7));
        for (Kind from : {Kind::node, Kind::edge, Kind::face}) {
            const Rows rows = cells_of(mesh, from);
            ASSERT_EQ(rows.rows(), mesh.count(from));
            for (Index i = 0; i < rows.rows(); ++i) {
                const Name entity = name_of(mesh, from, i);
                std::vector<GlobalIndex> expected, found;
                for (Index c = 0; c < mesh.cells() && mesh.cells() < 100; ++c) {
                    const Name cell = name_of(mesh, Kind::cell, c);
                    if (std::includes(cell.begin(), cell.end(), entity.begin(), entity.end()))
                        expected.push_back(mesh.cell_number[c]);
                }
                std::sort(expected.begin(), expected.end());
                for (const Index* c = rows.begin(i); c != rows.end(i); ++c)
                    found.push_back(mesh.cell_number[*c]);
                EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
                if (mesh.cells() < 100) {
                    EXPECT_EQ(found, expected);
                }
            }
        }
        const Rows edges = node_edges(mesh);
        for (Index n = 0; n < mesh.nodes(); ++n)
            for (const Index* e = edges.begin(n); e != edges.end(n); ++e)
                EXPECT_EQ(mesh.nodes_of(Kind::edge, entity_of(*e))[orientation_of(*e) > 0 ? 0 : 1],
                          n);
        EXPECT_EQ(edges.index.size(), 2u * mesh.edges());
        const auto rows =
            in_global_numbers(mesh, codim2_faces(mesh), mesh.codim2_kind(), Kind::face);
        for (const auto& [codim2, faces] : rows)
            EXPECT_TRUE(std::is_sorted(faces.begin(), faces.end())) << "ascending node numbers";
    }
}

// What another rank holds under other local numbers is oriented and ordered the same.
TEST(Topology, OrientationFollowsGlobalNumbers) {
    for (const SimplexMesh& given : {two_tets(), annulus(9), box(2, 500), box(3, 1000)}) {
        const Mesh one = build(given), other = build_mesh(shuffled(given, 3));
        expect_consistent(other);
        const Kind codim2 = one.codim2_kind();
        const auto same = [&](const Rows& a, const Rows& b, Kind from, Kind to) {
            EXPECT_EQ(in_global_numbers(one, a, from, to), in_global_numbers(other, b, from, to));
        };
        same(codim2_faces(one), codim2_faces(other), codim2, Kind::face);
        same(node_edges(one), node_edges(other), Kind::node, Kind::edge);
        for (Kind from : {Kind::node, Kind::edge, Kind::face})
            same(cells_of(one, from), cells_of(other, from), from, Kind::cell);

        std::map<GlobalIndex, std::vector<std::pair<Name, int>>> faces[2];
        for (const Mesh* mesh : {&one, &other})
            for (Index c = 0; c < mesh->cells(); ++c)
                for (int j = 0; j <= mesh->dimension; ++j) {
                    const Index face = mesh->cell_faces(c, j);
                    faces[mesh == &other][mesh->cell_number[c]].push_back(
                        {name_of(*mesh, Kind::face, entity_of(face)), orientation_of(face)});
                }
        EXPECT_EQ(faces[0], faces[1]);
    }
}

void expect_same(const Mesh& a, const Mesh& b) {
    EXPECT_EQ(a.points, b.points);
    EXPECT_EQ(a.node_number, b.node_number);
    EXPECT_EQ(a.cell_number, b.cell_number);
    EXPECT_EQ(a.cell_region, b.cell_region);
    for (Table Mesh::*table :
         {&Mesh::cell_nodes, &Mesh::cell_faces, &Mesh::cell_edges, &Mesh::face_nodes,
          &Mesh::face_cells, &Mesh::face_edges, &Mesh::edge_nodes})
        EXPECT_EQ((a.*table).data, (b.*table).data);
    ASSERT_EQ(a.sides.size(), b.sides.size());
    for (std::size_t s = 0; s < a.sides.size(); ++s) EXPECT_EQ(a.sides[s].face, b.sides[s].face);
}

TEST(Renumber, EveryTableFollows) {
    for (const SimplexMesh& given :
         {two_tets(), tet_fan(5), two_triangles(), annulus(9), box(2, 300), box(3, 1000)})
        for (Kind kind : all_kinds) {
            SCOPED_TRACE(name_of(kind));
            const Mesh before = build(given);
            Mesh mesh = before;
            const std::vector<Index> order = random_order(mesh.count(kind), 11);
            renumber(mesh, kind, order);
            expect_consistent(mesh);
            for (Index i = 0; i < mesh.count(kind); ++i)
                EXPECT_EQ(name_of(mesh, kind, i), name_of(before, kind, order[i]));
            for (std::size_t s = 0; s < mesh.sides.size(); ++s)
                EXPECT_EQ(name_of(mesh, Kind::face, mesh.sides[s].face),
                          name_of(before, Kind::face, before.sides[s].face));
            renumber(mesh, kind, inverse(order));
            expect_same(mesh, before);
        }
}

TEST(Renumber, RefusesWhatIsNoPermutation) {
    Mesh mesh = build(one_tet());
    EXPECT_THROW(renumber(mesh, Kind::node, {0, 1, 2}), std::logic_error);
    EXPECT_THROW(renumber(mesh, Kind::node, {0, 1, 2, 2}), std::logic_error);
    EXPECT_THROW(renumber(mesh, Kind::node, {0, 1, 2, 4}), std::logic_error);
}

}  // namespace
}  // namespace solenoid::test::mesh_topology_test
