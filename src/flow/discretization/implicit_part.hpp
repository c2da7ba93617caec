// How much of A n . grad between two cells is taken implicitly where its cross part is explicit.
// docs/numerics.md, "The implicit part".
#pragma once

#include "flow/discretization/flow_discretization.hpp"

namespace solenoid {

// With A the diamond scheme and K the two-point scheme of its conductions alone, how much larger
// x.A x may be than x.K x for values x of the cells round a node. weights: of the nodes. For every
// node of [0, shared).
std::vector<double> oblique_ratios(const DistributedMesh& mesh, const Geometry& geometry,
                                   const NodeWeights& weights);

// Factors of the conductions of [0, shared) faces, at least 1, and 1 on the boundary: with K' the
// two-point scheme of the conductions times these, x.A x <= most x.K' x for all x.
std::vector<double> implicit_factors(const DistributedMesh& mesh, const std::vector<double>& ratios,
                                     double most);

}  // namespace solenoid
