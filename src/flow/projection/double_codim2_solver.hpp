// Solver for the stream function's matrix in double precision with multigrid, for runs whose own
// solver differs. It runs on the domain's device, or on the host if the device has no doubles.
#pragma once

#include "operators/domain.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

class DoubleCodim2Solver {
  public:
    // matrix: used in the constructor only. fixed: owned codim-2 entities that are not unknowns.
    // Collective.
    DoubleCodim2Solver(const Domain& domain, const HostMatrix& matrix,
                       const std::vector<Index>& fixed, int max_levels);

    Device& device() { return device_; }
    SolveReport solve(const Buffer<double>& b, Buffer<double>& x, const CgSettings& settings) {
        return cg_.solve(*preconditioner_, b, x, settings);
    }

  private:
    Device& device_;
    RowMatrix<double> matrix_;
    std::unique_ptr<Preconditioner<double>> preconditioner_;
    ConjugateGradients<double> cg_;
};

}  // namespace solenoid
