// The inflow through each boundary group.
#pragma once

#include "device/device.hpp"
#include "operators/domain.hpp"
#include "parallel/communicator.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

template <class Real>
class BoundaryInflow {
  public:
    // All references must outlive this.
    explicit BoundaryInflow(const Domain& domain);

    // The inflow of each boundary group of the mesh, 0 for a group inside the domain [m^3/s, in 2D
    // m^2/s]. Collective.
    std::vector<double> measure(const Field<Real>& flux);

  private:
    const Domain& domain_;
    const Mesh& mesh_;
    std::vector<std::size_t> group_;  // of each face
    Buffer<std::uint32_t> face_;      // owned ones, oriented into the domain
    Buffer<Real> value_;
};

}  // namespace solenoid
