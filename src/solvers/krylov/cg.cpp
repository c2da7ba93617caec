#include "solvers/krylov/cg.hpp"

#include "solvers/krylov/mixed_recurrence.hpp"

namespace solenoid {

template <class Real>
ConjugateGradients<Real>::ConjugateGradients(const Communicator& comm, LinearOperator<Real>& matrix)
    : sums_(comm),
      recurrence_(std::make_unique<MixedRecurrence<Real>>(sums_, matrix)),
      true_residual_(std::make_unique<TrueResidual<Real>>(sums_, matrix, *recurrence_)) {}

template <class Real>
ConjugateGradients<Real>::~ConjugateGradients() = default;

template <class Real>
void ConjugateGradients<Real>::prepare(Preconditioners<Real> preconditioners) {
    recurrence_->set_preconditioners(preconditioners);
    recurrence_->prepare();
    recurrence_->set_preconditioners({});
}

template <class Real>
void ConjugateGradients<Real>::prepare(Preconditioner<Real>& preconditioner) {
    Preconditioner<Real>* const one[] = {&preconditioner};
    prepare(Preconditioners<Real>(one));
}

template <class Real>
std::vector<SolveReport> ConjugateGradients<Real>::solve(Preconditioners<Real> preconditioners,
                                                         const Buffer<Real>& b, Buffer<Real>& x,
                                                         const CgSettings& settings) {
    recurrence_->set_preconditioners(preconditioners);
    return true_residual_->solve(b, x, settings);
}

template <class Real>
SolveReport ConjugateGradients<Real>::solve(Preconditioner<Real>& preconditioner,
                                            const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    Preconditioner<Real>* const one[] = {&preconditioner};
    return solve(Preconditioners<Real>(one), b, x, settings).front();
}

template <class Real>
SolveReport ConjugateGradients<Real>::solve(const Buffer<Real>& inverse_diagonal,
                                            const Buffer<Real>& b, Buffer<Real>& x,
                                            const CgSettings& settings) {
    DiagonalPreconditioner<Real> jacobi(inverse_diagonal);
    return solve(jacobi, b, x, settings);
}

template <class Real>
const Buffer<Real>& ConjugateGradients<Real>::residual() {
    return recurrence_->residual();
}

template class ConjugateGradients<float>;
template class ConjugateGradients<double>;

}  // namespace solenoid
