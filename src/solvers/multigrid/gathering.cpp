#include "solvers/multigrid/gathering.hpp"

#include <algorithm>

namespace solenoid {
namespace {

// A message of `sent` values to a rank and one of `received` values from it.
void append_neighbour(HaloPlan& plan, int rank, Index first_sent, Index sent, Index first_received,
                      Index received) {
    plan.neighbours.push_back(rank);
    for (Index i = 0; i < sent; ++i) plan.send.push_back(first_sent + i);
    for (Index i = 0; i < received; ++i) plan.receive.push_back(first_received + i);
    plan.send_start.push_back(static_cast<Index>(plan.send.size()));
    plan.receive_start.push_back(static_cast<Index>(plan.receive.size()));
}

Index size_on(const RowPartition& rows, int rank) { return static_cast<Index>(rows.size(rank)); }

}  // namespace

int ranks_to_gather(const RowPartition& rows, int ranks, Index coarsest, Index rows_a_rank) {
    if (rows.count() <= coarsest) return ranks;
    int group = 1;
    const auto ranks_left = [&] {
        int active = 0;
        for (int rank = 0; rank < ranks; rank += group)
            active += rows.start[std::min(ranks, rank + group)] > rows.start[rank];
        return active;
    };
    for (int active = ranks_left(); active > 1 && rows.count() < std::int64_t(active) * rows_a_rank;
         active = ranks_left())
        group *= 2;
    return std::min(group, ranks);
}

GatheringPlans gathering_plans(const Communicator& comm, const RowPartition& rows, int group) {
    GatheringPlans plans;
    const int leader = comm.rank() - comm.rank() % group;
    if (comm.rank() != leader) {
        const Index own = size_on(rows, comm.rank());
        append_neighbour(plans.gather, leader, 0, own, 0, 0);
        append_neighbour(plans.scatter, leader, 0, 0, 0, own);
        return plans;
    }
    for (int rank = leader + 1; rank < std::min(comm.size(), leader + group); ++rank) {
        const Index first = static_cast<Index>(rows.start[rank] - rows.start[leader]);
        append_neighbour(plans.gather, rank, 0, 0, first, size_on(rows, rank));
        append_neighbour(plans.scatter, rank, first, size_on(rows, rank), 0, 0);
    }
    return plans;
}

HaloPlan replication_plan(const Communicator& comm, const RowPartition& rows) {
    HaloPlan plan;
    for (int rank = 0; rank < comm.size(); ++rank)
        if (rank != comm.rank())
            append_neighbour(plan, rank, static_cast<Index>(rows.first(comm.rank())),
                             size_on(rows, comm.rank()), static_cast<Index>(rows.first(rank)),
                             size_on(rows, rank));
    return plan;
}

}  // namespace solenoid
