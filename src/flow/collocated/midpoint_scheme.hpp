// The implicit midpoint rule, by which skew-symmetric convection makes and takes no energy at any
// step. docs/numerics.md, "The implicit midpoint rule".
#pragma once

#include "flow/collocated/collocated_system.hpp"
#include "flow/collocated/implicit_transport.hpp"
#include "flow/collocated/time_scheme.hpp"

namespace solenoid {

template <class Real>
class MidpointScheme final : public TimeScheme<Real> {
  public:
    MidpointScheme(CollocatedSystem<Real>& system, const CgSettings& momentum);

    void step(double dt, double w) override;
    // for accuracy; scalars step by BDF2
    double courant_limit(bool carries_scalars) const override { return carries_scalars ? 1 : 10; }
    bool bring_to_end(Field<Real>& gradient) const override;
    void bring_rise_to_end(std::vector<std::optional<double>>& rise) const override;
    void keep_in(Snapshot<Real>& snapshot) override;
    // (1 + z/2) / (1 - z/2) - exp(z) = z^3 / 12
    double error_of_third(double dt, double) const override { return dt * dt * dt / 2; }
    SolveTotals solves() const override { return implicit_.solves(); }

  private:
    void predict(double dt, double w);
    double place_of(double dt);
    void set_flux_middle(double r);

    CollocatedSystem<Real>& system_;
    ImplicitTransport<Real> implicit_;
    Field<Real> rhs_;                                          // cell vectors
    Field<Real> flux_before_, flux_middle_, gradient_before_;  // face scalars
    std::vector<std::optional<double>> rise_before_;
    // Where in a step u, transport and pressure are taken, 1/2 but for a start; from the last two
    // pressures to the end of the step, in their distance; the rate of stiff diffusion [1/s], below
    // 0: not known yet.
    double place_ = 0.5, pressure_reach_ = 0, diffusion_rate_ = -1;
};

}  // namespace solenoid
