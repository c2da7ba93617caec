// Aggregates of a matrix's rows: the unknowns of the next coarser level (Vanek, Mandel & Brezina
// 1996).
#pragma once

#include <span>

#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

struct Aggregates {
    std::vector<Index> of;  // the aggregate of each row, or none: rows that nothing is coupled to
    Index count = 0;
};

// Rows [0, n) with columns of them; a column beyond is another rank's and left out. With w_ij =
// -a_ij / sqrt(a_ii a_jj), i and j are coupled where w_ij reaches `strength` times the largest w of
// either row. An aggregate is a row with those coupled to it; leftovers join the one that they are
// coupled to most.
Aggregates aggregate(const HostMatrix& matrix, std::span<const double> diagonal, double strength);
// The same with all rows that are two couplings away: for matrices with few entries a row.
Aggregates aggregate_wide(const HostMatrix& matrix, std::span<const double> diagonal,
                          double strength);

}  // namespace solenoid
