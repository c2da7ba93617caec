// Implicit diffusion of cell velocities, and their convection with a given flux, by BiCGStab:
//   (shift V - diffusion - N(U)) u = rhs
// docs/numerics.md, "The implicit midpoint rule", "The implicit part".
#pragma once

#include "flow/collocated/momentum.hpp"
#include "operators/domain.hpp"
#include "solvers/krylov/bicgstab.hpp"

namespace solenoid {

template <class Real>
class ImplicitTransport final : public LinearOperator<Real> {
  public:
    // All references must outlive this.
    ImplicitTransport(const Domain& domain, Momentum<Real>& momentum, const CgSettings& settings);

    // Solves for u. shift: [1/s]; rhs: cell vectors [m^4/s^2, in 2D m^3/s^2]; flux: of divergence
    // zero; u: on entry the first guess. Boundary values are those of the last Momentum::update().
    // The tolerance is relative to the residual of the guess. Throws ComputationError where the
    // solve fails; `when` [s] is for its message. Collective.
    void solve(double shift, const Field<Real>& flux, const Field<Real>& rhs, CellField<Real>& u,
               double when);
    // The same without convection.
    void solve_diffusion(double shift, const Field<Real>& rhs, CellField<Real>& u, double when);
    const SolveTotals& solves() const { return solves_; }
    void register_state(const State<Real>& state) { solves_.register_state(state); }

    Device& device() const override { return domain_.device; }
    Range range() const override { return domain_.cells.owned_range(); }
    Index size() const override { return domain_.cells.all; }
    int columns() const override { return d_; }
    void apply(Buffer<Real>& x, Buffer<Real>& y) override;

  private:
    void precondition(const Buffer<Real>& r, Buffer<Real>& z);  // by that of the diffusion
    void prepare(double shift);
    void multiply(CellField<Real>& x, Buffer<Real>& y);
    void solve(double shift, const Field<Real>& rhs, CellField<Real>& u, double when);

    const Domain& domain_;
    Momentum<Real>& momentum_;
    const CgSettings settings_;
    const int d_;
    FunctionOperator<Real> preconditioner_;
    Bicgstab<Real> bicgstab_;
    const Field<Real>* flux_ = nullptr;  // of the current solve; none: diffusion alone
    double shift_ = -1;
    std::uint64_t viscosity_ = 0;      // Viscosity::version() of diagonal_
    Buffer<Real> diagonal_, inverse_;  // cell vectors
    CellField<Real> x_;                // argument of a product, completed by boundary values
    Field<Real> carried_;              // cell vectors
    Buffer<Real> residual_, change_;   // cell vectors
    Buffer<Real> r_, z_;               // one component: cell scalars
    SolveTotals solves_;
};

}  // namespace solenoid
