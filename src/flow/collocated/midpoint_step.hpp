// The implicit midpoint rule: with skew-symmetric convection it conserves kinetic energy for any
// step.
//   (u* - u) / dt = N(U_m) u_m + nu lap u_m - q,   u_m = (u + u*) / 2,
//   U_m = U + w/2 (U - U_before),   w = dt / dt_before
// docs/numerics.md, "The implicit midpoint rule".
#pragma once

#include "flow/collocated/flow_sources.hpp"
#include "flow/collocated/implicit_transport.hpp"
#include "flow/collocated/time_scheme.hpp"

namespace solenoid {

template <class Real>
class MidpointStep final : public CollocatedStep<Real> {
  public:
    explicit MidpointStep(const CollocatedParts<Real>& parts);

    using Span = typename CollocatedStep<Real>::Span;
    void advance(const Span& span) override;
    bool bring_to_end(Field<Real>& gradient) const override;
    void bring_rise_to_end(std::vector<std::optional<double>>& rise) const override;
    void register_state(const State<Real>& state) override;
    // Error of a step: (1 + z/2) / (1 - z/2) - exp(z) = z^3 / 12 + O(z^4); the third divided
    // difference is u''' / 6.
    double error_of_third(double dt, double) const override { return dt * dt * dt / 2; }
    SolveTotals solves() const override { return implicit_.solves(); }

  private:
    void predict(double dt, double w, double end);
    double place_of(double dt) const;
    void keep_pressure(double dt, double w, double place);
    void project(double dt, double end, bool is_first);

    const Domain& domain_;
    CollocatedState<Real>& state_;
    Momentum<Real>& momentum_;
    FluxCoupling<Real>& coupling_;
    FluxProjection<Real>& projection_;
    FlowSources<Real>& sources_;
    ImplicitTransport<Real> implicit_;
    // Cell vectors: [m^4/s^2, in 2D m^3/s^2]; u_m of this step and of the one before [m/s].
    Field<Real> rhs_, middle_, middle_before_;
    // Face scalars: U*, U at the start of the last step, U_m [m^3/s, in 2D m^2/s]; G of the step
    // before [m^3/s^2, in 2D m^2/s^2].
    Field<Real> flux_star_, flux_before_, flux_middle_, gradient_before_;
    std::vector<std::optional<double>> rise_before_;
    // place_: time of u, transport and pressure within a step, in steps: 1/2, or 1 in damping
    // steps. pressure_reach_: distance from the last pressure to the end of the step over the
    // distance of the last two pressures.
    double place_ = 0.5, pressure_reach_ = 0;
};

}  // namespace solenoid
