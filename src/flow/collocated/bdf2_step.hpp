// BDF2 with variable steps: transport is extrapolated, diffusion is implicit.
//   (a u* - (1 + w) u + w^2 / (1 + w) u_before) / dt = N - q + nu lap u*
// with w = dt / dt_before, a = (1 + 2 w) / (1 + w) and N the transport extrapolated from the last
// three states. docs/numerics.md, "Collocated momentum".
#pragma once

#include <array>

#include "flow/collocated/flow_sources.hpp"
#include "flow/collocated/implicit_transport.hpp"
#include "flow/collocated/pressure_iteration.hpp"
#include "flow/collocated/time_scheme.hpp"
#include "flow/solver/bdf2.hpp"

namespace solenoid {

template <class Real>
class Bdf2Step final : public CollocatedStep<Real> {
  public:
    explicit Bdf2Step(const CollocatedParts<Real>& parts);

    using Span = typename CollocatedStep<Real>::Span;
    void advance(const Span& span) override;
    void register_state(const State<Real>& state) override {
        state.add("transport_before", n_before_);
        state.add("transport_earlier", n_earlier_);
        iteration_.register_state(state.part("pressure_iteration"));
        if (implicit_) implicit_->register_state(state);
    }
    std::string chosen_form() const override;
    SolveTotals solves() const override {
        return implicit_ ? implicit_->solves() : momentum_.solves();
    }
    Bdf2 explain(Field<Real>& transport, Field<Real>& projected) const override;

  private:
    void predict(const Bdf2& bdf2, double end);
    void transport();
    void solve(const Bdf2& bdf2, double end);
    std::array<double, 3> extrapolation(const Bdf2& bdf2) const;
    void project(const Bdf2& bdf2, double end, ProjectionPart part);
    void repeat(const Bdf2& bdf2, double end);
    void settle();

    const Domain& domain_;
    CollocatedState<Real>& state_;
    Momentum<Real>& momentum_;
    FluxCoupling<Real>& coupling_;
    FluxProjection<Real>& projection_;
    FlowSources<Real>& sources_;
    PressureIteration<Real> iteration_;
    // Where the whole of diffusion is implicit.
    std::unique_ptr<ImplicitTransport<Real>> implicit_;
    Field<Real> flux_star_;  // face scalar U* [m^3/s, in 2D m^2/s]
    // Face scalars, A dp/dn by density [m^3/s^2, in 2D m^2/s^2]: the gradient that momentum took in
    // the first pass of the step, and in its last pass.
    Field<Real> seen_, last_seen_;
    // Cell vectors: the transport of the last three states, and the right-hand side of the momentum
    // equation [m^4/s^2, in 2D m^3/s^2].
    Field<Real> n_now_, n_before_, n_earlier_, rhs_;
    // Cell vectors: the explicit part of diffusion of u* [m^4/s^2, in 2D m^3/s^2]; empty where the
    // viscosity does not follow the flow, or diffusion is implicit.
    Field<Real> diffused_;
    // Of the last step: its formula, the weights of the transports, and whether it was repeated
    // with another pressure gradient.
    Bdf2 last_{0, 0};
    std::array<double, 3> weights_{};
    bool is_repeated_ = false;
};

}  // namespace solenoid
