// A first guess from the last solutions of the same system: of their span, the member nearest to the solution in the
// matrix's norm (Fischer 1998). It costs a product a solve and spares iterations where right-hand sides change slowly.
#pragma once

#include "parallel/communicator.hpp"
#include "solvers/krylov/linear_operator.hpp"

namespace solenoid {

template <class Real>
class StartingGuess {
  public:
    // most: solutions that are kept; then the oldest ones go, all but the last.
    StartingGuess(const Communicator& comm, Device& device, LinearOperator<Real>& matrix, int most = 4);

    void guess(const Buffer<Real>& b, Buffer<Real>& x);  // x on marked entities; zero before anything is remembered
    void remember(Buffer<Real>& x);                      // a solution, zero on fixed entities

  private:
    void add(Buffer<Real>& x);

    const Communicator& comm_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    std::vector<Buffer<Real>> basis_, image_;  // x_k and A x_k, with x_j . A x_k = 1 where j = k, else 0
    int count_ = 0;
};

}  // namespace solenoid
