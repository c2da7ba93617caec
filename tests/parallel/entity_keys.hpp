// Names of entities that are the same on every rank, and values made from them.
#pragma once

#include <algorithm>
#include <array>

#include "mesh/mesh.hpp"

namespace solenoid {

using EntityKey = std::array<GlobalIndex, 4>;  // global node numbers, ascending, after as many -1

inline EntityKey entity_key(const Mesh& mesh, Kind kind, Index entity) {
    EntityKey key{-1, -1, -1, -1};
    for (int j = 0; j < mesh.node_count_of(kind); ++j)
        key[j] = mesh.node_number[mesh.nodes_of(kind, entity)[j]];
    std::sort(key.begin(), key.end());
    return key;
}

// A number below 2^20, exact in every real type.
inline std::uint32_t key_hash(const EntityKey& key, int column = 0) {
    std::uint64_t hash = 1469598103934665603u + column;
    for (GlobalIndex word : key)
        hash = (hash ^ static_cast<std::uint64_t>(word + 1)) * 1099511628211u;
    return static_cast<std::uint32_t>(hash >> 40) & 0xFFFFFu;
}

}  // namespace solenoid
