#pragma once

#include "operators/domain.hpp"
#include "solvers/krylov/preconditioner.hpp"
#include "solvers/matrix/host_matrix.hpp"

namespace solenoid {

// Multigrid for the stream function's matrix: of nodes in 2D, of edges in 3D. device: the domain's
// or another one; fixed: marked codim-2 entities that are no unknowns. Collective.
template <class Real>
std::unique_ptr<Preconditioner<Real>> codim2_preconditioner(const Domain& domain, Device& device,
                                                            const HostMatrix& matrix,
                                                            const std::vector<Index>& fixed,
                                                            int max_levels);

}  // namespace solenoid
