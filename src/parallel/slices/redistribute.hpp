// Redistribution from slices to pieces: every rank gets its cells and, as ghosts, those that share
// a node, or a place of coupled nodes, with one of them.
#pragma once

#include "mesh/coupled_nodes.hpp"
#include "parallel/slices/cut_slices.hpp"
#include "parallel/slices/face_match.hpp"

namespace solenoid {

// The piece of this rank: own cells first, then ghosts, each in ascending number; nodes in
// ascending number; sides in the order of the slices. node_component is left empty. Collective.
PartPiece redistribute(const Communicator& comm, MeshSlice&& slice,
                       const std::vector<FaceMatch::SideCells>& side_cells,
                       const std::vector<int>& part, const CoupledNodes& coupled = {});

// Sets held.node_component to the connected components of the whole mesh, numbered in the order of
// their first nodes, and returns their number. nodes: the row partition by which ranks exchange
// labels. Collective.
std::int64_t find_components(const Communicator& comm, const RowPartition& nodes, PartPiece& held,
                             const CoupledNodes& coupled = {});

}  // namespace solenoid
