// The part of every cell of a mesh in slices.
#pragma once

#include <cstdint>

#include "mesh/mesh_slice.hpp"
#include "parallel/communicator.hpp"
#include "partition/partition.hpp"

namespace solenoid {

struct SliceParts {
    std::vector<int> part;      // of each cell of the slice
    std::int64_t edge_cut = 0;  // of the whole mesh
    double imbalance = 1;
};

// As many parts as ranks. METIS cuts on the root, which gathers the graph alone (20 bytes a tet),
// as long as that has no more arcs than `most`; a Hilbert curve through the centroids cuts larger
// ones, on all ranks. neighbours: FaceMatch's. Throws InputError where there are more ranks than
// cells. Collective.
SliceParts cut_slices(const Communicator& comm, const MeshSlice& slice,
                      std::vector<GlobalIndex>&& neighbours, std::size_t most = most_arcs);

}  // namespace solenoid
