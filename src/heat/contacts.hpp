// Contact resistances between the sides of a slit.
#pragma once

#include <span>

#include "heat/case/heat_settings.hpp"
#include "mesh/coupled_nodes.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// A node of one side and its partner at the same place of the other one, as a face of the group
// joins them: A_f / (d R).
struct ContactPair {
    Index node, partner;  // node: owned; partner: held
    double conductance;   // [W/K]
    // of heat from node to partner: 1, -1 where node's region comes later in the mesh, 0 in one
    // region
    double sense;
};

// Of one group: its faces held here. Both ends of a pair get the same conductance to the last
// digit. Throws InputError where a face has no other side, or R is not positive; within comm.agree.
std::vector<ContactPair> contact_pairs(const DistributedMesh& mesh, const CoupledNodes& coupled,
                                       std::span<const Index> faces, const HeatBoundary& boundary);

// Adds the pairs to the rows of differences (K T)_i = sum_j w_ij (T_i - T_j), behind a row's other
// entries.
void add_pairs(const std::vector<ContactPair>& pairs, Rows& neighbours,
               std::vector<double>& weights);

// What passes [W], counted from the region that comes first in the mesh; within one region as a
// magnitude. This rank's share: half at each end of a pair. node, partner: temperatures there.
double heat_through(const ContactPair& pair, double node, double partner);

}  // namespace solenoid
