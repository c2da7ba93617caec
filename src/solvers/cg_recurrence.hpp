// The recurrence of preconditioned conjugate gradients (Hestenes & Stiefel 1952; Saad, Iterative Methods, algorithm 9.1):
// from a residual to a smaller one. ConjugateGradients says from where and how far.
#pragma once

#include "parallel/communicator.hpp"
#include "solvers/linear_operator.hpp"
#include "solvers/preconditioner.hpp"

namespace solenoid {

template <class Real>
class CgRecurrence {
  public:
    CgRecurrence(const Communicator& comm, Device& device, LinearOperator<Real>& matrix);

    Buffer<Real>& residual() { return r_; }  // b - A x, to be set before a descent

    // Changes x until ||b - A x|| by the recurrence meets the target, at most till `iterations` reaches `most`. goes_on: the
    // first direction is made conjugate to the last one of the descent before. False where p . A p is not positive or a
    // value is not finite.
    bool descend(Preconditioner<Real>& preconditioner, Buffer<Real>& x, double target, bool goes_on, int most, int& iterations);

  private:
    struct Step {
        double rr, rz;
    };
    double precondition(Preconditioner<Real>& preconditioner);
    double turn_from_last(Preconditioner<Real>& preconditioner, double rz);
    void turn(Preconditioner<Real>& preconditioner, double beta);
    Step advance(Preconditioner<Real>& preconditioner, Buffer<Real>& x, double alpha, double target);

    const Communicator& comm_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    Buffer<Real> r_, p_, q_, z_;  // z only where M is no diagonal
    double pq_ = 0;
};

}  // namespace solenoid
