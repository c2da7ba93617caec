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

// Of `own` rows on this rank. Collective.
RowPartition row_partition(const Communicator& comm, Index own);

struct ParallelMatrix {
    RowPartition partition;           // of the columns
    std::vector<GlobalIndex> ghosts;  // global numbers of the columns beyond this rank's own
    HostMatrix rows;

    Index own_columns(const Communicator& comm) const {
        return static_cast<Index>(partition.size(comm.rank()));
    }
    GlobalIndex global(const Communicator& comm, Index column) const;
    Index all_columns(const Communicator& comm) const {
        return own_columns(comm) + static_cast<Index>(ghosts.size());
    }
};

// The halo that fills [own, own + ghosts) of a vector spread like the columns, ghosts in any order.
// Collective.
HaloPlan halo_plan(const Communicator& comm, const RowPartition& partition,
                   const std::vector<GlobalIndex>& ghosts);

// A mesh's matrix without its fixed rows and columns, which stay as empty ones; halo: that of its
// columns. Collective.
ParallelMatrix parallel_matrix(const Communicator& comm, const EntityRanges& ranges,
                               const HaloPlan& halo, const HostMatrix& matrix,
                               const std::vector<Index>& fixed);

// The rows of b are spread like the columns of a. Collective, as all below.
ParallelMatrix product(const Communicator& comm, const ParallelMatrix& a, const ParallelMatrix& b);
// The rows of a are spread like `rows`.
ParallelMatrix transposed(const Communicator& comm, const ParallelMatrix& a,
                          const RowPartition& rows);
// The rows of a square matrix with those of its ghosts, layer by layer: `first`, what these name,
// and so on, `count` layers.
struct LayeredRows {
    HostMatrix rows;                  // a column of no layer is `none`
    std::vector<GlobalIndex> ghosts;  // layer by layer, each in ascending order
    std::vector<Index> ends;          // of this rank's own, and of each layer
};
LayeredRows layered(const Communicator& comm, const ParallelMatrix& a,
                    const std::vector<GlobalIndex>& first, int count);
// A square matrix gathered on fewer ranks: the rows of each go to the first rank of its group of
// `group` ranks.
ParallelMatrix gathered(const Communicator& comm, const ParallelMatrix& a, int group);
// A square matrix whole on every rank, as if each were alone.
ParallelMatrix replicated(const Communicator& comm, const ParallelMatrix& a);

}  // namespace solenoid
