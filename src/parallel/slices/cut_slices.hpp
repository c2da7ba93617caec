// Partition of a mesh in slices.
#pragma once

#include <cstdint>
#include <functional>

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

// The part of each cell of a slice, from elsewhere: of a checkpoint. Collective.
using GivenParts = std::function<std::vector<int>(const MeshSlice&)>;
// Throws AgreedError where a cell has no part, or a part no cell. Collective.
SliceParts cut_as_given(const Communicator& comm, const MeshSlice& slice,
                        std::vector<GlobalIndex>&& neighbours, const GivenParts& given);

}  // namespace solenoid
