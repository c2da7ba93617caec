// Contact resistances between the sides of a slit: the flux (T_1 - T_2) / R passes from one side to
// the other.
#pragma once

#include <span>

#include "heat/case/heat_settings.hpp"
#include "mesh/coupled_nodes.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid {

// A node of one side and its partner at the same place of the other side. A face f of the group
// that joins them conducts A_f / (d R) between them, d the dimension.
struct ContactPair {
    Index node, partner;  // node: owned; partner: held
    double conductance;   // [W/K]
    // 1 where the node's region comes before the partner's in the mesh, -1 after it, 0 where both
    // are in one region
    double sense;
};

// The pairs of one group, made of its faces on this rank. Both ends of a pair have conductances of
// the same bits. Throws InputError where a face has no other side, or R is not positive: call it
// within comm.agree.
std::vector<ContactPair> contact_pairs(const DistributedMesh& mesh, const CoupledNodes& coupled,
                                       std::span<const Index> faces, const HeatBoundary& boundary);

// Adds the pairs to the rows of (K T)_i = sum_j w_ij (T_i - T_j), behind the other entries of a
// row.
void add_pairs(const std::vector<ContactPair>& pairs, Rows& neighbours,
               std::vector<double>& weights);

// Half of the heat that passes a pair [W], since each of its ends counts it: from the region that
// comes first in the mesh to the other; within one region its magnitude. node, partner: their
// temperatures [K].
double heat_through(const ContactPair& pair, double node, double partner);

}  // namespace solenoid
