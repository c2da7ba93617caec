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
    // has_cells: as PressureRecovery::prepare(). All references must outlive this.
    WatchedForces(const Domain& domain, const BoundaryForces<Real>& faces,
                  const WeakForces<Real>& weak, PressureRecovery<Real>& recovery, bool has_cells)
        : domain_(domain), faces_(faces), weak_(weak), recovery_(recovery), has_cells_(has_cells) {}

    // Finds what is needed for boundaries that are not watched yet: a solve for each component of
    // their forces and moments. Throws ComputationError where one fails. Collective.
    void watch(const std::vector<std::size_t>& boundaries);
    // What the pressure adds to the forces on watched boundaries; of each of Mesh::boundaries, zero
    // on others. Arguments: as PressureRecovery::solve(). Collective.
    std::vector<PressureLoads> loads(const Field<Real>& gradient, double time,
                                     const Buffer<Real>* force, const Field<Real>* in_cells);

  private:
    // A force with its moment, whose components have sums_ from `first` on.
    struct Load {
        std::size_t boundary, first;
        Vec3 PressureLoads::*force, PressureLoads::*moment;
    };
    void prepare(const Load& load, const std::vector<NodeShare>& shares,
                 const std::function<std::vector<double>(int)>& weights);

    const Domain& domain_;
    const BoundaryForces<Real>& faces_;
    const WeakForces<Real>& weak_;
    PressureRecovery<Real>& recovery_;
    const bool has_cells_;
    std::vector<std::size_t> watched_;
    std::vector<Load> loads_;
    std::vector<PreparedSum<Real>> sums_;
};

}  // namespace solenoid
