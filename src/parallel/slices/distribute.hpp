// A mesh, whole on the root or in slices on all ranks, cut and dealt out.
#pragma once

#include <optional>

#include "mesh/coupled_nodes.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/slices/face_match.hpp"

namespace solenoid {

// A mesh in slices with its faces matched: what can be cut.
struct SlicedMesh {
    MeshSlice slice;
    FaceMatch faces;
};
SlicedMesh sliced(const Communicator& comm, MeshSlice&& slice);

// Cuts the root's mesh and gives every rank its part. The other ranks pass nothing. In two
// dimensions edges are faces: both kinds have the same ranges and halos. coupled: on every rank.
// Collective.
DistributedMesh distribute(const Communicator& comm, std::optional<SimplexMesh> mesh,
                           CellOrdering ordering = CellOrdering::hilbert,
                           const CoupledNodes& coupled = {});

// The same of a mesh in slices, on two ranks or more. METIS cuts a graph of at most `most` arcs
// (cut_slices.hpp).
DistributedMesh distribute(const Communicator& comm, SlicedMesh&& mesh,
                           CellOrdering ordering = CellOrdering::hilbert,
                           std::size_t most = most_arcs, const CoupledNodes& coupled = {});

}  // namespace solenoid
