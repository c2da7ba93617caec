// Meshes slit along groups inside them: counts known by hand, and what every slit mesh must be.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>
#include <glm/geometric.hpp>
#include <glm/vector_relational.hpp>

#include "mesh/geometry.hpp"
#include "mesh/separate_parts.hpp"
#include "mesh/slit/slit.hpp"
#include "mesh_fixtures.hpp"
#include "support/grids.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test::mesh_slit_test {
namespace {

// Puts the faces all of whose nodes are within, and those of the boundary with `outer`, into a
// group.
using Within = std::function<bool(const Vec3&)>;
bool is_outer(const Mesh& mesh, Index face) {
    return mesh.face_cells(face, 0) == none || mesh.face_cells(face, 1) == none;
}
SimplexMesh with_plate(const SimplexMesh& mesh, const std::vector<Within>& plates) {
    return with_group(with_group(mesh, "outer", is_outer), "plate", [&](const Mesh& m, Index f) {
        return std::ranges::any_of(plates, [&](const Within& within) {
            return std::all_of(m.nodes_of(Kind::face, f), m.nodes_of(Kind::face, f) + m.dimension,
                               [&](Index node) { return within(m.points[node]); });
        });
    });
}
Within box_of(const Vec3& low, const Vec3& high) {
    return [=](const Vec3& x) {
        return glm::all(glm::lessThanEqual(low, x)) && glm::all(glm::lessThanEqual(x, high));
    };
}

long euler(const Mesh& m) {
    return m.dimension == 3 ? long(m.nodes()) - m.edges() + m.faces() - m.cells()
                            : long(m.nodes()) - m.faces() + m.cells();
}

// The cells at every node and edge hang together through faces there; otherwise two sides of a slit
// are still one.
void expect_one_fan_everywhere(const Mesh& mesh, Kind kind) {
    const Rows cells = cells_of(mesh, kind);
    for (Index entity = 0; entity < mesh.count(kind); ++entity) {
        std::vector<Index> of(cells.begin(entity), cells.end(entity));
        std::vector<Index> found{of.front()};
        for (std::size_t k = 0; k < found.size(); ++k)
            for (int j = 0; j <= mesh.dimension; ++j) {
                const Index face = entity_of(mesh.cell_faces(found[k], j));
                const Index* nodes = mesh.nodes_of(Kind::face, face);
                const Index* own = mesh.nodes_of(kind, entity);
                const bool has_it = std::all_of(own, own + mesh.node_count_of(kind), [&](Index n) {
                    return std::find(nodes, nodes + mesh.dimension, n) != nodes + mesh.dimension;
                });
                for (int i = 0; i < 2 && has_it; ++i)
                    if (const Index cell = mesh.face_cells(face, i);
                        cell != none && std::ranges::find(found, cell) == found.end())
                        found.push_back(cell);
            }
        ASSERT_EQ(found.size(), of.size())
            << "at " << position_text(mesh.points[mesh.nodes_of(kind, entity)[0]]);
    }
}

double size_of_face(const Geometry& g, Index face) { return glm::length(g.face_area[face]); }

// What holds of every slit mesh; gives the topology.
Mesh checked(const SimplexMesh& before, const SimplexMesh& after) {
    if (after.periodic_map.empty()) {
        SimplexMesh same = after;
        // every side is a face, no face has three cells or two on one side
        check_and_repair(same, "slit");
        EXPECT_EQ(same.cells, after.cells);
        EXPECT_EQ(same.sides, after.sides);
    }
    const Mesh old = build(before), mesh = build(after);
    const Geometry old_size = geometry(old), size = geometry(mesh);
    const auto sum = [](const auto& values) {
        return std::accumulate(values.begin(), values.end(), 0.0);
    };
    EXPECT_NEAR(sum(size.cell_volume), sum(old_size.cell_volume),
                1e-12 * sum(old_size.cell_volume));
    EXPECT_GT(*std::ranges::min_element(size.cell_volume), 0);
    std::vector<double> area(mesh.boundaries.size(), 0), old_area(area);
    const auto plate =
        std::size_t(std::ranges::find(mesh.boundaries, "plate") - mesh.boundaries.begin());
    for (const Side& side : old.sides)
        old_area[side.boundary] += (side.boundary == plate && !is_outer(old, side.face) ? 2 : 1) *
                                   size_of_face(old_size, side.face);
    for (const Side& side : mesh.sides) {
        area[side.boundary] += size_of_face(size, side.face);
        EXPECT_TRUE(side.boundary != plate || is_outer(mesh, side.face));
    }
    for (std::size_t g = 0; g < area.size(); ++g) {
        // may have faces that are slit, too
        if (g != plate && (mesh.boundaries[g] == "gate" || !mesh.periodic_map.empty())) continue;
        EXPECT_NEAR(area[g], old_area[g], 1e-12 * (1 + old_area[g])) << mesh.boundaries[g];
    }
    expect_one_fan_everywhere(mesh, Kind::node);
    if (mesh.dimension == 3) expect_one_fan_everywhere(mesh, Kind::edge);
    return mesh;
}

struct Example {
    const char* name;
    int dimension;
    std::vector<Within> plates;
    Index new_nodes, new_cells, sides;  // sides: of the plate, afterwards
    long euler;
    Index parts;
};
class Slit : public testing::TestWithParam<Example> {};

TEST_P(Slit, CountsByHand) {
    const Example& e = GetParam();
    const SimplexMesh before = with_plate(grid(e.dimension, 4), e.plates);
    SimplexMesh after = before;
    const Slits slits = slit(after, {1});
    EXPECT_FALSE(slits.empty());
    EXPECT_EQ(slits.faces[0], 0u);
    EXPECT_EQ(slits.faces[1], static_cast<std::size_t>(std::ranges::count(before.side_group, 1)));
    EXPECT_EQ(slits.nodes, e.new_nodes);
    EXPECT_EQ(slits.cells, e.new_cells);
    EXPECT_EQ(after.points.size(), before.points.size() + e.new_nodes);
    EXPECT_EQ(static_cast<Index>(std::ranges::count(after.side_group, 1)), e.sides);
    EXPECT_TRUE(std::equal(before.points.begin(), before.points.end(), after.points.begin()));
    const Mesh mesh = checked(before, after);
    EXPECT_EQ(euler(mesh), e.euler);
    EXPECT_EQ(std::ranges::max(parts_of_nodes(mesh)) + 1, e.parts);
    SimplexMesh again = after;
    EXPECT_TRUE(slit(again, {1}).empty());
    EXPECT_EQ(again.cells, after.cells);
}

// 2D: of each slit edge a second one; every node once a fan. 3D: corners of a plate whose triangle
// lies on the free edge are split.
INSTANTIATE_TEST_SUITE_P(
    All, Slit,
    testing::Values(
        Example{"plate", 2, {box_of({2, 1, 0}, {2, 3, 0})}, 1, 0, 4, 0, 1},
        Example{"from_the_wall", 2, {box_of({2, 0, 0}, {2, 2, 0})}, 2, 0, 4, 1, 1},
        Example{"one_edge", 2, {box_of({2, 1, 0}, {2, 2, 0})}, 2, 2, 4, 0, 1},
        Example{"one_edge_at_the_wall", 2, {box_of({2, 0, 0}, {2, 1, 0})}, 1, 0, 2, 1, 1},
        Example{"from_wall_to_wall", 2, {box_of({2, 0, 0}, {2, 4, 0})}, 5, 0, 8, 2, 2},
        Example{"t_junction",
                2,
                {box_of({1, 2, 0}, {3, 2, 0}), box_of({2, 2, 0}, {2, 4, 0})},
                4,
                0,
                8,
                1,
                1},
        Example{"crossing",
                2,
                {box_of({1, 2, 0}, {3, 2, 0}), box_of({2, 1, 0}, {2, 3, 0})},
                3,
                0,
                8,
                0,
                1},
        Example{"enclosed",
                2,
                {box_of({1, 1, 0}, {3, 1, 0}), box_of({1, 3, 0}, {3, 3, 0}),
                 box_of({1, 1, 0}, {1, 3, 0}), box_of({3, 1, 0}, {3, 3, 0})},
                8,
                0,
                16,
                1,
                2},
        Example{"plate", 3, {box_of({2, 1, 1}, {2, 3, 3})}, 5, 8, 24, 2, 1},
        Example{"one_triangle",
                3,
                {[](const Vec3& x) {
                    return x == Vec3(2, 1, 1) || x == Vec3(2, 2, 1) || x == Vec3(2, 2, 2);
                }},
                2,
                4,
                6,
                2,
                1},
        Example{"from_wall_to_wall", 3, {box_of({2, 0, 0}, {2, 4, 4})}, 25, 0, 64, 2, 2},
        Example{"crossing",
                3,
                {box_of({2, 0, 0}, {2, 4, 4}), box_of({0, 2, 0}, {4, 2, 4})},
                55,
                0,
                128,
                4,
                4}),
    [](const auto& info) { return fmt::format("{}_{}", info.param.name, info.param.dimension); });

TEST(SlitOfAnyFaces, LeavesAMeshInWhichEverySideIsItsOwn) {
    for (const auto& [dimension, cells, directions] :
         {std::tuple(2, 400, ""), std::tuple(3, 1500, ""), std::tuple(2, 400, "x"),
          std::tuple(3, 2500, "xy")})
        for (const double share : {0.05, 0.3, 0.9, 1.0}) {
            SCOPED_TRACE(fmt::format("{} dimensions, closed in '{}', {} of the faces", dimension,
                                     directions, share));
            SimplexMesh before = plain_box(dimension, cells, {0, 0, 0}, {1, 1, 1});
            if (*directions) before = closed(before, directions);
            std::mt19937 random(7);
            std::uniform_real_distribution<double> chance(0, 1);
            const auto some = [&](const Mesh&, Index) { return chance(random) < share; };
            before = with_group(with_group(before, "plate", some), "gate", some);
            SimplexMesh after = before;
            const auto plate = static_cast<std::uint16_t>(before.boundaries.size() - 2);
            EXPECT_FALSE(slit(after, {plate}).empty());
            const Mesh mesh = checked(before, after);
            EXPECT_EQ(mesh.sides.size(), after.side_count());
        }
}

TEST(SlitOfNothing, LeavesTheMesh) {
    const SimplexMesh before = with_plate(grid(2, 4), {box_of({2, 1, 0}, {2, 3, 0})});
    SimplexMesh after = before;
    EXPECT_TRUE(slit(after, {}).empty());
    EXPECT_TRUE(slit(after, {0}).empty()) << "a boundary has one side";
    EXPECT_EQ(after.cells, before.cells);
    EXPECT_EQ(after.sides, before.sides);
    EXPECT_EQ(after.points, before.points);
}

}  // namespace
}  // namespace solenoid::test::mesh_slit_test
