// Rotational momentum, N(u) = w x u + nu curl w: what it does to the kinetic energy is friction
// alone. docs/numerics.md, "Rotational momentum".
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

  private:
    const Domain& domain_;
    const int d_;
    const double viscosity_;
    const bool implicit_;
    Vorticity<Real> vorticity_;
    Field<Real> omega_, omega_before_, omega_end_, omega_middle_;  // codim-2 entities
    Field<Real> spin_, curl_;                                      // cell vectors: w and curl w
    double end_ = 0;                                               // of the step under way
};

}  // namespace solenoid
