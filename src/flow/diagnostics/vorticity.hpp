// Vorticity and Q-criterion of a recovered velocity, on the host.
#pragma once

#include "mesh/geometry.hpp"

namespace solenoid {

// The curl of the linear interpolant of node velocities (`dimension` columns or more), its mean
// over the cells round each node by volume [1/s]: one column in 2D, three in 3D, on the nodes held.
// Ghost nodes lack cells: exchange.
std::vector<double> vorticity_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                       const std::vector<double>& node_velocity);

// In the same way Q = -1/2 L : L^T, half of what rotation exceeds strain by (|Omega|^2 - |S|^2) / 2
// [1/s^2].
std::vector<double> q_criterion_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                         const std::vector<double>& node_velocity);

}  // namespace solenoid
