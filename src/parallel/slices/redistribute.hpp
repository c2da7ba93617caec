// From slices to pieces: every rank gets its cells and those that share a node with one of them, or
// a place of coupled nodes.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "parallel/slices/cut_slices.hpp"
#include "parallel/slices/face_match.hpp"

namespace solenoid {

// What the rank holds, as PartPiece says: own cells first, then ghosts, both in ascending number;
// nodes likewise; sides in the slices' order. Leaves node_component empty. Collective.
PartPiece redistribute(const Communicator& comm, MeshSlice&& slice,
                       const std::vector<FaceMatch::SideCells>& side_cells,
                       const std::vector<int>& part, const CoupledNodes& coupled = {});

// Fills held.node_component with the connected components of the whole mesh, numbered in the order
// of their first nodes. nodes: ranges in which the ranks meet. Returns their number. Collective.
std::int64_t find_components(const Communicator& comm, const RowPartition& nodes, PartPiece& held,
                             const CoupledNodes& coupled = {});

}  // namespace solenoid
