// What enters through boundaries with a given pressure: along the normal with the velocity of the flux, as from a channel that
// goes on outside, so far as more enters through a boundary than leaves it, and not
// faster than a channel's flow; the rest brings no energy in, as at an outflow.
#pragma once

#include "device/device.hpp"
#include "flow/boundary/flow_boundaries.hpp"
#include "operators/domain.hpp"

namespace solenoid {

template <class Real>
class PressureInflow {
  public:
    // All references must outlive this. Collective.
    PressureInflow(const Domain& domain, const FlowBoundaries& boundaries);

    // Vectors of FlowBoundaries::free_faces(), a list: the entering velocity by the face's flux, zero where no pressure is
    // given [1/m^2, in 2D 1/m]. Collective.
    const Buffer<Real>& entering(const Buffer<Real>& flux);

  private:
    std::vector<double> shares(const std::vector<Real>& inflow) const;

    const Domain& domain_;
    const int d_;
    const std::size_t conditions_;
    bool is_present_ = false;               // on any rank
    std::vector<std::size_t> place_;        // of each face with a given pressure, among the free ones
    std::vector<std::size_t> condition_;    // of FlowBoundaries::settings()
    std::vector<bool> is_marked_;
    std::vector<Vec3> normal_;              // n / A
    std::vector<double> area_;              // of each condition
    Buffer<std::uint32_t> face_;            // oriented into the domain
    Buffer<Real> inflow_, entering_;
};

}  // namespace solenoid
