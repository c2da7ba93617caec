// Smoothed aggregation (Vanek, Mandel & Brezina 1996): a symmetric positive (semi-)definite matrix
// A_0 and the coarser A_l+1 = P_l^T A_l P_l, made on the host in double. Aggregates are those of
// aggregation.hpp, P_l and the product those of prolongation.hpp, the ranks of a level those of
// gathering.hpp, the last level's inverse that of dense_inverse.hpp. docs/numerics.md, "Multigrid".
#pragma once

#include <algorithm>

#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

struct MultigridSettings {
    // products of the smoother on either side of the coarse correction, 1 to 4; one more from the
    // third level on
    int smoothing = 2;
    int max_levels = 20;
    double strength = 0.25;  // of couplings that make aggregates, over the strongest of a row
    Index coarsest = 200;    // rows of a level that is inverted
    // a level with fewer is gathered on fewer ranks; 0: the device's parallel_rows, at least 1000
    Index rows_a_rank = 0;
    // rows that a pass computes in the time of a message: up to so many of other ranks' are
    // computed to spare one; 0: rows_a_rank
    Index rows_a_message = 0;
    Index most_layered = none;  // entries of a vector with layers of ghosts
    // up to so many ranks each do what one rank would do alone; 0: one rank does it
    int most_replicas = 64;

    // Products of the smoother on a level: small ones make up for what one V-cycle leaves of their
    // equations.
    int steps(std::size_t depth) const {
        return depth < 2 ? smoothing : std::min(smoothing + 1, 4);
    }
};

// One level on this rank. Its vectors hold `own` values, perhaps those of other ranks after them,
// `size` in all.
struct HierarchyLevel {
    Index own = 0, size = 0;
    // With layers of ghosts (rows of other ranks that are computed here too, so that a smoother
    // exchanges once for all its steps): layers[0] is `own`, layers[k] where the k-th layer ends,
    // the last one `size`. Rows of `matrix` have columns in the next layer at most; of those of the
    // last layer, which nothing computes, some columns are `none`.
    std::vector<Index> layers;
    HostMatrix matrix;
    HaloPlan halo;
    std::vector<double> diagonal;   // one a row; 0 on empty rows
    double largest_eigenvalue = 0;  // of D^-1 A, from above

    // From and to the finer level: its restriction gives the values [first, first + arriving),
    // which `gather` brings to the ranks that hold them on this level. `scatter` brings them back,
    // and `prolongation_halo` fills what the prolongation reads of other ranks: nothing on a
    // replicated level, which every rank has whole.
    Index first = 0, arriving = 0;
    HaloPlan gather, scatter, prolongation_halo;
    bool is_gathered = false, is_replicated = false;

    // R = P^T and P to the coarser level: rows [first, first + arriving) of it, and this one's
    HostMatrix restriction, prolongation;  // entries that single precision holds
    bool is_inverted = false;              // the coarsest level, small and on one rank or on each
    HostMatrix inverse;                    // of dense_inverse()

    std::int64_t rows = 0, nonzeros = 0;  // of all ranks
    int ranks = 1;                        // that have rows of this level
};

// matrix: a row for each owned entity; fixed: owned entities that are no unknowns. The first level
// is the finest. Throws ComputationError on all ranks where the coarsest matrix is not positive.
// Collective.
std::vector<HierarchyLevel> make_hierarchy(const Communicator& comm, const EntityRanges& ranges,
                                           const HaloPlan& halo, const HostMatrix& matrix,
                                           const std::vector<Index>& fixed,
                                           const MultigridSettings& settings);

}  // namespace solenoid
