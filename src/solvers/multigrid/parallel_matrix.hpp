// Matrices spread over the ranks, on the host, in double: what the setup of a multigrid hierarchy
// computes with.
//
// Rows and columns are numbered through, rank after rank. A rank holds its rows; their columns are
// numbered its own ones first, then the others' ("ghosts") in ascending global order.
#pragma once

#include "core/row_partition.hpp"
#include "parallel/distributed_mesh.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

// The partition where this rank has `own` rows. Collective.
RowPartition row_partition(const Communicator& comm, Index own);

struct ParallelMatrix {
    RowPartition partition;           // of the columns
    std::vector<GlobalIndex> ghosts;  // global numbers of the columns beyond this rank's own
    HostMatrix rows;                  // of this rank

    Index own_columns(const Communicator& comm) const {
        return static_cast<Index>(partition.size(comm.rank()));
    }
    GlobalIndex global(const Communicator& comm, Index column) const;  // number of a column
    Index all_columns(const Communicator& comm) const {
        return own_columns(comm) + static_cast<Index>(ghosts.size());
    }
};

// The halo that fills [own, own + ghosts) of a vector spread by `partition`, ghosts in any order.
// Collective.
HaloPlan halo_plan(const Communicator& comm, const RowPartition& partition,
                   const std::vector<GlobalIndex>& ghosts);

// The names of all columns, own ones and ghosts; names: of the own ones. Collective.
std::vector<GlobalIndex> names_of_columns(const Communicator& comm, const ParallelMatrix& a,
                                          std::vector<GlobalIndex> names);
// Brings the entries of each row into the order of their columns' names.
void sort_rows(HostMatrix& matrix, const std::vector<GlobalIndex>& names);

// A mesh's matrix, a row for each owned entity, without its zeros and with the rows and columns of
// fixed entities empty. halo: of the entities, by whose names entries are in order where it has
// them; fixed: entities held, of which the owned ones count. Collective.
ParallelMatrix parallel_matrix(const Communicator& comm, const EntityRanges& ranges,
                               const HaloPlan& halo, const HostMatrix& matrix,
                               const std::vector<Index>& fixed);

// A B, its columns spread as those of B; the rows of B are spread as the columns of A. An entry is
// summed in the order of A's row (Gustavson 1978). Collective, as all below.
ParallelMatrix product(const Communicator& comm, const ParallelMatrix& a, const ParallelMatrix& b);
// A^T, a row for each of A's columns; rows: how those of A are spread.
ParallelMatrix transposed(const Communicator& comm, const ParallelMatrix& a,
                          const RowPartition& rows);
// The rows of a square matrix with those of `count` layers of ghosts: `first` (ascending), what
// their rows name beyond this rank's own and earlier layers, and so on.
struct LayeredRows {
    HostMatrix rows;                  // a column of no layer is `none`
    std::vector<GlobalIndex> ghosts;  // layer by layer, each in ascending order
    std::vector<Index> ends;          // count + 1: of this rank's own rows, of each layer's
};
LayeredRows layered(const Communicator& comm, const ParallelMatrix& a,
                    const std::vector<GlobalIndex>& first, int count);
// A square matrix on fewer ranks: the rows of `group` neighbouring ranks go to the first of them.
ParallelMatrix gathered(const Communicator& comm, const ParallelMatrix& a, int group);
// A square matrix whole on every rank, as of Communicator::self().
ParallelMatrix replicated(const Communicator& comm, const ParallelMatrix& a);

}  // namespace solenoid
