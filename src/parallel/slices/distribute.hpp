// Distribution of a mesh over the ranks, from the root or from slices.
#pragma once

#include <optional>

#include "mesh/coupled_nodes.hpp"
#include "parallel/distributed_mesh.hpp"
#include "parallel/slices/cut_slices.hpp"
#include "parallel/slices/face_match.hpp"

namespace solenoid {

// A mesh in slices with its faces matched, ready for partitioning.
struct SlicedMesh {
    MeshSlice slice;
    FaceMatch faces;
};
SlicedMesh sliced(const Communicator& comm, MeshSlice&& slice);

// Partitions the root's mesh and gives every rank its part. The other ranks pass no mesh. In 2D
// edges are faces: both kinds have the same ranges and halos. coupled: on every rank. given: parts
// to take instead of cutting. Collective.
DistributedMesh distribute(const Communicator& comm, std::optional<SimplexMesh> mesh,
                           CellOrdering ordering = CellOrdering::hilbert,
                           const CoupledNodes& coupled = {}, const GivenParts& given = {});

// Distributes a mesh in slices, on two ranks or more. METIS partitions graphs of at most `most`
// arcs (cut_slices.hpp). Collective.
DistributedMesh distribute(const Communicator& comm, SlicedMesh&& mesh,
                           CellOrdering ordering = CellOrdering::hilbert,
                           std::size_t most = most_arcs, const CoupledNodes& coupled = {},
                           const GivenParts& given = {});

}  // namespace solenoid
