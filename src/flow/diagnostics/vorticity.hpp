// Vorticity and Q-criterion of a recovered velocity, on the host.
#pragma once

#include "mesh/geometry.hpp"
#include "parallel/entity_shares.hpp"

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

// The shares of the nodes' velocities (sum 3 s + k: of component k in component s of the vorticity,
// in 2D s = 0 alone) in a sum of weight times vorticity over some nodes, all of whose cells are
// held.
std::vector<EntityShare> vorticity_shares(const Mesh& mesh, const Geometry& geometry,
                                          const std::vector<std::pair<Index, double>>& weights);

}  // namespace solenoid
