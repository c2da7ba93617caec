// Where in the whole mesh a quantity of the cells is largest.
#pragma once

#include <string>
#include <vector>

#include "flow/solver/flow_solver.hpp"

namespace solenoid {

// " in cell 12 at (0.1, 0.2, 0)"; one value a cell of this rank's own, or more. Collective, as all
// below.
std::string place_of_largest(const Communicator& comm, const DistributedMesh& mesh,
                             const std::vector<double>& of_cells);

// Of this rank's own cells.
std::vector<double> cell_speeds(FlowSolver& solver, const DistributedMesh& mesh);
// half the fluxes' sum over the volume
std::vector<double> cell_courant_rates(FlowSolver& solver, const DistributedMesh& mesh);

}  // namespace solenoid
