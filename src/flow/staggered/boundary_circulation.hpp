// What the boundary adds to the vorticity's equation, M omega = C^T H U + b: the circulation of the
// given velocity along the boundary's part of a dual loop.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"

namespace solenoid {

// b_e = integral over the boundary of (n x u) . w_e, w_e the codim-2 entity's element (n outward;
// 2D: of phi_i u . t, t counterclockwise), of the marked codim-2 entities at time t [m^2/s, in 3D
// m^3/s]; exact for velocities linear in space. Walls and inflows give one; in symmetry the
// vorticity along the boundary is zero.
std::vector<double> boundary_circulation(const DistributedMesh& mesh, const Geometry& geometry,
                                         const FlowBoundaries& boundaries, double t);

}  // namespace solenoid
