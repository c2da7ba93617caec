// The boundary's term b of the vorticity, M omega = C^T H U + b: the circulation of the given
// velocity along the part of a dual loop that lies on the boundary.
#pragma once

#include "flow/boundary/flow_boundaries.hpp"

namespace solenoid {

// b_e = integral over the boundary of (n x u) . w_e at time t [s], for the owned codim-2 entities
// [m^2/s, in 3D m^3/s]: w_e is the edge element, n the outward normal; in 2D b_i = integral of
// phi_i u . t, t counterclockwise. Exact for velocities linear in space. Only boundaries whose
// velocity is given contribute: the vorticity along symmetry planes is zero. Throws InputError
// where a velocity is not finite.
std::vector<double> boundary_circulation(const DistributedMesh& mesh, const Geometry& geometry,
                                         const FlowBoundaries& boundaries, double t);

}  // namespace solenoid
