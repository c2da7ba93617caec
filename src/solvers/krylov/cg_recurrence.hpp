// The recurrence of preconditioned conjugate gradients (Hestenes & Stiefel 1952; Saad, Iterative Methods, algorithm 9.1):
// from a residual to a smaller one. ConjugateGradients says from where and how far.
#pragma once

#include "parallel/communicator.hpp"
#include "solvers/krylov/linear_operator.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

template <class Real>
class CgRecurrence {
  public:
    CgRecurrence(const Communicator& comm, Device& device, LinearOperator<Real>& matrix);

    void allocate(Preconditioner<Real>& preconditioner);  // its vectors, if that is not done: else at the first descent
    Buffer<Real>& residual() { return r_; }               // b - A x, to be set before a descent

    struct Descent {
        double target;     // of ||b - A x|| by the recurrence
        int most;          // iterations in all
        bool goes_on;      // the first direction is conjugate to the last one of the descent before
        double scale = 1;  // x in double, Real single precision: residual() and b - A x differ by this factor
    };
    // Changes x until the target is met or `iterations` reaches most. False where p . A p is not positive or a value is
    // not finite. Answer: Real, or double where Real is single precision.
    template <class Answer>
    bool descend(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, const Descent& descent, int& iterations);

  private:
    struct Step {
        double rr, rz;
    };
    double precondition(Preconditioner<Real>& preconditioner);
    double turn_from_last(Preconditioner<Real>& preconditioner, double rz);
    void turn(Preconditioner<Real>& preconditioner, double beta);
    template <class Answer>
    Step advance(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, double alpha, const Descent& descent);

    const Communicator& comm_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    Buffer<Real> r_, p_, q_, z_;  // z only where M is no diagonal
    double pq_ = 0;
};

}  // namespace solenoid
