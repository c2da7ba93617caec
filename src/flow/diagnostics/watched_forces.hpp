// Forces on boundaries at each step, without a solve for the pressure: they are affine in what the
// pressure is recovered from, with factors that are found once. docs/numerics.md, "Forces at each
// step".
#pragma once

#include "flow/diagnostics/boundary_forces.hpp"
#include "flow/diagnostics/weak_forces.hpp"
#include "flow/projection/pressure_recovery.hpp"

namespace solenoid {

template <class Real>
class WatchedForces {
  public:
    // All references must outlive this.
    WatchedForces(const Domain& domain, const BoundaryForces<Real>& faces,
                  const WeakForces<Real>& weak, PressureRecovery<Real>& recovery,
                  const PressureSources<Real>& kind)
        : domain_(domain), faces_(faces), weak_(weak), recovery_(recovery), kind_(kind) {}

    // Finds what is needed for boundaries that are not watched yet: a solve for each component of
    // their forces and moments. Throws ComputationError where one fails. Collective.
    void watch(const std::vector<std::size_t>& boundaries);
    // What the pressure adds to the forces on watched boundaries; of each of Mesh::boundaries, zero
    // on others. Collective.
    std::vector<PressureLoads> loads(const PressureSources<Real>& from, double time);

  private:
    // A force with its moment, whose components have sums_ from `first` on.
    struct Load {
        std::size_t boundary, first;
        Vec3 PressureLoads::*force, PressureLoads::*moment;
    };
    void prepare(const Load& load, const std::vector<EntityShare>& shares,
                 std::vector<std::vector<double>> weights);

    const Domain& domain_;
    const BoundaryForces<Real>& faces_;
    const WeakForces<Real>& weak_;
    PressureRecovery<Real>& recovery_;
    const PressureSources<Real> kind_;
    std::vector<std::size_t> watched_;
    std::vector<Load> loads_;
    std::vector<PressureSum<Real>> sums_;
};

}  // namespace solenoid
