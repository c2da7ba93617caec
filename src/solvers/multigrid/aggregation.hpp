// Aggregates of a matrix's rows: the unknowns of the next coarser level (Vanek, Mandel & Brezina
// 1996).
#pragma once

#include <span>

#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

struct Aggregates {
    std::vector<Index> of;  // one a row: its aggregate in [0, count); none where nothing is coupled
    Index count = 0;
};

// matrix: rows [0, n) of one rank; columns from n on are other ranks' and left out. diagonal: a_ii,
// one a row; rows where it is not positive are left out. With w_ij = -a_ij / sqrt(a_ii a_jj) > 0, i
// and j are coupled where
//     w_ij >= strength min(max_k w_ik, max_k w_jk),
// the threshold of Vanek, Mandel & Brezina (1996) for the signed entries and relative to
// the rows' largest. In their first pass rows ascend, and one whose neighbours are all free makes
// an aggregate with them; in their second the others join the aggregate of the first pass that they
// are coupled to most.
Aggregates aggregate(const HostMatrix& matrix, std::span<const double> diagonal, double strength);
// Neighbours are the rows one or two couplings away, these coupled by the product of both w: for
// matrices with few entries a row.
Aggregates aggregate_wide(const HostMatrix& matrix, std::span<const double> diagonal,
                          double strength);

}  // namespace solenoid
