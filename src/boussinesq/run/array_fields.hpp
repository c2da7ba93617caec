// Arrays of the Boussinesq model as values at the nodes of a run's grid.
#pragma once

#include <string>
#include <vector>

#include "core/state_values.hpp"
#include "device/device.hpp"
#include "grid/grid_topology.hpp"
#include "grid/rrb/array_shape.hpp"
#include "parallel/communicator.hpp"

namespace solenoid {

template <class Real>
class ArrayFields {
  public:
    // topology: cut as the arrays are. References must outlive this.
    ArrayFields(const Communicator& comm, Device& device, const GridTopology& topology,
                const ArrayShape& shape);

    // At all nodes held. Collective.
    std::vector<double> values(const Buffer<Real>& array) const;
    // Registers an array by the numbers of the nodes, in saved states and on the stack. Rings are
    // not loaded.
    void add(const StateValues& state, const std::string& name, Buffer<Real>& array) const;

  private:
    const Communicator& comm_;
    Device& device_;
    const GridTopology& topology_;
    std::vector<Index> entry_;  // of each node owned
};

}  // namespace solenoid
