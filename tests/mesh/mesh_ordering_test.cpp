// Hilbert curve on small lattices, Cuthill-McKee on graphs with a known answer.
#include <gtest/gtest.h>

#include <glm/geometric.hpp>
#include <set>

#include "mesh/ordering.hpp"
#include "mesh_fixtures.hpp"

namespace solenoid::test::mesh_ordering_test {
namespace {

std::vector<Vec3> lattice(int n, int dimension) {
    std::vector<Vec3> points;
    for (int k = 0; k < (dimension == 3 ? n : 1); ++k)
        for (int j = 0; j < n; ++j)
            for (int i = 0; i < n; ++i)
                points.push_back({i + 0.5, j + 0.5, dimension == 3 ? k + 0.5 : 0});
    return points;
}

// The leading bits of the index visit every box of a lattice once, each next to the one before.
TEST(Hilbert, CurveStepsToNeighbours) {
    for (int dimension : {2, 3})
        for (int level : {1, 2, 3, 4}) {
            const int n = 1 << level;
            const auto points = lattice(n, dimension);
            std::vector<int> at(points.size(), -1);
            for (std::size_t p = 0; p < points.size(); ++p) {
                const std::uint64_t index = hilbert_index(points[p], Vec3(0), Vec3(n), dimension);
                const std::uint64_t place = index >> (dimension * (21 - level));
                ASSERT_LT(place, points.size());
                EXPECT_EQ(at[place], -1) << "visited twice";
                at[place] = static_cast<int>(p);
            }
            for (std::size_t i = 1; i < at.size(); ++i)
                EXPECT_DOUBLE_EQ(glm::distance(points[at[i]], points[at[i - 1]]), 1);
        }
}

TEST(Hilbert, StaysInRangeOutsideTheBoxAndOnIts) {
    for (int dimension : {2, 3})
        for (double x : {-1.0, 0.0, 1.0, 2.0})
            EXPECT_LT(hilbert_index({x, 1, 1}, Vec3(0), Vec3(1), dimension),
                      std::uint64_t{1} << (21 * dimension));
    EXPECT_EQ(hilbert_index({1, 2, 3}, {1, 2, 3}, {1, 2, 3}, 3), 0u) << "a box without size";
}

TEST(Hilbert, OrderOfALatticeWalksThroughIt) {
    for (int dimension : {2, 3}) {
        auto points = lattice(8, dimension);
        const auto shuffle = random_order(points.size(), 1);
        std::vector<Vec3> mixed;
        for (Index i : shuffle) mixed.push_back(points[i]);
        const auto order = hilbert_order(mixed, dimension);
        EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), points.size());
        for (std::size_t i = 1; i < order.size(); ++i)
            EXPECT_DOUBLE_EQ(glm::distance(mixed[order[i]], mixed[order[i - 1]]), 1);
    }
    EXPECT_TRUE(hilbert_order({}, 3).empty());
}

Rows graph(Index count, const std::vector<std::pair<Index, Index>>& links) {
    std::vector<std::vector<Index>> lists(count);
    for (const auto& [a, b] : links) {
        lists[a].push_back(b);
        lists[b].push_back(a);
    }
    Rows rows;
    for (const auto& list : lists) {
        rows.index.insert(rows.index.end(), list.begin(), list.end());
        rows.start.push_back(static_cast<Index>(rows.index.size()));
    }
    return rows;
}

Index bandwidth(const Rows& rows, const std::vector<Index>& order) {
    const auto position = inverse(order);
    Index widest = 0;
    for (Index i = 0; i < rows.rows(); ++i)
        for (const Index* j = rows.begin(i); j != rows.end(i); ++j)
            widest = std::max(
                widest, std::max(position[i], position[*j]) - std::min(position[i], position[*j]));
    return widest;
}

TEST(CuthillMcKee, PathHasBandwidthOne) {
    const auto name = random_order(50, 2);
    std::vector<std::pair<Index, Index>> links;
    for (Index i = 1; i < 50; ++i) links.push_back({name[i - 1], name[i]});
    const Rows path = graph(50, links);
    EXPECT_EQ(bandwidth(path, reverse_cuthill_mckee(path)), 1u);
}

TEST(CuthillMcKee, EveryVertexOnceInSeveralComponents) {
    const Rows rows = graph(9, {{0, 5}, {5, 7}, {1, 2}, {2, 8}, {8, 1}});  // 3, 4, 6 stand alone
    const auto order = reverse_cuthill_mckee(rows);
    EXPECT_EQ(order.size(), 9u);
    EXPECT_EQ(std::set<Index>(order.begin(), order.end()).size(), 9u);
    EXPECT_LE(bandwidth(rows, order), 2u);
    EXPECT_TRUE(reverse_cuthill_mckee(Rows{}).empty());
}

TEST(CuthillMcKee, NarrowsTheBandOfAShuffledMesh) {
    for (int dimension : {2, 3}) {
        const Mesh mesh = build_mesh(shuffled(box(dimension, 5000), 4));
        std::vector<std::pair<Index, Index>> links;
        for (Index e = 0; e < mesh.edges(); ++e)
            links.push_back({mesh.nodes_of(Kind::edge, e)[0], mesh.nodes_of(Kind::edge, e)[1]});
        const Rows rows = graph(mesh.nodes(), links);
        std::vector<Index> as_given(mesh.nodes());
        std::iota(as_given.begin(), as_given.end(), Index{0});
        const Index before = bandwidth(rows, as_given),
                    after = bandwidth(rows, reverse_cuthill_mckee(rows));
        EXPECT_LT(after * 4, before) << dimension << "D: " << before << " to " << after;
    }
}

}  // namespace
}  // namespace solenoid::test::mesh_ordering_test
