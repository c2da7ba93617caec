// Partition of a mesh in slices.
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

// One part for each rank. METIS runs on the root, which gathers only the graph (20 bytes per tet),
// if the graph has at most `most` arcs. Larger meshes are cut along a Hilbert curve through the
// centroids, on all ranks. neighbours: as in FaceMatch. Throws InputError where there are more
// ranks than cells. Collective.
SliceParts cut_slices(const Communicator& comm, const MeshSlice& slice,
                      std::vector<GlobalIndex>&& neighbours, std::size_t most = most_arcs);

}  // namespace solenoid
