#include "flow/collocated/implicit_transport.hpp"

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
ImplicitTransport<Real>::ImplicitTransport(const Domain& domain, Momentum<Real>& momentum,
                                           const CgSettings& settings)
    : domain_(domain),
      momentum_(momentum),
      settings_(settings),
      d_(domain.dimension),
      preconditioner_(device(), range(), size(), d_,
                      [this](Buffer<Real>& r, Buffer<Real>& z) { precondition(r, z); }),
      bicgstab_(domain.comm, *this, preconditioner_),
      diagonal_(domain.device.buffer<Real>(domain_.cells.owned, d_)),
      inverse_(domain.device.buffer<Real>(domain_.cells.owned, d_)),
      x_(momentum.velocity()),
      carried_(domain.vector_field<Real>(Kind::cell)),
      residual_(this->vector()),
      change_(this->vector()),
      r_(domain.device.buffer<Real>(domain.cells.all)),
      z_(domain.device.buffer<Real>(domain.cells.all)) {}

template <class Real>
void ImplicitTransport<Real>::prepare(double shift) {
    if (shift == shift_ && momentum_.viscosity().version() == viscosity_) return;
    shift_ = shift;
    viscosity_ = momentum_.viscosity().version();
    const Over cells = domain_.own(Kind::cell);
    for (int k = 0; k < d_; ++k) {
        const auto [diagonal, preconditioner] = momentum_.component(shift, k);
        cells[column(diagonal_, k)] = diagonal;
        if (const auto* inverse = preconditioner.inverse_diagonal())
            cells[column(inverse_, k)] = *inverse;
    }
}

template <class Real>
void ImplicitTransport<Real>::multiply(CellField<Real>& x, Buffer<Real>& y) {
    if (flux_)
        momentum_.transport_whole(x, *flux_, carried_);
    else
        momentum_.diffusion_whole(x, carried_);
    domain_.own(Kind::cell)[y] = diagonal_ * x - carried_;
}

template <class Real>
void ImplicitTransport<Real>::apply(Buffer<Real>& x, Buffer<Real>& y) {
    domain_.own(Kind::cell)[x_] = x;
    multiply(x_, y);
}

template <class Real>
void ImplicitTransport<Real>::precondition(const Buffer<Real>& r, Buffer<Real>& z) {
    const Over cells = domain_.own(Kind::cell);
    cells[z] = inverse_ * r;
    for (int k = 0; k < d_; ++k) {
        Preconditioner<Real>& preconditioner = momentum_.component(shift_, k).preconditioner;
        if (preconditioner.inverse_diagonal()) continue;
        cells[r_] = column(r, k);
        preconditioner.apply(r_, z_);
        cells[column(z, k)] = z_;
    }
}

template <class Real>
void ImplicitTransport<Real>::solve(double shift, const Field<Real>& flux, const Field<Real>& rhs,
                                    CellField<Real>& u, double when) {
    flux_ = &flux;
    solve(shift, rhs, u, when);
}

template <class Real>
void ImplicitTransport<Real>::solve_diffusion(double shift, const Field<Real>& rhs,
                                              CellField<Real>& u, double when) {
    flux_ = nullptr;
    solve(shift, rhs, u, when);
}

// Solves for the change from the guess: (shift V - diffusion - N) change = residual. The boundary
// values are in the residual; those of the change are zero.
template <class Real>
void ImplicitTransport<Real>::solve(double shift, const Field<Real>& rhs, CellField<Real>& u,
                                    double when) {
    prepare(shift);
    multiply(u, residual_);
    const Over cells = domain_.own(Kind::cell);
    cells[residual_] = rhs - residual_;
    const SolveReport report = [&] {
        const typename Momentum<Real>::Differences scope(momentum_);
        return bicgstab_.solve(residual_, change_, settings_);
    }();
    cells[u] += change_;
    solves_.add(report);
    solves_.preconditioner = momentum_.solves().preconditioner;
    momentum_.check_converged(report, rhs, when);
}

template class ImplicitTransport<float>;
template class ImplicitTransport<double>;

}  // namespace solenoid
