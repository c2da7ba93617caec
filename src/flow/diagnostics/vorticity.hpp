// Vorticity and Q-criterion of a recovered velocity, on the host.
#pragma once

#include "mesh/geometry.hpp"

namespace solenoid {

// The curl of the linear interpolant of node velocities (`dimension` columns or more), averaged by
// volume over the cells at each node held [1/s]: one column in 2D, three in 3D. Values at ghost
// nodes lack cells and must be exchanged.
std::vector<double> vorticity_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                       const std::vector<double>& node_velocity);

// Q = -1/2 L : L^T = (|Omega|^2 - |S|^2) / 2 with the velocity gradient L [1/s^2], averaged
// likewise.
std::vector<double> q_criterion_at_nodes(const Mesh& mesh, const Geometry& geometry,
                                         const std::vector<double>& node_velocity);

}  // namespace solenoid
