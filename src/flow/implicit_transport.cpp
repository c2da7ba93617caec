#include "flow/implicit_transport.hpp"

#include <fmt/format.h>

#include "core/error.hpp"
#include "device/expression.hpp"
#include "flow/finite.hpp"

namespace solenoid {

template <class Real>
ImplicitTransport<Real>::ImplicitTransport(const Communicator& comm, Device& device, const DistributedMesh& mesh, Momentum<Real>& momentum, const CgSettings& settings)
    : comm_(comm),
      device_(device),
      mesh_(mesh),
      geometry_(geometry(mesh.mesh)),
      momentum_(momentum),
      settings_(settings),
      d_(mesh.mesh.dimension),
      cells_(mesh.range(Kind::cell)),
      bicgstab_(comm, device, *this),
      diagonal_(device.buffer<Real>(cells_.owned, d_)),
      inverse_(device.buffer<Real>(cells_.owned, d_)),
      at_nodes_(device.buffer<Real>(mesh.range(Kind::node).all, d_)),
      carried_(device.buffer<Real>(cells_.all, d_)),
      residual_(momentum.lengthened()),
      change_(momentum.lengthened()),
      r_(device.buffer<Real>(cells_.all)),
      z_(device.buffer<Real>(cells_.all)) {}

template <class Real>
void ImplicitTransport<Real>::prepare(double shift) {
    if (shift == shift_) return;
    shift_ = shift;
    const Over cells(device_, cells_.marked());
    for (int k = 0; k < d_; ++k) {
        const auto [diagonal, preconditioner] = momentum_.component(shift, k);
        cells[column(diagonal_, k)] = diagonal;
        if (const auto* inverse = preconditioner.inverse_diagonal()) cells[column(inverse_, k)] = *inverse;
    }
}

template <class Real>
void ImplicitTransport<Real>::apply(Buffer<Real>& x, Buffer<Real>& y) {
    momentum_.to_nodes(x, at_nodes_);
    momentum_.boundary().put_at_faces(x, at_nodes_);
    momentum_.transport_whole(x, at_nodes_, *flux_, carried_);
    Over(device_, cells_.marked())[y] = diagonal_ * x - carried_;
}

template <class Real>
void ImplicitTransport<Real>::precondition(const Buffer<Real>& r, Buffer<Real>& z) {
    const Over cells(device_, cells_.marked());
    cells[z] = inverse_ * r;
    for (int k = 0; k < d_; ++k) {
        Preconditioner<Real>& preconditioner = momentum_.component(shift_, k).preconditioner;
        if (preconditioner.inverse_diagonal()) continue;
        cells[r_] = column(r, k);
        preconditioner.apply(r_, z_);
        cells[column(z, k)] = z_;
    }
}

// For the change from the guess, which is linear in its residual: what boundaries give is all in that.
template <class Real>
void ImplicitTransport<Real>::solve(double shift, Buffer<Real>& flux, const Buffer<Real>& rhs, Buffer<Real>& u, double when) {
    prepare(shift);
    flux_ = &flux;
    apply(u, residual_);
    const Over cells(device_, cells_.marked());
    cells[residual_] = rhs - residual_;
    momentum_.take_differences(true);
    const SolveReport report = bicgstab_.solve(residual_, change_, settings_);
    momentum_.take_differences(false);
    cells[u] += change_;
    solves_.add(report);
    solves_.preconditioner = momentum_.solves().preconditioner;
    if (report.outcome == SolveOutcome::broken_down) check_finite(comm_, mesh_, geometry_, rhs, "what is carried of the velocity", when);
    comm_.agree([&] {
        if (!report.converged())
            throw ComputationError(fmt::format("momentum at t = {:.6g} s: {}; or take a smaller time.step", when, report.explanation("momentum")));
    });
}

template class ImplicitTransport<float>;
template class ImplicitTransport<double>;

}  // namespace solenoid
