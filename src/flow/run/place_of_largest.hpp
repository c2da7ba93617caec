// The place in the whole mesh where a quantity of the cells is largest.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/solver/flow_solver.hpp"

namespace solenoid {

// Text such as " in cell 12 at (0.1, 0.2, 0)". of_cells: a value for each cell of this rank,
// perhaps followed by others. Collective, as all below.
std::string place_of_largest(const Communicator& comm, const DistributedMesh& mesh,
                             const std::vector<double>& of_cells);
// The centroid of that cell, the same on any number of ranks; nothing where no value is a number.
std::optional<Vec3> centroid_of_largest(const Communicator& comm, const DistributedMesh& mesh,
                                        const std::vector<double>& of_cells);

// |u| of this rank's own cells [m/s].
std::vector<double> cell_speeds(FlowSolver& solver, const DistributedMesh& mesh);
// Half the sum of |U| over a cell's faces, divided by V [1/s], of this rank's own cells.
std::vector<double> cell_courant_rates(FlowSolver& solver, const DistributedMesh& mesh);

}  // namespace solenoid
