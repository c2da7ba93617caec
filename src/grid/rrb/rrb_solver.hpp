// Conjugate gradients on the first Schur complement of a five-point matrix, preconditioned by its
// repeated red-black factorization: RRB-k (docs/rrb.md).
#pragma once

#include "grid/rrb/rrb_factorization.hpp"
#include "parallel/agreed_sums.hpp"

namespace solenoid {

struct RrbSettings {
    // Stop where the norm of the residual in M^-1 is no more than this times that of the residual
    // of the zero guess.
    double reduction = 1e-5;
    int max_iterations = 1000;
    // the first guess is zero, whatever x holds
    bool from_zero = false;
};

struct RrbReport {
    bool has_converged = false;
    int iterations = 0;
    double reduction = 0;  // reached: of the recurrence's residual
};

template <class Real>
class RrbSolver {
  public:
    RrbSolver(const Communicator& comm, Device& device, RrbFactorization<Real>& factorization);

    // S x = b, arrays of the factorization (RrbFactorization::array); x: the first guess and the
    // answer. Fills the rings of b and x. Throws ComputationError where a number is not finite or
    // the matrix or M is found not to be positive definite. Collective.
    RrbReport solve(Buffer<Real>& b, Buffer<Real>& x, const RrbSettings& settings);

  private:
    Device& device_;
    RrbFactorization<Real>& factorization_;
    AgreedSums sums_;
    Buffer<Real> x_, r_, p_, q_, z_;  // of red nodes
};

}  // namespace solenoid
