// Aggregates that do not depend on how rows are spread over the ranks: round independent sets by
// hashes of the rows' names (Luby 1986; Bell, Dalton & Olson 2012).
#pragma once

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

struct IndependentAggregates {
    RowPartition partition;          // of the aggregates, each on the rank of its root
    std::vector<GlobalIndex> of;     // one a row: the number of its aggregate; -1 where it has none
    std::vector<GlobalIndex> names;  // of this rank's aggregates: their roots'
};

// names: of this rank's rows, all different. Rows are coupled as in aggregate(). Roots are more
// than twice as far apart as an aggregate reaches, which is one coupling, or two where it is wide;
// each other row is as near to one. Such rows join the aggregate within reach, others, as in
// aggregate(), that which they are coupled to most; of equals that of the larger hash. Collective.
IndependentAggregates independent_aggregates(const Communicator& comm, const ParallelMatrix& a,
                                             const std::vector<double>& diagonal,
                                             const std::vector<GlobalIndex>& names, double strength,
                                             bool is_wide);

// An aggregate for each row with a positive diagonal. Collective.
IndependentAggregates one_each(const Communicator& comm, const std::vector<double>& diagonal,
                               const std::vector<GlobalIndex>& names);

}  // namespace solenoid
