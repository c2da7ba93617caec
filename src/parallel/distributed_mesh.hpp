// A mesh distributed over the ranks: the part of each rank with ghosts, the ranges of its entities,
// and its halo plans.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "mesh/mesh.hpp"
#include "parallel/communicator.hpp"
#include "partition/numbering.hpp"
#include "partition/partition.hpp"

namespace solenoid {

// The entities of a kind that are sent to and received from each neighbouring rank, in the same
// order on both.
struct HaloPlan {
    std::vector<int> neighbours;  // ranks, ascending
    // neighbour k gets send[send_start[k]] .. send[send_start[k + 1] - 1]
    std::vector<Index> send_start{0};
    std::vector<Index> send;
    std::vector<Index> receive_start{0};
    std::vector<Index> receive;  // all entities in [owned, all), by neighbour
    // In a reproducible run: of each entity in [0, all) a number of its own, the same on all ranks
    // and on any number of them.
    std::shared_ptr<const std::vector<GlobalIndex>> names;
};

struct DistributedMesh {
    Mesh mesh;
    std::array<EntityRanges, 4> ranges;
    std::array<HaloPlan, 4> halos;
    std::array<std::int64_t, 4> global_count{};  // of the whole mesh
    std::vector<int> cell_owner;
    std::vector<Index> node_component;  // connected component of the whole mesh
    Index components = 1;
    std::size_t edge_cut = 0;
    double imbalance = 1;
    double partition_seconds = 0;

    const EntityRanges& range(Kind kind) const { return ranges[static_cast<int>(kind)]; }
    const HaloPlan& halo(Kind kind) const { return halos[static_cast<int>(kind)]; }
    std::vector<std::uint8_t> marker(Kind kind) const;  // 1 on owned entities, else 0
};

}  // namespace solenoid
