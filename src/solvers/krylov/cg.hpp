// Preconditioned conjugate gradients to a true residual, in one precision or two.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/linear_operator.hpp"
#include "solvers/krylov/preconditioner.hpp"
#include "solvers/krylov/solve_report.hpp"
#include "solvers/krylov/solve_settings.hpp"

namespace solenoid {

template <class Real>
class MixedRecurrence;
template <class Real>
class TrueResidual;

// A x = b with A symmetric positive (semi-)definite: the recurrence (cg_recurrence.hpp) in single
// or double precision (mixed_recurrence.hpp), restarted from the true residual
// (true_residual.hpp). Keeps the work vectors. b and x have the operator's size and columns; x
// holds the first guess and the answer.
template <class Real>
class ConjugateGradients {
  public:
    template <class Precision>
    using Preconditioners = std::span<Preconditioner<Precision>* const>;  // one a column

    ConjugateGradients(const Communicator& comm, LinearOperator<Real>& matrix);
    ~ConjugateGradients();

    // What the first solve else does once: allocates the vectors and, for a mixed one, rounds the
    // matrix. Collective.
    void prepare(Preconditioners<Real> preconditioners);
    void prepare(Preconditioner<Real>& preconditioner);
    // Each column with a tolerance and iterations of its own, as if it were alone; products and
    // messages are those of all.
    std::vector<SolveReport> solve(Preconditioners<Real> preconditioners, const Buffer<Real>& b,
                                   Buffer<Real>& x, const CgSettings& settings);
    SolveReport solve(Preconditioner<Real>& preconditioner, const Buffer<Real>& b, Buffer<Real>& x,
                      const CgSettings& settings);
    // With M^-1 a diagonal: Jacobi's, or ones.
    SolveReport solve(const Buffer<Real>& inverse_diagonal, const Buffer<Real>& b, Buffer<Real>& x,
                      const CgSettings& settings);
    // b - A x of the last solve that had anything to do.
    const Buffer<Real>& residual();

  private:
    AgreedSums sums_;
    std::unique_ptr<MixedRecurrence<Real>> recurrence_;
    std::unique_ptr<TrueResidual<Real>> true_residual_;
};

}  // namespace solenoid
