// Through which faces of a scalar's `inflow_value` fluid enters, by the sign of the flux.
#pragma once

#include "flow/scalar/scalar_boundaries.hpp"
#include "operators/entity_access.hpp"
#include "parallel/halo.hpp"

namespace solenoid {

template <class Real>
class EnteringFluid {
  public:
    // All references must outlive this. Collective.
    EnteringFluid(const Domain& domain, ScalarBoundaries& boundaries);

    // By the fluxes of faces along their normals. Returns whether ScalarBoundaries::enters() has
    // changed on any rank. Collective.
    bool update(const Field<Real>& flux);

  private:
    const Domain& domain_;
    ScalarBoundaries& boundaries_;
    std::vector<double> outward_;  // of the owned ones: 1 where the normal points outward, else -1
    Probe<Real> flux_;             // of the owned ones
    Halo<Real> halo_;
    Buffer<Real> enters_;
};

}  // namespace solenoid
