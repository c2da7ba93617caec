// What a structured grid tells of itself as a mesh, by sums and numbers over all ranks.
#include "grid/grid_topology.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <glm/geometric.hpp>
#include <map>
#include <set>

#include "core/error.hpp"
#include "parallel/bytes.hpp"
#include "support/broken_off.hpp"

namespace solenoid::grid_topology_test {
namespace {

const double pi = std::acos(-1.0);

struct GridSample {
    const char* name;
    GridExtents extents;
    GridShape shape;
    double area;                            // of all cells
    std::int64_t nodes, cells;              // counted by hand
    std::map<std::string, double> lengths;  // of the boundaries
};

Vec3 plain(int i, int j) { return {0.5 * i, 0.25 * j, 0}; }

// Round a body, in 12 pieces: rings of radius 1 to 1.5.
Vec3 round(int i, int j) {
    const double angle = -2 * pi * i / 12, radius = 1 + 0.125 * j;
    return {radius * std::cos(angle), radius * std::sin(angle), 0};
}

std::vector<GridSample> samples() {
    const double sector = 12 * std::sin(2 * pi / 12) / 2, chord = 2 * std::sin(pi / 12);
    return {
        {"plain",
         {9, 7},
         {.position = plain},
         6,
         63,
         48,
         {{"west", 1.5}, {"east", 1.5}, {"south", 4}, {"north", 4}}},
        {"periodic",
         {8, 7, true},
         {.position = plain, .period_x = Vec3(4, 0, 0)},
         6,
         56,
         48,
         {{"south", 4}, {"north", 4}}},
        {"both",
         {8, 6, true, true},
         {.position = plain, .period_x = Vec3(4, 0, 0), .period_y = Vec3(0, 1.5, 0)},
         6,
         48,
         48,
         {}},
        {"round",
         {12, 5, true},
         {.position = round},
         sector * (1.5 * 1.5 - 1),
         60,
         48,
         {{"south", 12 * chord}, {"north", 12 * 1.5 * chord}}},
        // Cells 3 and 4 of rows 2 and 3 are land: one node of these alone; and a corner.
        {"land",
         {9, 7},
         {.position = plain,
          .is_part =
              [](int i, int j) {
                  return !((i == 3 || i == 4) && (j == 2 || j == 3)) && !(i == 0 && j == 0);
              }},
         6 - 5 * 0.125,
         61,
         43,
         {{"west", 1.25}, {"east", 1.5}, {"south", 3.5}, {"north", 4}, {"land", 3 + 0.75}}},
    };
}

template <class Body>
void for_each_sample(const Body& body) {
    const Communicator comm = Communicator::world();
    for (const GridSample& sample : samples()) {
        SCOPED_TRACE(sample.name);
        const GridBlocks blocks(sample.extents, comm.size());
        body(comm, sample, GridTopology(comm, blocks, sample.shape));
    }
}

TEST(GridTopology, CountsNumbersAndAreasAreThoseOfTheWholeGrid) {
    for_each_sample([](const Communicator& comm, const GridSample& sample,
                       const GridTopology& grid) {
        EXPECT_EQ(grid.count(Kind::node), sample.nodes);
        EXPECT_EQ(grid.count(Kind::cell), sample.cells);
        for (const Kind kind : {Kind::node, Kind::cell}) {
            const auto numbers = grid.numbers(comm, kind);
            ASSERT_EQ(numbers.size(), grid.range(kind).all);
            std::vector<GlobalIndex> own(numbers.begin(), numbers.begin() + grid.range(kind).owned);
            own = gathered(comm, own);
            std::ranges::sort(own);
            ASSERT_EQ(own.size(), grid.count(kind));
            for (std::size_t k = 0; k < own.size(); ++k) EXPECT_EQ(own[k], k);
        }
        double area = 0;
        for (Index c = 0; c < grid.range(Kind::cell).owned; ++c) {
            EXPECT_EQ(grid.owner(c), comm.rank());
            area += grid.volume(c);
            Vec3 sum(0);
            for (int j = 0; j < 4; ++j) sum += grid.side_area(c, j);
            EXPECT_LT(glm::length(sum), 1e-14);
        }
        EXPECT_NEAR(comm.sum(area), sample.area, 1e-12);
        EXPECT_EQ(grid.boundaries().size(), sample.lengths.size());
        for (std::size_t b = 0; b < grid.boundaries().size(); ++b) {
            double length = 0;
            for (const auto& face : grid.faces(b))
                length += glm::length(face.corner[1] - face.corner[0]);
            EXPECT_NEAR(comm.sum(length), sample.lengths.at(grid.boundaries()[b]), 1e-12)
                << grid.boundaries()[b];
        }
    });
}

TEST(GridTopology, HashAndNumbersDoNotDependOnTheCut) {
    for_each_sample([](const Communicator& comm, const GridSample& sample,
                       const GridTopology& grid) {
        // by hand: node by node of the whole grid, those of some cell
        std::map<std::pair<int, int>, GlobalIndex> expected;
        const auto& [nx, ny, is_x, is_y] = sample.extents;
        std::set<std::pair<int, int>> seen;
        for (int j = 0; j < ny - !is_y; ++j)
            for (int i = 0; i < nx - !is_x; ++i)
                if (!sample.shape.is_part || sample.shape.is_part(i, j))
                    for (const int x : {i, i + 1})
                        for (const int y : {j, j + 1}) seen.emplace(y % ny, x % nx);
        GlobalIndex next = 0;
        for (const auto& [y, x] : seen) expected[{x, y}] = next++;
        for (Index n = 0; n < grid.range(Kind::node).all; ++n) {
            const auto [i, j] = grid.node_place(n);
            EXPECT_EQ(grid.node_number(n), (expected.at({i, j})));
            EXPECT_EQ(grid.position(n), sample.shape.position(i, j));
        }
        const std::uint64_t hash = grid.hash(comm);
        const Communicator alone = Communicator::self();
        EXPECT_EQ(GridTopology(alone, GridBlocks(sample.extents, 1), sample.shape).hash(alone),
                  hash);
        GridShape moved = sample.shape;
        moved.position = [&](int i, int j) {
            return sample.shape.position(i, j) + (i == 1 && j == 1 ? Vec3(1e-9, 0, 0) : Vec3(0));
        };
        const GridBlocks blocks(sample.extents, comm.size());
        EXPECT_NE(GridTopology(comm, blocks, moved).hash(comm), hash);
    });
}

TEST(GridTopology, HalosBringEveryGhostFromItsOwner) {
    for_each_sample([](const Communicator& comm, const GridSample&, const GridTopology& grid) {
        for (const Kind kind : {Kind::node, Kind::cell}) {
            const HaloPlan& plan = grid.halo(kind);
            const auto numbers = grid.numbers(comm, kind);
            std::map<int, std::vector<GlobalIndex>> out;
            for (std::size_t k = 0; k < plan.neighbours.size(); ++k)
                for (Index s = plan.send_start[k]; s < plan.send_start[k + 1]; ++s) {
                    EXPECT_LT(plan.send[s], grid.range(kind).owned);
                    out[plan.neighbours[k]].push_back(numbers[plan.send[s]]);
                }
            const auto in = exchange_values(comm, std::move(out));
            std::set<Index> filled;
            for (std::size_t k = 0; k < plan.neighbours.size(); ++k)
                for (Index r = plan.receive_start[k]; r < plan.receive_start[k + 1]; ++r) {
                    EXPECT_EQ(in.at(plan.neighbours[k])[r - plan.receive_start[k]],
                              numbers[plan.receive[r]]);
                    filled.insert(plan.receive[r]);
                }
            EXPECT_EQ(filled.size(), grid.range(kind).all - grid.range(kind).owned);
        }
    });
}

// A point of a piece is there where a cell touches it, of this rank or of another: on the lines
// that pieces share, readers take the marks of any of them.
TEST(GridTopology, PiecesShowThePointsOfAllCells) {
    for_each_sample(
        [](const Communicator& comm, const GridSample& sample, const GridTopology& grid) {
            const auto s = grid.structure();
            ASSERT_TRUE(s);
            const auto is_cell = [&](int i, int j) {
                return i >= 0 && j >= 0 && i + 1 < s->columns && j + 1 < s->rows &&
                       (!sample.shape.is_part || sample.shape.is_part(i, j));
            };
            const auto numbers = grid.numbers(comm, Kind::node);
            std::size_t at = 0;
            for (int j = s->first_row; j <= s->last_row; ++j)
                for (int i = s->first_column; i <= s->last_column; ++i, ++at) {
                    const bool is_there = is_cell(i, j) || is_cell(i - 1, j) || is_cell(i, j - 1) ||
                                          is_cell(i - 1, j - 1);
                    // the last line of a piece is the first one of the next, which has its marks
                    const bool is_last = (i == s->last_column && i + 1 < s->columns) ||
                                         (j == s->last_row && j + 1 < s->rows);
                    const Index node = s->node_at[at];
                    if (!is_there || !is_last) {
                        EXPECT_EQ(node != none, is_there) << i << " " << j;
                    }
                    if (node != none && !sample.shape.is_part) {
                        EXPECT_EQ(numbers[node],
                                  GlobalIndex(j % sample.extents.ny) * sample.extents.nx +
                                      i % sample.extents.nx);
                    }
                }
        });
}

TEST(GridTopology, InteriorEntitiesHaveNoGhostNextToThem) {
    for_each_sample([](const Communicator& comm, const GridSample&, const GridTopology& grid) {
        const EntityRanges &nodes = grid.range(Kind::node), &cells = grid.range(Kind::cell);
        std::vector<bool> is_next_to_ghost(nodes.all);  // of nodes: to a ghost cell
        for (Index c = 0; c < cells.all; ++c) {
            const CellNodes corners = grid.nodes_of(c);
            const bool has_ghost =
                std::ranges::any_of(corners, [&](Index n) { return n >= nodes.owned; });
            for (const Index n : corners) {
                if (c >= cells.owned) is_next_to_ghost[n] = true;
                EXPECT_FALSE(n < nodes.interior && has_ghost) << "node " << n;
            }
        }
        for (Index c = 0; c < cells.interior; ++c)
            for (const Index n : grid.nodes_of(c))
                EXPECT_FALSE(is_next_to_ghost[n]) << "cell " << c;
        // and few are border: on one rank none where nothing is periodic
        if (comm.size() == 1 && !grid.is_periodic()) {
            EXPECT_EQ(nodes.interior, nodes.all);
        }
    });
}

TEST(GridTopology, OwnCellsSeeTheirNeighbours) {
    for_each_sample(
        [](const Communicator& comm, const GridSample& sample, const GridTopology& grid) {
            double across = 0;  // sides to other cells, of own cells
            for (Index c = 0; c < grid.range(Kind::cell).owned; ++c)
                for (int j = 0; j < 4; ++j) {
                    if (grid.beyond(c, j) == Beyond::nothing) continue;
                    ++across;
                    EXPECT_TRUE(grid.beyond(c, j) == Beyond::cell || grid.is_periodic());
                }
            double outer = 0;
            for (std::size_t b = 0; b < grid.boundaries().size(); ++b)
                outer += static_cast<double>(grid.faces(b).size());
            EXPECT_EQ(comm.sum(across) + comm.sum(outer), 4.0 * static_cast<double>(sample.cells));
        });
}

TEST(GridTopology, RefusesFoldedCellsLandAloneAndTooFewNodes) {
    const Communicator comm = Communicator::world();
    const auto message = [&](const GridExtents& extents, const GridShape& shape) -> std::string {
        try {
            GridTopology(comm, GridBlocks(extents, comm.size()), shape);
        } catch (const Error& e) {
            return e.what();
        }
        return "";
    };
    const GridExtents extents{9, 7};
    EXPECT_NE(message(extents, {.position =
                                    [](int i, int j) {
                                        return i == 3 && j == 2 ? Vec3(2.6, 0.5, 0) : plain(i, j);
                                    }})
                  .find("of the grid is folded"),
              std::string::npos);
    EXPECT_NE(message(extents, {.position = plain, .is_part = [](int, int) { return false; }})
                  .find("all of it is land"),
              std::string::npos);
    if (comm.size() == 1) {
        EXPECT_NE(message({1, 7}, {.position = plain}).find("two at least"), std::string::npos);
    }
}

// A signal is heard after a row, or a few thousand cells, of the 90 000 nodes.
TEST(GridTopology, IsBrokenOffWhereItIs) {
    const Communicator comm = Communicator::world();
    const GridExtents extents{300, 300};
    const std::vector<GridBlock> blocks = GridBlocks(extents, comm.size()).all();
    const std::size_t nodes = 90000 / comm.size();
    for (const std::size_t at : {std::size_t(1), nodes / 3, nodes + 5}) {
        const std::size_t more = test::calls_after_stop(at, [&](const auto& evaluated) {
            const GridShape shape{.position = plain, .is_part = [&](int i, int) {
                                      evaluated();
                                      return i > 2;
                                  }};
            const GridTopology grid(comm, extents, blocks, shape);
        });
        EXPECT_LT(more, 5000u) << at;
    }
    const std::size_t more = test::calls_after_stop(nodes / 3, [&](const auto& evaluated) {
        const GridShape shape{.position = [&](int i, int j) {
            evaluated();
            return plain(i, j);
        }};
        const GridTopology grid(comm, extents, blocks, shape);
    });
    EXPECT_LT(more, 5000u);
}

}  // namespace
}  // namespace solenoid::grid_topology_test
