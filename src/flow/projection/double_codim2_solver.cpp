#include "flow/projection/double_codim2_solver.hpp"

#include "flow/projection/codim2_preconditioner.hpp"

namespace solenoid {

DoubleCodim2Solver::DoubleCodim2Solver(const Domain& domain, const HostMatrix& matrix,
                                       const std::vector<Index>& fixed, int max_levels)
    : device_(domain.double_device()),
      matrix_(domain.comm, device_, domain.codim2_entities, domain.mesh.halo(domain.codim2_kind),
              matrix),
      preconditioner_(codim2_preconditioner<double>(domain, device_, matrix, fixed, max_levels)),
      cg_(domain.comm, matrix_) {
    matrix_.fix(fixed);
}

}  // namespace solenoid
