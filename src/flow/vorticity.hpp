// Vorticity of a recovered velocity, on the host.
#pragma once

#include "mesh/geometry.hpp"

namespace solenoid {

// The curl of the linear interpolant of node velocities (`dimension` columns), its mean over the cells round each node
// by volume [1/s]: one column in 2D, three in 3D, on the nodes held. Ghost nodes lack cells: exchange.
std::vector<double> vorticity_at_nodes(const Mesh& mesh, const Geometry& geometry, const std::vector<double>& node_velocity);

}  // namespace solenoid
