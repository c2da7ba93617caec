// Flows in a box, made without a case file.
#pragma once

#include "flow/make_flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid::bench {

// A lid at y = 1 slides in +x at 1 m/s over a fluid at rest; viscosity 0.01 m^2/s. tolerance: of
// all solves.
FlowCase cavity(const Mesh& mesh, double tolerance);
// From xmin to xmax between walls: a given velocity comes in, what leaves is open; scalars that
// start with a jump.
FlowCase open_box(const Mesh& mesh, double tolerance);
// Driven by a pressure and a force, with a viscosity that follows the shear rate.
FlowCase driven_box(const Mesh& mesh, double tolerance);
// A lid, as above; in a cube the viscosity jumps on the plane of `diagonal_of`, 0.01 and 0.02
// m^2/s.
FlowCase layered_box(const Mesh& mesh, double tolerance);

}  // namespace solenoid::bench
