// The vectors of conjugate gradients, r, p, q = A p and z = M^-1 r of each column, and the passes
// of an iteration over them. Where M is a diagonal, z is not kept: M^-1 r is formed in the passes
// that read it.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "solvers/krylov/linear_operator.hpp"
#include "solvers/krylov/preconditioner.hpp"

namespace solenoid {

template <class Real>
class CgVectors {
  public:
    using Preconditioners = std::span<Preconditioner<Real>* const>;  // one a column

    CgVectors(const SummingRanks& ranks, LinearOperator<Real>& matrix);
    // p, q, and z of the columns that keep it, where that is not done.
    void allocate(Preconditioners preconditioners);
    Buffer<Real>& r() { return r_; }

    // Sums below are this rank's part.
    ColumnSums multiply() {
        return matrix_.apply_dot(ranks_, p_, q_);
    }  // q = A p; p . q. Collective.
    // z = M^-1 r; r . z. Collective.
    double precondition(Preconditioner<Real>& preconditioner, int k);
    // p = z + beta p; p = z.
    void update_direction(Preconditioner<Real>& preconditioner, int k, const Uniform<double>& beta);
    void set_direction(Preconditioner<Real>& preconditioner, int k);
    struct Conjugacy {
        double zq, rp;  // z . q and r . p
    };
    Conjugacy conjugacy(Preconditioner<Real>& preconditioner, int k) const;
    // Starts x += scale alpha p, r -= alpha q; what it returns waits for r . r, and for r . z where
    // M is a diagonal. Answer: Real, or double where Real is single precision; scale: 1 where it is
    // Real.
    struct Step {
        double rr = 0, rz = 0;
    };
    template <class Answer>
    std::function<Step()> step(Preconditioner<Real>& preconditioner, Buffer<Answer>& x, int k,
                               double scale, const Uniform<double>& alpha);

  private:
    const SummingRanks& ranks_;
    Device& device_;
    LinearOperator<Real>& matrix_;
    const int columns_;
    Buffer<Real> r_, p_, q_;
    std::vector<Buffer<Real>> z_;  // of each column
    Buffer<Real> r_of_one_;        // r of one of several columns, for an M that is no diagonal
};

}  // namespace solenoid
