// BiCGStab (van der Vorst 1992; Saad, Iterative Methods, algorithm 7.7), preconditioned from the
// right: A M^-1 (M x) = b with a nonsymmetric A, to a true residual.
#pragma once

#include "device/expression.hpp"
#include "parallel/agreed_sums.hpp"
#include "solvers/krylov/linear_operator.hpp"
#include "solvers/krylov/true_residual.hpp"

namespace solenoid {

// Keeps the work vectors. All columns of a vector are one system.
template <class Real>
class Bicgstab final : private Recurrence<Real> {
  public:
    // matrix: A; preconditioner: M^-1 with a fixed M near A. All references must outlive this.
    Bicgstab(const Communicator& comm, LinearOperator<Real>& matrix,
             LinearOperator<Real>& preconditioner);

    // From x = 0: with a guess, b is its residual and x what is to be added. Of the settings the
    // tolerance, iterations and rounding count. An iteration takes two products and three
    // Allreduces. Collective.
    SolveReport solve(const Buffer<Real>& b, Buffer<Real>& x, const CgSettings& settings);

  private:
    struct Products {
        double xy, xx;
    };
    Over over() const { return {matrix_.device(), matrix_.range()}; }
    Products products(const Buffer<Real>& x, const Buffer<Real>& y);
    Products step(double alpha, double omega, Buffer<Real>& x);
    double half_step(double alpha);

    int systems() const override { return 1; }
    Buffer<Real>& residual() override { return r_; }
    ColumnSums norms(const Buffer<Real>& v) override;
    ColumnSums true_residual(const Buffer<Real>& b, Buffer<Real>& x, Buffer<Real>& r) override;
    void iterate(Buffer<Real>& x, std::span<SystemSolve> systems, int most,
                 const typename Recurrence<Real>::Inspection& inspect) override;
    bool run(Buffer<Real>& x, SystemSolve& system, int most,
             const typename Recurrence<Real>::Inspection& inspect);

    AgreedSums sums_;
    LinearOperator<Real>&matrix_, &preconditioner_;
    Buffer<Real> r_, shadow_, p_, v_, t_, y_, z_;
    TrueResidual<Real> true_residual_;
};

}  // namespace solenoid
