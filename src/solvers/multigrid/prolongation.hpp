// Transfers between levels of smoothed aggregation and the coarse matrix that they make (Vanek,
// Mandel & Brezina 1996).
#pragma once

#include "solvers/multigrid/aggregation.hpp"
#include "solvers/multigrid/independent_aggregates.hpp"
#include "solvers/multigrid/parallel_matrix.hpp"

namespace solenoid {

// An aggregate for each row with a positive diagonal, in their order.
Aggregates one_each(const std::vector<double>& diagonal);

// P_0: a row of A, a column an aggregate, 1 where the row lies in it. Aggregates of a rank stay on
// it. Rows of no aggregate are empty. Collective, as those below.
ParallelMatrix tentative_prolongation(const Communicator& comm, const Aggregates& aggregates);

// P = (I - omega D^-1 A) P_0, rounded by round_to_single(). diagonal: D, one a row of A; rows
// where it is not positive lie in no aggregate. omega = 1.5 / lambda takes the upper end of D^-1
// A's spectrum to -1/2, lambda an upper bound of it.
ParallelMatrix smoothed_prolongation(const Communicator& comm, const ParallelMatrix& a,
                                     const Aggregates& aggregates,
                                     const std::vector<double>& diagonal, double omega);

// P_0 and P of aggregates whose rows may lie on other ranks than their roots.
ParallelMatrix tentative_prolongation(const Communicator& comm,
                                      const IndependentAggregates& aggregates);
ParallelMatrix smoothed_prolongation(const Communicator& comm, const ParallelMatrix& a,
                                     const IndependentAggregates& aggregates,
                                     const std::vector<double>& diagonal, double omega);

// P as single precision holds it, so that P^T A P is what the device's P has for a coarse matrix:
// entries below 8 become multiples of 2^-21. A row's largest entry takes what rounding did to the
// row's sum, so that constants stay in the null space of singular matrices.
void round_to_single(HostMatrix& p);

// R = P^T, a row for each of this rank's aggregates, and the coarse matrix R A P. names: of this
// rank's rows of A, by whose order R is summed, where there are any.
struct GalerkinProduct {
    ParallelMatrix restriction, matrix;
};
GalerkinProduct galerkin_product(const Communicator& comm, const ParallelMatrix& a,
                                 const ParallelMatrix& p,
                                 const std::vector<GlobalIndex>& names = {},
                                 bool has_names = false);

}  // namespace solenoid
