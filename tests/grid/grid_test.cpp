// Layout, halos and sums of structured grids, on every device and on several ranks.
#include <gtest/gtest.h>

#include <cmath>

#include "core/error.hpp"
#include "grid/grid.hpp"
#include "support/devices.hpp"

namespace solenoid::grid_test {
namespace {

class GridTest : public testing::TestWithParam<std::string> {};

struct Size {
    int nx, ny;
};
constexpr Size sizes[] = {{1, 1}, {2, 3}, {5, 6}, {61, 45}, {129, 129}};

double value_at(int i, int j) { return 1 + i + 1000 * j; }

// Calls body(grid) for every size that has a block for each rank, and each pair of periodic sides.
template <class Body>
void for_each_grid(const std::string& name, const Body& body) {
    const auto device = test::make_device(name);
    const Communicator comm = Communicator::world();
    int grids = 0;
    for (const Size size : sizes)
        for (int periodic = 0; periodic < 4; ++periodic) {
            const GridExtents extents{size.nx, size.ny, bool(periodic & 1), bool(periodic & 2)};
            if (comm.size() > 1 && size.nx * size.ny < 20) {
                EXPECT_THROW(GridBlocks(extents, comm.size()), InputError);
                continue;
            }
            SCOPED_TRACE(std::to_string(size.nx) + " x " + std::to_string(size.ny) + ", periodic " +
                         std::to_string(periodic));
            const GridBlocks blocks(extents, comm.size());
            body(Grid<float>(comm, *device, blocks));
            ++grids;
        }
    EXPECT_GT(grids, 0);
}

TEST_P(GridTest, BlocksCoverTheGridOnEveryLevel) {
    for (const Size size : {Size{129, 129}, {512, 3}, {1000, 77}})
        for (const int ranks : {1, 2, 3, 4, 6}) {
            const GridBlocks blocks({size.nx, size.ny}, ranks);
            if (size.nx > 4 && size.ny > 4) {
                const GridBlocks rows({size.nx, size.ny}, ranks, GridBlocks::Uncut::x);
                EXPECT_EQ(rows.block(0, ranks - 1).width, size.nx);
                const GridBlocks columns({size.nx, size.ny}, ranks, GridBlocks::Uncut::y);
                EXPECT_EQ(columns.block(0, ranks - 1).height, size.ny);
            }
            for (int level = 0; level <= blocks.levels() && ranks > 1; ++level) {
                const GridExtents whole = blocks.extents(level);
                std::int64_t nodes = 0;
                for (int rank = 0; rank < ranks; ++rank) {
                    const GridBlock block = blocks.block(level, rank);
                    EXPECT_EQ(block.x % 2 + block.y % 2, 0);
                    EXPECT_GT(block.width, 0);
                    EXPECT_GT(block.height, 0);
                    nodes += std::int64_t(block.width) * block.height;
                    for (int other = 0; other < rank; ++other)
                        EXPECT_FALSE(blocks.block(level, other).contains(block.x, block.y));
                }
                EXPECT_EQ(nodes, whole.nodes());
            }
        }
}

TEST_P(GridTest, ValuesComeBackAsTheyWere) {
    for_each_grid(GetParam(), [](const Grid<float>& grid) {
        const GridBlock& b = grid.layout().block();
        const std::vector<double> values = grid.to_host(grid.field_of(value_at));
        ASSERT_EQ(values.size(), std::size_t(b.width) * b.height);
        std::size_t k = 0;
        for (int j = b.y; j < b.y + b.height; ++j)
            for (int i = b.x; i < b.x + b.width; ++i) ASSERT_EQ(values[k++], value_at(i, j));
    });
}

TEST_P(GridTest, GhostsHaveTheValuesOfTheWholeGrid) {
    for_each_grid(GetParam(), [](const Grid<float>& grid) {
        const GridLayout& layout = grid.layout();
        const GridExtents& whole = layout.extents();
        Buffer<float> u = grid.field(2);
        std::vector<double> values = grid.to_host(grid.field_of(value_at));
        const std::size_t nodes = values.size();
        for (std::size_t k = 0; k < nodes; ++k) values.push_back(-values[k]);
        grid.from_host(values, u);
        grid.exchange(u);
        const std::vector<float> entries = u.download();
        const auto expected = [&](int i, int j) {
            if (whole.is_periodic_x) i = (i + 4 * whole.nx) % whole.nx;
            if (whole.is_periodic_y) j = (j + 4 * whole.ny) % whole.ny;
            return i < 0 || j < 0 || i >= whole.nx || j >= whole.ny ? 0 : value_at(i, j);
        };
        for (int j = layout.first_y(); j <= layout.last_y(); ++j)
            for (int i = layout.first_x(); i <= layout.last_x(); ++i) {
                ASSERT_EQ(entries[layout.entry(i, j)], expected(i, j)) << i << ", " << j;
                ASSERT_EQ(entries[layout.size() + layout.entry(i, j)], -expected(i, j));
            }
    });
}

// The four neighbours of each node lie where shifts() says.
TEST_P(GridTest, NeighboursAreShifts) {
    for (const Size size : sizes) {
        const GridLayout layout({size.nx, size.ny}, {0, 0, size.nx, size.ny});
        for (int j = 0; j < size.ny; ++j)
            for (int i = 0; i < size.nx; ++i) {
                const int quarter = (i & 1) + 2 * (j & 1);
                const auto at = [&](int x, int y) {
                    return static_cast<std::uint32_t>(layout.entry(x, y));
                };
                const GridLayout::Shifts to = layout.shifts(quarter);
                ASSERT_EQ(at(i, j) + to.east, at(i + 1, j));
                ASSERT_EQ(at(i, j) + to.west, at(i - 1, j));
                ASSERT_EQ(at(i, j) + to.north, at(i, j + 1));
                ASSERT_EQ(at(i, j) + to.south, at(i, j - 1));
                ASSERT_GE(layout.entry(i, j), layout.nodes(quarter).begin);
                ASSERT_LT(layout.entry(i, j), layout.nodes(quarter).end);
            }
    }
}

TEST_P(GridTest, SumsAndNormsAreThoseOfMarkedNodes) {
    for_each_grid(GetParam(), [](const Grid<float>& grid) {
        const GridExtents& whole = grid.layout().extents();
        const auto is_in = [](int i, int j) { return (i + 2 * j) % 3 != 1; };
        const auto x = [](int i, int j) { return 0.25 * ((7 * i + 3 * j) % 11) - 1; };
        const auto y = [](int i, int j) { return 0.5 * ((5 * i + j) % 7) - 1; };
        double dot = 0, most = 0;
        for (int j = 0; j < whole.ny; ++j)
            for (int i = 0; i < whole.nx; ++i) {
                if (!is_in(i, j)) continue;
                dot += x(i, j) * y(i, j);
                most = std::max(most, std::abs(x(i, j)));
            }
        Buffer<float> u = grid.field_of(x), v = grid.field_of(y);
        grid.exchange(u);  // ghosts do not count
        grid.exchange(v);
        const Buffer<float> marker = grid.marker(is_in);
        EXPECT_EQ(grid.dot(marker, u, v), dot);  // exact in binary
        EXPECT_EQ(grid.greatest(marker, u), most);
    });
}

INSTANTIATE_TEST_SUITE_P(Devices, GridTest, testing::ValuesIn(test::device_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace solenoid::grid_test
