// The part of A n . grad between two cells that is implicit where its cross part is explicit.
// docs/numerics.md, "The implicit part".
#pragma once

#include "flow/discretization/flow_discretization.hpp"

namespace solenoid {

// For each node of [0, shared) the largest x . A x / x . K x over values x of its cells, with the
// diamond scheme A and the two-point scheme K of its conductions alone. weights: of the nodes.
std::vector<double> oblique_ratios(const DistributedMesh& mesh, const Geometry& geometry,
                                   const NodeWeights& weights);

// Factors of the conductions of [0, shared) faces, at least 1, and 1 on the boundary. With the
// two-point scheme K' of conductions times these factors x . A x <= most x . K' x for all x.
std::vector<double> implicit_factors(const DistributedMesh& mesh, const std::vector<double>& ratios,
                                     double most);

}  // namespace solenoid
