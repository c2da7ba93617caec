// Rotational momentum, N(w, u) = w x u + nu curl omega: w is the vorticity in cells, omega that of
// u on codim-2 entities. Since (w x u) . u = 0, friction alone changes the kinetic energy.
// docs/numerics.md, "Rotational momentum".
#pragma once

#include "flow/staggered/codim2_vorticity.hpp"
#include "flow/staggered/staggered_momentum.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class RotationalMomentum final : public StaggeredMomentum<Real> {
  public:
    // All references must outlive this. Collective, as all below.
    explicit RotationalMomentum(const StaggeredParts<Real>& parts);

    void begin_step(const Field<Real>& u, const Field<Real>& u_before, double ratio, double time,
                    double dt) override;
    void apply(double dt, const Field<Real>& u, const Field<Real>& end, Field<Real>& star) override;
    void accept(const Field<Real>& u, const Field<Real>& flux, double time) override;
    bool supports_symmetry() const override { return true; }
    double diffusion_rate() override;
    SolveTotals solves() const override { return vorticity_.solves(); }
    void register_state(const State<Real>& state) override;

  private:
    const Domain& domain_;
    const int d_;
    const double viscosity_;
    const bool implicit_;
    Vorticity<Real> vorticity_;
    // On codim-2 entities [1/s, in 3D m/s]: omega of the last two states, omega' of the step's end,
    // and that of its middle.
    Field<Real> omega_, omega_before_, omega_end_, omega_middle_;
    Field<Real> spin_, curl_;  // cell vectors: w* [1/s] and the curl of omega [1/(m s)]
    double end_ = 0;           // of the step [s]
};

}  // namespace solenoid
