// Solves with the stream function's matrix in double by multigrid, for a stream function that is
// none of both: on its device, or on the host, where that has no double.
#pragma once

#include "operators/domain.hpp"
#include "solvers/krylov/cg.hpp"
#include "solvers/matrix/row_matrix.hpp"

namespace solenoid {

class DoubleCodim2Solver {
  public:
    // matrix: read while this is made; fixed: marked codim-2 entities that are no unknowns.
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
