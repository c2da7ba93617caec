// Aggregates of small graphs, by hand. A rank's rows alone count, so that every rank has the same.
#include "solvers/multigrid/aggregation.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace solenoid::aggregation_test {
namespace {

struct Coupling {
    Index i, j;
    double weight;
};

// A symmetric matrix with a unit diagonal and -weight where rows are coupled, in scaled rows: D A D
// has the couplings of A.
struct Graph {
    HostMatrix matrix;
    std::vector<double> diagonal;

    Graph(Index rows, const std::vector<Coupling>& couplings) {
        const auto scale = [](Index i) { return 1 + double(i * 7 % 5); };
        for (Index i = 0; i < rows; ++i) {
            diagonal.push_back(scale(i) * scale(i));
            matrix.append(i, diagonal.back());
            for (const Coupling& c : couplings)
                if (c.i == i || c.j == i)
                    matrix.append(c.i == i ? c.j : c.i, -c.weight * scale(c.i) * scale(c.j));
            matrix.end_row();
        }
    }
    std::vector<Index> aggregates(double strength = 0.25) const {
        return aggregate(matrix, diagonal, strength).of;
    }
};

std::vector<Coupling> chain(Index rows) {
    std::vector<Coupling> couplings;
    for (Index i = 0; i + 1 < rows; ++i) couplings.push_back({i, i + 1, 0.5});
    return couplings;
}

using Of = std::vector<Index>;

// Threes of a chain, its ends first; what is left joins.
TEST(Aggregation, TakesARowWithItsNeighbours) {
    const Graph graph(9, chain(9));
    const Aggregates found = aggregate(graph.matrix, graph.diagonal, 0.25);
    EXPECT_EQ(found.of, (Of{0, 0, 1, 1, 1, 2, 2, 2, 2}));
    EXPECT_EQ(found.count, 3u);
}

// Fives: two couplings to either side.
TEST(Aggregation, TakesTheNeighboursNeighboursWhereWide) {
    const Graph graph(12, chain(12));
    const Aggregates found = aggregate_wide(graph.matrix, graph.diagonal, 0.25);
    EXPECT_EQ(found.of, (Of{0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2}));
    EXPECT_EQ(found.count, 3u);
}

// 1 - 0 . 2 - 3: the middle coupling counts from a quarter of the lesser maximum on.
TEST(Aggregation, ComparesWithTheStrongestCoupling) {
    const auto pairs = [](double middle) {
        return Graph(4, {{0, 1, 0.8}, {0, 2, middle}, {2, 3, 0.6}}).aggregates();
    };
    EXPECT_EQ(pairs(0.2), (Of{0, 0, 0, 0}));
    EXPECT_EQ(pairs(0.151), (Of{0, 0, 0, 0}));
    EXPECT_EQ(pairs(0.149), (Of{0, 0, 1, 1}));
    EXPECT_EQ(pairs(-0.8), (Of{0, 0, 1, 1}));
    EXPECT_EQ(Graph(4, {{0, 1, 0.8}, {0, 2, 0.2}, {2, 3, 0.6}}).aggregates(0.5), (Of{0, 0, 1, 1}));
}

// A row whose only coupling is weak to the other side has no stronger one.
TEST(Aggregation, LeavesNoRowAlone) {
    EXPECT_EQ(Graph(3, {{0, 1, 0.8}, {0, 2, 0.001}}).aggregates(), (Of{0, 0, 0}));
}

TEST(Aggregation, LeftoversJoinWhatTheyAreCoupledToMost) {
    const auto of = [](double first, double second) {
        return Graph(5, {{0, 1, 0.9}, {2, 3, 0.9}, {4, 1, first}, {4, 3, second}}).aggregates();
    };
    EXPECT_EQ(of(0.5, 0.7), (Of{0, 0, 1, 1, 1}));
    EXPECT_EQ(of(0.7, 0.5), (Of{0, 0, 1, 1, 0}));
}

// Leftovers beside leftovers: those that join do not draw others along.
TEST(Aggregation, JoinsCompleteAggregatesAlone) {
    // 0 - 1, 2 - 3; 4 and 5 lie between, coupled most to each other
    const Graph graph(6, {{0, 1, 0.5}, {2, 3, 0.5}, {1, 4, 0.3}, {4, 5, 0.9}, {5, 3, 0.4}});
    EXPECT_EQ(graph.aggregates(), (Of{0, 0, 1, 1, 0, 1}));
}

// No coupling, a positive entry, an empty row, a column of another rank.
TEST(Aggregation, IsolatedRowsHaveNone) {
    Graph graph(8, {{0, 1, 0.5}, {3, 4, -0.5}, {6, 7, 0.5}});
    graph.diagonal[5] = 0;
    HostMatrix& m = graph.matrix;
    const Index row_2 = m.rows.start[2];
    m.rows.index.insert(m.rows.index.begin() + row_2 + 1, 8);
    m.entries.insert(m.entries.begin() + row_2 + 1, -10.0);
    for (Index i = 3; i < m.rows.start.size(); ++i) ++m.rows.start[i];
    const Aggregates found = aggregate(m, graph.diagonal, 0.25);
    EXPECT_EQ(found.of, (Of{0, 0, none, none, none, none, 1, 1}));
    EXPECT_EQ(found.count, 2u);
    EXPECT_EQ(aggregate_wide(m, graph.diagonal, 0.25).of, found.of);
}

TEST(Aggregation, OfNoRowsIsEmpty) {
    const Aggregates found = aggregate({}, {}, 0.25);
    EXPECT_TRUE(found.of.empty());
    EXPECT_EQ(found.count, 0u);
}

// A grid of n by n: every row in one aggregate, all numbers used. Complete ones have a row and its
// four neighbours, of wide ones a row and its twelve: inside the grid none has fewer.
TEST(Aggregation, CoversAGrid) {
    constexpr Index n = 30;
    std::vector<Coupling> couplings;
    for (Index i = 0; i < n * n; ++i) {
        if (i % n + 1 < n) couplings.push_back({i, i + 1, 0.25});
        if (i + n < n * n) couplings.push_back({i, i + n, 0.25});
    }
    const Graph graph(n * n, couplings);
    for (const bool is_wide : {false, true}) {
        const Aggregates found = is_wide ? aggregate_wide(graph.matrix, graph.diagonal, 0.25)
                                         : aggregate(graph.matrix, graph.diagonal, 0.25);
        ASSERT_EQ(found.of.size(), n * n);
        std::vector<Index> size(found.count, 0);
        std::vector<bool> is_inside(found.count, true);
        for (Index i = 0; i < n * n; ++i) {
            ASSERT_LT(found.of[i], found.count);
            ++size[found.of[i]];
            for (const Index at : {i % n, i / n})
                if (at < 4 || at + 4 >= n) is_inside[found.of[i]] = false;
        }
        for (Index a = 0; a < found.count; ++a) {
            EXPECT_GE(size[a], 3u);
            if (is_inside[a]) {
                EXPECT_GE(size[a], is_wide ? 13u : 5u);
            }
        }
        EXPECT_LE(found.count, n * n / (is_wide ? 10 : 4));
    }
}

}  // namespace
}  // namespace solenoid::aggregation_test
