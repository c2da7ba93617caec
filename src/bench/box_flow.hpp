// Flows in a box, made without a case file.
#pragma once

#include "flow/make_flow_solver.hpp"
#include "operators/domain.hpp"

namespace solenoid::bench {

// A fluid at rest below a lid at y = 1 that slides in +x at 1 m/s; viscosity 0.01 m^2/s. tolerance:
// of all solves.
FlowCase cavity(const Mesh& mesh, double tolerance);
// A channel from xmin to xmax between walls, with given inflow velocity and an open outflow;
// scalars with an initial jump.
FlowCase open_box(const Mesh& mesh, double tolerance);
// A flow driven by a pressure and a force, with a viscosity that depends on the shear rate.
FlowCase driven_box(const Mesh& mesh, double tolerance);
// The cavity with a viscosity that jumps, in a cube, on the plane of diagonal_of() between 0.01 and
// 0.02 m^2/s.
FlowCase layered_box(const Mesh& mesh, double tolerance);

}  // namespace solenoid::bench
