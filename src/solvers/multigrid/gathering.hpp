// Coarse levels on fewer ranks: where a level has too few rows for all ranks, each group of
// neighbouring ranks hands its rows to its first rank, or every rank takes all rows.
#pragma once

#include "core/row_partition.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// How many neighbouring ranks hand their rows to one of them: 1, 2, 4, ... until each rank that has
// rows has rows_a_rank in the mean, at most `ranks`; all of them where the level has no more than
// `coarsest` rows.
int ranks_to_gather(const RowPartition& rows, int ranks, Index coarsest, Index rows_a_rank);

// gather: brings the values [0, own) of every rank of a group to the group's first rank, which
// holds those of the group in the order of its ranks; scatter: brings them back.
struct GatheringPlans {
    HaloPlan gather, scatter;
};
GatheringPlans gathering_plans(const Communicator& comm, const RowPartition& rows, int group);

// Brings the values of every rank, which lie at their global numbers, to all others.
HaloPlan replication_plan(const Communicator& comm, const RowPartition& rows);

}  // namespace solenoid
