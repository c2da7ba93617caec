// A face as a key of its nodes, for lookup before faces are numbered.
#pragma once

#include <algorithm>
#include <array>
#include <unordered_map>

#include "mesh/simplex_mesh.hpp"

namespace solenoid {

using FaceKey = std::array<Index, 3>;  // nodes, ascending; in 2D the third is `none`

inline FaceKey face_key(const Index* nodes, int count) {
    FaceKey key{none, none, none};
    std::copy_n(nodes, count, key.begin());
    std::sort(key.begin(), key.end());  // `none` is the largest
    return key;
}

// The key of the face opposite node j of a cell.
inline FaceKey face_of_cell(const SimplexMesh& mesh, std::size_t c, int j) {
    std::array<Index, 3> nodes{};
    for (int k = 0, n = 0; k <= mesh.dimension; ++k)
        if (k != j) nodes[n++] = mesh.cell(c)[k];
    return face_key(nodes.data(), mesh.dimension);
}

struct HashFace {
    std::size_t operator()(const FaceKey& key) const {
        std::size_t hash = 0;
        for (const Index node : key) hash = (hash ^ node) * 0x9E3779B97F4A7C15u ^ hash >> 29;
        return hash;
    }
};
template <class Value>
using FaceMap = std::unordered_map<FaceKey, Value, HashFace>;

// Whether all nodes of the face are marked. owned_range: the marks of all nodes.
inline bool all_owned(const std::vector<bool>& owned_range, const FaceKey& face) {
    return std::ranges::all_of(face, [&](Index node) { return node == none || owned_range[node]; });
}

}  // namespace solenoid
