// The smoother that suits the cells of a run's grid.
#pragma once

#include "grid/grid_topology.hpp"
#include "grid/multigrid/multigrid_cycle.hpp"

namespace solenoid {

// By the cells of all ranks: colours, or lines along or across those that are stretched, or both.
// Collective.
GridSmoother automatic_smoother(const Communicator& comm, const GridTopology& grid);

}  // namespace solenoid
