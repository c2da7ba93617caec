// Matrices spread over the ranks beside dense ones that every rank has whole.
#include "solvers/multigrid/parallel_matrix.hpp"

#include <gtest/gtest.h>

#include "parallel/fill_ghosts.hpp"
#include "solvers/multigrid/dense_matrix.hpp"

namespace solenoid::parallel_matrix_test {
namespace {

using test::Dense, test::expect_ghosts_in_order, test::dealt_out, test::uneven, test::whole,
    test::whole_numbers;

const Communicator& world() {
    static const Communicator comm = Communicator::world();
    return comm;
}

TEST(ParallelMatrix, SpreadsAndJoins) {
    const Dense a = whole_numbers(17, 23, 1);
    const ParallelMatrix found = dealt_out(world(), a, uneven(world(), 17), uneven(world(), 23));
    expect_ghosts_in_order(world(), found);
    EXPECT_EQ(whole(world(), found).entries, a.entries);
}

TEST(ParallelMatrix, Multiplies) {
    const RowPartition rows = uneven(world(), 17), inner = uneven(world(), 23),
                       columns = row_partition(world(), 5);
    const Dense a = whole_numbers(17, 23, 2), b = whole_numbers(23, columns.count(), 3);
    const ParallelMatrix found =
        product(world(), dealt_out(world(), a, rows, inner), dealt_out(world(), b, inner, columns));
    expect_ghosts_in_order(world(), found);
    EXPECT_EQ(whole(world(), found).entries, (a * b).entries);
}

TEST(ParallelMatrix, Transposes) {
    const RowPartition rows = uneven(world(), 17), columns = row_partition(world(), 4);
    const Dense a = whole_numbers(17, columns.count(), 4);
    const ParallelMatrix found = transposed(world(), dealt_out(world(), a, rows, columns), rows);
    EXPECT_EQ(found.partition.start, rows.start);
    expect_ghosts_in_order(world(), found);
    EXPECT_EQ(whole(world(), found).entries, transposed(a).entries);
}

// Ghosts in any order.
TEST(ParallelMatrix, PlansHalos) {
    const RowPartition rows = row_partition(world(), 3 + world().rank());
    std::vector<GlobalIndex> ghosts;
    for (GlobalIndex i = rows.count(); i-- > 0;)
        if (rows.owner(i) != world().rank() && i % 2 == 0) ghosts.push_back(i);
    std::vector<GlobalIndex> values;
    for (Index i = 0; i < rows.size(world().rank()); ++i)
        values.push_back(10 * (rows.first(world().rank()) + i));
    const std::size_t own = values.size();
    values.resize(own + ghosts.size(), -1);
    fill_ghosts(world(), halo_plan(world(), rows, ghosts), values);
    for (std::size_t g = 0; g < ghosts.size(); ++g) EXPECT_EQ(values[own + g], 10 * ghosts[g]);
}

// The rows of ghosts, in the ghosts' order.
TEST(GlobalRows, BringsRowsOfOtherRanks) {
    const RowPartition rows = uneven(world(), 12), columns = uneven(world(), 9);
    const Dense b = whole_numbers(12, 9, 5);
    std::vector<GlobalIndex> ghosts;
    for (GlobalIndex i = 0; i < 12; i += 2)
        if (rows.owner(i) != world().rank()) ghosts.push_back(i);
    const GlobalRows found =
        ghost_rows(world(), rows, ghosts, dealt_out(world(), b, rows, columns));
    ASSERT_EQ(found.start.size(), ghosts.size() + 1);
    for (std::size_t g = 0; g < ghosts.size(); ++g) {
        std::vector<double> row(9, 0.0);
        for (Index k = found.start[g]; k < found.start[g + 1]; ++k)
            row.at(found.column[k]) = found.entry[k];
        for (std::size_t j = 0; j < 9; ++j) EXPECT_EQ(row[j], b(ghosts[g], j)) << g << ", " << j;
    }
}

// Of two neighbours in a chain and the fixed rows among them: what is free keeps its entries.
TEST(ParallelMatrix, LeavesFixedRowsAndColumnsEmpty) {
    constexpr Index own = 4;
    const int rank = world().rank(), last = world().size() - 1;
    const GlobalIndex first = own * rank, count = own * world().size();
    const RowPartition rows = row_partition(world(), own);
    std::vector<GlobalIndex> ghosts;
    if (rank < last) ghosts.push_back(first + own);  // not in ascending order
    if (rank > 0) ghosts.push_back(first - 1);
    const auto local = [&](GlobalIndex i) {
        if (i >= first && i < first + own) return static_cast<Index>(i - first);
        return own +
               static_cast<Index>(std::find(ghosts.begin(), ghosts.end(), i) - ghosts.begin());
    };
    HostMatrix matrix;
    for (GlobalIndex i = first; i < first + own; ++i) {
        matrix.append(local(i), 2);
        if (i > 0) matrix.append(local(i - 1), -1);
        if (i + 1 < count) matrix.append(local(i + 1), -1);
        if (i > 1 && i - 2 >= first) matrix.append(local(i - 2), 0);  // as of orthogonal faces
        matrix.end_row();
    }
    const EntityRanges ranges{own, own, own, own + static_cast<Index>(ghosts.size())};
    const ParallelMatrix found =
        parallel_matrix(world(), ranges, halo_plan(world(), rows, ghosts), matrix, {0});
    Dense expected(count, count);
    for (GlobalIndex i = 0; i < count; ++i)
        for (GlobalIndex j = 0; j < count; ++j)
            if (i % own != 0 && j % own != 0)
                expected(i, j) = i == j ? 2 : std::abs(double(i - j)) == 1 ? -1 : 0;
    EXPECT_EQ(whole(world(), found).entries, expected.entries);
    expect_ghosts_in_order(world(), found);
    for (double entry : found.rows.entries) EXPECT_NE(entry, 0);
}

// Of a chain that is cut into ranks each layer has a row at either end.
TEST(RegroupedRows, BringsLayersOfGhosts) {
    constexpr Index own = 5;
    const int rank = world().rank(), last = world().size() - 1;
    const GlobalIndex count = own * world().size(), first = own * rank;
    Dense a(count, count);
    for (GlobalIndex i = 0; i < count; ++i) {
        a(i, i) = 2 + double(i);
        if (i > 0) a(i, i - 1) = a(i - 1, i) = -double(i);
    }
    const RowPartition rows = row_partition(world(), own);
    const ParallelMatrix own_rows = dealt_out(world(), a, rows, rows);
    const LayeredRows found = layered(world(), own_rows, own_rows.ghosts, 3);
    const Index ends = (rank > 0) + (rank < last);
    EXPECT_EQ(found.ends, (std::vector<Index>{own, own + ends, own + 2 * ends, own + 3 * ends}));
    std::vector<GlobalIndex> number;
    for (Index i = 0; i < own; ++i) number.push_back(first + i);
    for (int k = 0; k < 3; ++k) {
        if (rank > 0) number.push_back(first - 1 - k);
        if (rank < last) number.push_back(first + own + k);
    }
    EXPECT_EQ(found.ghosts, std::vector<GlobalIndex>(number.begin() + own, number.end()));
    ASSERT_EQ(found.rows.rows.rows(), number.size());
    for (Index i = 0; i < number.size(); ++i) {
        std::vector<double> row(count, 0.0);
        Index unknown = 0;
        for (Index k = found.rows.rows.start[i]; k < found.rows.rows.start[i + 1]; ++k) {
            if (found.rows.rows.index[k] == none)
                ++unknown;
            else
                row[number.at(found.rows.rows.index[k])] = found.rows.entries[k];
        }
        // in the last layer a column lies beyond, unless the chain ends there
        const bool is_last = i >= found.ends[2];
        const GlobalIndex beyond = number[i] + (number[i] < first ? -1 : 1);
        EXPECT_EQ(unknown, is_last && beyond >= 0 && beyond < count ? 1u : 0u) << i;
        for (GlobalIndex j = 0; j < count; ++j)
            if (!is_last || j != beyond) {
                EXPECT_EQ(row[j], a(number[i], j)) << i << ", " << j;
            }
    }
}

// On the first rank of each group the rows of the group.
TEST(RegroupedRows, GathersOnFewerRanks) {
    const RowPartition rows = uneven(world(), 14);
    const Dense a = whole_numbers(14, 14, 7);
    for (const int group : {2, 3}) {
        const ParallelMatrix found = gathered(world(), dealt_out(world(), a, rows, rows), group);
        const int first = world().rank(), end = std::min(world().size(), first + group);
        EXPECT_EQ(found.rows.rows.rows(),
                  first % group ? 0u : std::size_t(rows.start[end] - rows.start[first]));
        EXPECT_EQ(found.partition.size(world().rank()), found.rows.rows.rows());
        EXPECT_EQ(whole(world(), found).entries, a.entries);
        expect_ghosts_in_order(world(), found);
    }
}

TEST(RegroupedRows, ReplicatesOnAllRanks) {
    const RowPartition rows = uneven(world(), 14);
    const Dense a = whole_numbers(14, 14, 8);
    const ParallelMatrix found = replicated(world(), dealt_out(world(), a, rows, rows));
    EXPECT_TRUE(found.ghosts.empty());
    EXPECT_EQ(whole(Communicator::self(), found).entries, a.entries);
}

}  // namespace
}  // namespace solenoid::parallel_matrix_test
