// Periodic meshes against the meshes that they were folded from, and against the torus.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <set>

#include "core/error.hpp"
#include "core/timer.hpp"
#include "mesh/geometry.hpp"
#include "mesh/mesh_fixtures.hpp"
#include "mesh/side_matching.hpp"
#include "parallel/periodic_geometry.hpp"
#include "parallel/simplex_topology.hpp"
#include "support/periodic_meshes.hpp"

namespace solenoid::test::mesh_periodic_test {
namespace {

struct Torus {
    int dimension;
    std::string directions;
    int euler;
};
class Periodic : public testing::TestWithParam<Torus> {
  protected:
    static constexpr Vec3 low{-1, 2, 0.5}, size{1, 1.3, 0.9};
    int dimension() const { return GetParam().dimension; }
    SimplexMesh open() const {
        return plain_box(dimension(), dimension() == 2 ? 500 : 2500, low, size);
    }
    SimplexMesh folded() const { return closed(open(), GetParam().directions); }
    bool is_closed(int axis) const {
        return GetParam().directions.find("xyz"[axis]) != std::string::npos;
    }

    // The shortest of all copies of a vector.
    Vec3 nearest(Vec3 x) const {
        for (int k = 0; k < dimension(); ++k)
            if (is_closed(k)) x[k] -= size[k] * std::round(x[k] / size[k]);
        return x;
    }
};

TEST_P(Periodic, IsATorusInTheseDirections) {
    const Mesh mesh = build(folded());
    const long euler = dimension() == 3
                           ? long(mesh.nodes()) - mesh.edges() + mesh.faces() - mesh.cells()
                           : long(mesh.nodes()) - mesh.edges() + mesh.cells();
    EXPECT_EQ(euler, GetParam().euler);
    double outside = 0, expected = 0;
    const Geometry g = geometry(mesh);
    for (Index f = 0; f < mesh.faces(); ++f)
        if (mesh.face_cells(f, 0) == none || mesh.face_cells(f, 1) == none)
            outside += glm::length(g.face_area[f]);
    const double volume = size.x * size.y * (dimension() == 3 ? size.z : 1);
    for (int k = 0; k < dimension(); ++k)
        if (!is_closed(k)) expected += 2 * volume / size[k];
    EXPECT_NEAR(outside, expected, 1e-12);
    EXPECT_NEAR(std::accumulate(g.cell_volume.begin(), g.cell_volume.end(), 0.0), volume, 1e-12);
}

// Exactly: sums of orientations.
TEST_P(Periodic, ACurlHasNoDivergence) {
    const Mesh mesh = build(folded());
    for (Index c = 0; c < mesh.cells(); ++c) {
        std::map<Index, int> sum;
        for (int j = 0; j <= dimension(); ++j) {
            const Index face = mesh.cell_faces(c, j);
            for (int i = 0; i < dimension(); ++i) {
                const Index codim2 = mesh.face_codim2(entity_of(face))[i];
                sum[entity_of(codim2)] += orientation_of(face) * orientation_of(codim2);
            }
        }
        for (const auto& [codim2, total] : sum)
            EXPECT_EQ(total, 0) << "cell " << c << " codim-2 entity " << codim2;
    }
}

TEST_P(Periodic, CellsStandWhereTheyStood) {
    const SimplexMesh before = open(), after = folded();
    ASSERT_EQ(before.cell_count(), after.cell_count());
    EXPECT_LT(after.points.size(), before.points.size());
    for (std::size_t c = 0; c < before.cell_count(); ++c)
        for (int j = 0; j <= dimension(); ++j)
            EXPECT_LT(glm::distance(before.points[before.cell(c)[j]], after.corner(c, j)), 1e-14);
    const Geometry g = geometry(build(before)), h = geometry(build(after));
    for (std::size_t c = 0; c < before.cell_count(); ++c) {
        EXPECT_NEAR(g.cell_volume[c] / h.cell_volume[c], 1, 1e-12);
        EXPECT_LT(glm::distance(g.cell_centroid[c], h.cell_centroid[c]), 1e-14);
    }
}

// Both cells of a face see the same face, each from its own side.
TEST_P(Periodic, FacesMeetAcrossTheSeam) {
    const Mesh mesh = build(folded());
    const Geometry g = geometry(mesh);
    int crossing = 0;
    for (Index c = 0; c < mesh.cells(); ++c) {
        Vec3 closed_surface(0), gradient(0);
        const Vec3 slope(0.7, -1.3, dimension() == 3 ? 0.4 : 0);
        for (int j = 0; j <= dimension(); ++j) {
            const Vec3 area = opposite_area(mesh, c, j), offset = face_offset(mesh, g, c, j);
            EXPECT_GT(glm::dot(area, offset), 0);
            // d + 1 corners: x_f - x_c = (x_c - x_j) / d
            EXPECT_LT(glm::distance(offset,
                                    (g.cell_centroid[c] - mesh.corner(c, j)) / double(dimension())),
                      1e-13);
            closed_surface += area;
            gradient -=
                glm::dot(slope, mesh.corner(c, j)) * area / (dimension() * g.cell_volume[c]);
            crossing += mesh.jump(entity_of(mesh.cell_faces(c, j))) != Vec3(0);
        }
        EXPECT_LT(glm::length(closed_surface), 1e-14);
        EXPECT_LT(glm::distance(gradient, slope), 1e-11);
    }
    EXPECT_GT(crossing, 0);
    for (Index f = 0; f < mesh.faces(); ++f) {
        const auto [a, b] = centroids_beside(mesh, g, f);
        if (mesh.face_cells(f, 0) == none || mesh.face_cells(f, 1) == none) continue;
        const Vec3 apart =
            g.cell_centroid[mesh.face_cells(f, 1)] - g.cell_centroid[mesh.face_cells(f, 0)];
        EXPECT_LT(glm::distance(b - a, nearest(apart)), 1e-13);
        EXPECT_GT(glm::dot(b - a, g.face_area[f]), 0);
    }
}

// The areas of a pair's faces add up to the section, along the offset.
TEST_P(Periodic, SectionsSpanTheDomain) {
    const SimplexMesh whole = folded();
    const Mesh mesh = build(whole);
    const Geometry g = geometry(mesh);
    ASSERT_EQ(mesh.periodic_map.pairs.size(), GetParam().directions.size());
    for (const PeriodicPair& pair : mesh.periodic_map.pairs) {
        const int axis = static_cast<int>(pair.from / 2);
        Vec3 expected(0), area(0);
        expected[axis] = size[axis];
        EXPECT_LT(glm::distance(pair.offset, expected), 1e-15);
        expected[axis] = size.x * size.y * (dimension() == 3 ? size.z : 1) / size[axis];
        for (const Index oriented : section_faces(mesh, pair)) {
            area += double(orientation_of(oriented)) * g.face_area[entity_of(oriented)];
            EXPECT_LT(glm::distance(glm::abs(mesh.jump(entity_of(oriented))), pair.offset), 1e-15);
        }
        EXPECT_LT(glm::distance(area, expected), 1e-12);
    }
}

TEST_P(Periodic, UnfoldsToTheOpenMesh) {
    const SimplexMesh before = open();
    DistributedMesh alone;
    alone.mesh = build(folded());
    const Mesh& mesh = alone.mesh;
    alone.ranges[static_cast<int>(Kind::cell)].all = mesh.cells();
    alone.global_count[static_cast<int>(Kind::node)] = mesh.nodes();
    const SimplexTopology topology(alone);
    const PeriodicGeometry periodic_geometry(topology, mesh.cells());
    ASSERT_EQ(periodic_geometry.size(), before.points.size());
    std::set<GlobalIndex> numbers;
    for (Index p = 0; p < periodic_geometry.size(); ++p) {
        numbers.insert(periodic_geometry.number(p));
        EXPECT_EQ(periodic_geometry.find(periodic_geometry.node(p), periodic_geometry.code(p)), p);
    }
    EXPECT_EQ(numbers.size(), periodic_geometry.size());
    for (Index c = 0; c < mesh.cells(); ++c)
        for (int j = 0; j <= dimension(); ++j)
            EXPECT_EQ(periodic_geometry.position(periodic_geometry.points_of(c)[j]),
                      mesh.corner(c, j));
    const Bounds box = bounds(mesh);
    EXPECT_LT(glm::distance(box.high - box.low, dimension() == 3 ? size : Vec3(size.x, size.y, 0)),
              1e-14);
}

// Renumbered, a cell keeps its corners.
TEST_P(Periodic, SurvivesRenumbering) {
    const Mesh before = build(folded());
    Mesh mesh = before;
    const auto cells = random_order(mesh.cells(), 3);
    renumber(mesh, Kind::cell, cells);
    renumber(mesh, Kind::node, random_order(mesh.nodes(), 4));
    renumber(mesh, Kind::face, random_order(mesh.faces(), 5));
    for (Index c = 0; c < mesh.cells(); ++c)
        for (int j = 0; j <= dimension(); ++j) {
            EXPECT_EQ(mesh.corner(c, j), before.corner(cells[c], j));
            EXPECT_EQ(opposite_area(mesh, c, j), opposite_area(before, cells[c], j));
        }
}

INSTANTIATE_TEST_SUITE_P(Boxes, Periodic,
                         testing::Values(Torus{2, "xy", 0}, Torus{2, "x", 0}, Torus{2, "y", 0},
                                         Torus{3, "xyz", 0}, Torus{3, "zx", 0}, Torus{3, "y", 0}),
                         [](const auto& p) {
                             return p.param.directions + std::to_string(p.param.dimension);
                         });

// A hexagon of six triangles round every node of a lattice: three pairs, the third offset the
// difference of the others.
TEST(PeriodicHexagon, ThreePairsFitTogether) {
    SimplexMesh mesh = simplices(2, {}, {});
    const int n = 4;  // edges a side
    std::map<std::pair<int, int>, Index> place;
    const auto node = [&](int i, int j) {
        const auto [found, is_new] =
            place.try_emplace({i, j}, static_cast<Index>(mesh.points.size()));
        if (is_new) mesh.points.push_back({i + 0.5 * j, std::sqrt(0.75) * j, 0});
        return found->second;
    };
    const auto inside = [&](int i, int j) {
        return std::abs(i) <= n && std::abs(j) <= n && std::abs(i + j) <= n;
    };
    for (int i = -n; i <= n; ++i)
        for (int j = -n; j <= n; ++j)
            for (const int up : {1, -1})
                if (inside(i, j) && inside(i + up, j) && inside(i, j + up))
                    mesh.cells.insert(mesh.cells.end(),
                                      {node(i, j), node(i + up, j), node(i, j + up)});
    mesh.cell_region.assign(mesh.cell_count(), 0);
    EXPECT_EQ(mesh.cell_count(), 6u * n * n);
    // the corners
    const int hexagon[7][2] = {{n, 0}, {0, n}, {-n, n}, {-n, 0}, {0, -n}, {n, -n}, {n, 0}};
    for (int s = 0; s < 6; ++s) {
        mesh.boundaries.push_back("side " + std::to_string(s));
        const int di = (hexagon[s + 1][0] - hexagon[s][0]) / n,
                  dj = (hexagon[s + 1][1] - hexagon[s][1]) / n;
        for (int k = 0; k < n; ++k) {
            const int i = hexagon[s][0] + k * di, j = hexagon[s][1] + k * dj;
            mesh.sides.insert(mesh.sides.end(), {node(i, j), node(i + di, j + dj)});
            mesh.side_group.push_back(static_cast<std::uint16_t>(s));
        }
    }
    check_and_repair(mesh, "hexagon");
    make_periodic(mesh, {{0, 3, "test"}, {4, 1, "test"}, {2, 5, "test"}});
    const Mesh built = build(std::move(mesh));
    EXPECT_EQ(long(built.nodes()) - built.edges() + built.cells(), 0);
    for (Index f = 0; f < built.faces(); ++f) {
        const auto [a, b] = centroids_beside(built, geometry(built), f);
        EXPECT_NEAR(glm::distance(a, b), std::sqrt(1 / 3.0), 1e-12);
    }
}

TEST(Box, OppositeSidesMatch) {
    for (int dimension : {2, 3}) {
        const SimplexMesh mesh = plain_box(dimension, 3000);
        const std::vector<PeriodicPair> pairs = SideGroups(mesh).all_matches().pairs;
        ASSERT_EQ(pairs.size(), std::size_t(dimension));
        for (int k = 0; k < dimension; ++k) {
            EXPECT_EQ(pairs[k].from, Index(2 * k));
            EXPECT_EQ(pairs[k].to, Index(2 * k + 1));
        }
    }
}

// A row of n squares; each lower and each upper edge is a group, 2 n in all. The width of square i
// is 1 + i growth.
SimplexMesh row_of_squares(Index n, double growth) {
    SimplexMesh mesh;
    mesh.dimension = 2;
    double x = 0;
    for (Index i = 0; i <= n; ++i) {
        mesh.points.insert(mesh.points.end(), {{x, 0, 0}, {x, 1, 0}});
        x += 1 + i * growth;
    }
    for (Index i = 0; i < n; ++i) {
        const Index a = 2 * i, b = a + 1, c = a + 2, d = a + 3;
        mesh.cells.insert(mesh.cells.end(), {a, c, b, b, c, d});
        mesh.sides.insert(mesh.sides.end(), {a, c, b, d});
    }
    mesh.cell_region.assign(2 * n, 0);
    mesh.regions = {"row"};
    for (Index g = 0; g < 2 * n; ++g) {
        mesh.side_group.push_back(static_cast<std::uint16_t>(g));
        mesh.boundaries.push_back("side " + std::to_string(g));
    }
    return mesh;
}

TEST(MatchingSides, AllThatAreAlike) {
    const SimplexMesh mesh = row_of_squares(10, 0);
    const MatchingGroups found = SideGroups(mesh).all_matches();
    EXPECT_TRUE(found.is_complete);
    ASSERT_EQ(found.pairs.size(), 190u);  // 20 * 19 / 2
    std::size_t k = 0;
    for (Index a = 0; a < 20; ++a)
        for (Index b = a + 1; b < 20; ++b, ++k) {
            EXPECT_EQ(found.pairs[k].from, a);
            EXPECT_EQ(found.pairs[k].to, b);
            EXPECT_EQ(found.pairs[k].offset,
                      Vec3(double(b / 2) - double(a / 2), double(b % 2) - double(a % 2), 0));
        }
}

TEST(MatchingSides, OnlyThoseOfOneLength) {
    const SimplexMesh mesh = row_of_squares(40, 0.01);
    const MatchingGroups found = SideGroups(mesh).all_matches();
    EXPECT_TRUE(found.is_complete);
    ASSERT_EQ(found.pairs.size(), 40u);
    for (Index i = 0; i < 40; ++i) {
        EXPECT_EQ(found.pairs[i].from, 2 * i);
        EXPECT_EQ(found.pairs[i].to, 2 * i + 1);
    }
}

TEST(MatchingSides, VeryManyEndEarly) {
    const MatchingGroups some = SideGroups(row_of_squares(40, 0)).all_matches();  // 3160 pairs
    EXPECT_FALSE(some.is_complete);
    EXPECT_EQ(some.pairs.size(), 1000u);
    const SimplexMesh many = row_of_squares(20000, 0);
    const Stopwatch watch;
    EXPECT_FALSE(SideGroups(many).all_matches().is_complete);
    EXPECT_LT(watch.seconds(), 10);
}

// ---- what cannot be closed

std::string refusal(SimplexMesh mesh, const std::vector<std::pair<int, int>>& pairs) {
    std::vector<PeriodicRequest> requests;
    for (const auto& [from, to] : pairs)
        requests.push_back({std::uint16_t(from), std::uint16_t(to), "case.toml:7"});
    try {
        make_periodic(mesh, requests);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}
void expect_words(const std::string& message, const std::vector<std::string>& words) {
    for (const std::string& word : words)
        EXPECT_NE(message.find(word), std::string::npos) << word << " is not in: " << message;
}

TEST(PeriodicErrors, ANodeWithoutAPartner) {
    SimplexMesh mesh = plain_box(2, 500);
    Index moved = none;
    for (const Index node : mesh.sides)
        if (mesh.points[node].x == 1 && mesh.points[node].y > 0.4 && mesh.points[node].y < 0.6)
            moved = node;
    mesh.points[moved].y += 0.01;
    expect_words(refusal(mesh, {{0, 1}}),
                 {"case.toml:7", "\"xmin\"", "\"xmax\"", "no partner for the node", "(0, 0."});
    EXPECT_EQ(refusal(mesh, {{2, 3}}), "accepted");
    mesh.points[moved].y -= 0.01 - 1e-6;  // within the tolerance
    EXPECT_EQ(refusal(mesh, {{0, 1}}), "accepted");
}

TEST(PeriodicErrors, ANodeTooMany) {
    SimplexMesh mesh = two_triangles();  // the unit square
    mesh.points.push_back({0, 0.5, 0});  // on its left, which is halved
    mesh.cells = {0, 1, 2, 2, 3, 4, 4, 0, 2};
    mesh.cell_region.assign(3, 0);
    mesh.sides = {0, 4, 4, 3, 1, 2};
    mesh.side_group = {0, 0, 1};
    mesh.boundaries = {"left", "right"};
    expect_words(refusal(mesh, {{1, 0}}),
                 {"\"right\" has no partner for the node of \"left\"", "(0, 0.5, 0)"});
    expect_words(refusal(mesh, {{0, 1}}),
                 {"\"right\" has no partner for the node of \"left\"", "(0, 0.5, 0)"});
}

// A cube in five tets has its diagonals crossed on opposite sides.
TEST(PeriodicErrors, FacesThatDiffer) {
    std::vector<Vec3> corners;
    for (int k = 0; k < 8; ++k) corners.push_back({k & 1, k >> 1 & 1, k >> 2});
    SimplexMesh mesh =
        simplices(3, corners, {0, 1, 2, 4, 3, 2, 1, 7, 5, 1, 4, 7, 6, 4, 2, 7, 1, 2, 4, 7});
    mesh.sides = {0, 4, 2, 6, 4, 2, 1, 3, 7, 1, 7, 5};
    mesh.side_group = {0, 0, 1, 1};
    mesh.boundaries = {"left", "right"};
    check_and_repair(mesh, "cube");
    expect_words(refusal(mesh, {{0, 1}}), {"no partner for the face", "\"left\"", "\"right\""});
}

TEST(PeriodicErrors, NoTranslation) {
    const SimplexMesh box = plain_box(3, 500, Vec3(0), Vec3(1, 2, 1));
    expect_words(refusal(box, {{0, 2}}),
                 {"no translation takes \"xmin\" to \"ymin\"", "(0, 2, 1)", "(1, 0, 1)"});
    expect_words(refusal(box, {{0, 0}}), {"lie in the same place"});
}

TEST(PeriodicErrors, EmptyGroup) {
    SimplexMesh mesh = plain_box(2, 100);
    mesh.boundaries.push_back("nothing");
    expect_words(refusal(mesh, {{0, 4}}), {"\"nothing\" has no faces"});
}

TEST(PeriodicErrors, SidesThatLookTheSameWay) {
    SimplexMesh mesh = plain_box(2, 300);
    const SimplexMesh other = mesh;
    const auto first = static_cast<Index>(mesh.points.size());
    for (const Vec3& x : other.points) mesh.points.push_back(x + Vec3(3, 0, 0));
    for (const Index node : other.cells) mesh.cells.push_back(first + node);
    mesh.cell_region.resize(mesh.cell_count(), 0);
    for (std::size_t s = 0; s < other.side_count(); ++s) {
        if (other.side_group[s] != 0) continue;
        mesh.sides.insert(mesh.sides.end(), {first + other.side(s)[0], first + other.side(s)[1]});
        mesh.side_group.push_back(4);
    }
    mesh.boundaries.push_back("far");
    expect_words(refusal(mesh, {{0, 4}}), {"\"xmin\"", "\"far\"", "have the same orientation"});
}

// A strip of squares, each in two triangles: `across` of them between left and right; "middle" is
// the column after two.
SimplexMesh strip(int across) {
    SimplexMesh mesh = simplices(2, {}, {});
    for (int i = 0; i <= across; ++i)
        for (int j = 0; j <= 4; ++j) mesh.points.push_back({i, j, 0});
    for (Index i = 0; i < Index(across); ++i)
        for (Index j = 0; j < 4; ++j) {
            const Index a = 5 * i + j, b = a + 5;
            mesh.cells.insert(mesh.cells.end(), {a, b, b + 1, a, b + 1, a + 1});
        }
    mesh.cell_region.assign(mesh.cell_count(), 0);
    for (Index group = 0; group < 3; ++group)
        for (Index j = 0; j < 4; ++j) {
            const Index first =
                5 * std::array<Index, 3>{0, Index(across), std::min<Index>(2, across)}[group] + j;
            mesh.sides.insert(mesh.sides.end(), {first, first + 1});
            mesh.side_group.push_back(static_cast<std::uint16_t>(group));
        }
    mesh.boundaries = {"left", "right", "middle"};
    return mesh;
}

TEST(PeriodicErrors, SidesInside) {
    expect_words(refusal(strip(4), {{0, 2}}),
                 {"\"middle\" has a face inside the domain", "(2, 0, 0)"});
}

TEST(PeriodicErrors, TooFewCellsAcross) {
    for (const int across : {1, 2})
        expect_words(refusal(strip(across), {{0, 1}}),
                     {"case.toml:7", "too few cells between \"left\" and \"right\"", "at least 3"});
    EXPECT_EQ(refusal(strip(3), {{0, 1}}), "accepted");
}

}  // namespace
}  // namespace solenoid::test::mesh_periodic_test
