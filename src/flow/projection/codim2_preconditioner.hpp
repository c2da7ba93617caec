#pragma once

#include "operators/domain.hpp"
#include "solvers/krylov/preconditioner.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

// Multigrid for the stream function's matrix: on nodes in 2D, on edges in 3D. device: the domain's
// or another one. fixed: owned codim-2 entities that are not unknowns. Collective.
template <class Real>
std::unique_ptr<Preconditioner<Real>> codim2_preconditioner(const Domain& domain, Device& device,
                                                            const HostMatrix& matrix,
                                                            const std::vector<Index>& fixed,
                                                            int max_levels);

}  // namespace solenoid
