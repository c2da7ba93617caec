// Iterative refinement: the residual and the answer in double, conjugate gradients for the correction in single precision
// (Higham 2002, chapter 12).
#pragma once

#include "solvers/cg.hpp"

namespace solenoid {

class MixedConjugateGradients {
  public:
    // matrix and rounded: the same operator, on vectors of the same size.
    MixedConjugateGradients(const Communicator& comm, Device& device, LinearOperator<double>& matrix, LinearOperator<float>& rounded);

    // As ConjugateGradients<double>::solve, to the same true residual.
    SolveReport solve(Preconditioner<float>& preconditioner, const Buffer<double>& b, Buffer<double>& x, const CgSettings& settings);

  private:
    double residual_of(const Buffer<double>& b, Buffer<double>& x);
    SolveReport correct(Preconditioner<float>& preconditioner, Buffer<double>& x, double scale, const CgSettings& settings);

    const Communicator& comm_;
    Device& device_;
    LinearOperator<double>& matrix_;
    ConjugateGradients<float> cg_;
    Buffer<double> r_;
    Buffer<float> correction_;
};

}  // namespace solenoid
