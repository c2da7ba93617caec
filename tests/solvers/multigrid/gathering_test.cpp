// Which ranks keep a coarse level, and the messages that bring it there and back.
#include "solvers/multigrid/gathering.hpp"

#include <gtest/gtest.h>

#include "parallel/fill_ghosts.hpp"

namespace solenoid::gathering_test {
namespace {

// Rows 0, 1, 2, ... as each rank holds its own, in a vector of `size`.
std::vector<GlobalIndex> own_numbers(const Communicator& comm, const RowPartition& rows,
                                     GlobalIndex size, GlobalIndex at) {
    std::vector<GlobalIndex> numbers(size, -1);
    for (GlobalIndex i = 0; i < rows.size(comm.rank()); ++i)
        numbers[at + i] = rows.first(comm.rank()) + i;
    return numbers;
}

// Each rank a size of its own, the second of three none.
RowPartition few_rows(const Communicator& comm) {
    std::vector<GlobalIndex> sizes;
    for (int rank = 0; rank < comm.size(); ++rank) sizes.push_back(rank == 1 ? 0 : 4 + rank);
    return RowPartition::of(sizes);
}

TEST(Gathering, DoublesGroupsUntilRanksHaveEnoughRows) {
    const RowPartition even = RowPartition::of({100, 100, 100, 100});
    EXPECT_EQ(ranks_to_gather(even, 4, 20, 100), 1);
    EXPECT_EQ(ranks_to_gather(even, 4, 20, 101), 2);
    EXPECT_EQ(ranks_to_gather(even, 4, 20, 200), 2);
    EXPECT_EQ(ranks_to_gather(even, 4, 20, 201), 4);
    const RowPartition six = RowPartition::of({100, 100, 100, 100, 100, 100});
    EXPECT_EQ(ranks_to_gather(six, 6, 20, 250), 4);
    EXPECT_EQ(ranks_to_gather(even, 4, 400, 100), 4);  // the coarsest level
    EXPECT_EQ(ranks_to_gather(RowPartition::of({50, 50, 50}), 3, 20, 100), 3);
}

TEST(Gathering, CountsRanksThatHaveRows) {
    EXPECT_EQ(ranks_to_gather(RowPartition::of({400, 0, 0, 0}), 4, 20, 1000), 1);
    EXPECT_EQ(ranks_to_gather(RowPartition::of({200, 0, 0, 200}), 4, 20, 200), 1);
    EXPECT_EQ(ranks_to_gather(RowPartition::of({200, 0, 0, 200}), 4, 20, 201), 4);
}

TEST(Gathering, BringsValuesToTheFirstOfAGroupAndBack) {
    const Communicator comm = Communicator::world();
    const RowPartition rows = few_rows(comm);
    for (const int group : {2, 3, 4}) {
        const int first = comm.rank() - comm.rank() % group,
                  end = std::min(comm.size(), first + group);
        const bool is_first = comm.rank() == first;
        const GlobalIndex size =
            is_first ? rows.start[end] - rows.start[first] : rows.size(comm.rank());
        const GatheringPlans plans = gathering_plans(comm, rows, group);
        auto numbers = own_numbers(comm, rows, size, 0);
        fill_ghosts(comm, plans.gather, numbers);
        for (GlobalIndex i = 0; i < size; ++i) EXPECT_EQ(numbers[i], rows.first(comm.rank()) + i);
        if (!is_first) numbers.assign(size, -1);
        fill_ghosts(comm, plans.scatter, numbers);
        for (GlobalIndex i = 0; i < size; ++i) EXPECT_EQ(numbers[i], rows.first(comm.rank()) + i);
    }
}

TEST(Gathering, ReplicatesValues) {
    const Communicator comm = Communicator::world();
    const RowPartition rows = few_rows(comm);
    auto numbers = own_numbers(comm, rows, rows.count(), rows.first(comm.rank()));
    fill_ghosts(comm, replication_plan(comm, rows), numbers);
    for (GlobalIndex i = 0; i < rows.count(); ++i) EXPECT_EQ(numbers[i], i);
}

}  // namespace
}  // namespace solenoid::gathering_test
