// Fields that depend on an entity's global name alone, so that every rank count sees the same.
#pragma once

#include <array>
#include <functional>
#include <map>

#include "device/device.hpp"
#include "parallel/distributed_mesh.hpp"

namespace solenoid::test {

using Key = std::array<GlobalIndex, 4>;

// The entity's name in the whole mesh: its nodes' numbers, or the cell's.
inline Key key_of(const Mesh& mesh, Kind kind, Index entity) {
    Key key{-1, -1, -1, -1};
    if (kind == Kind::cell) {
        key[0] = mesh.cell_number[entity];
        return key;
    }
    const int count = mesh.dimension == 2 && kind == Kind::face ? 2 : mesh.node_count_of(kind);
    for (int j = 0; j < count; ++j) key[j] = mesh.node_number[mesh.nodes_of(kind, entity)[j]];
    return key;
}

inline std::uint64_t hashed(const Key& key, std::uint64_t seed) {
    std::uint64_t h = seed * 0x9E3779B97F4A7C15ull + 1;
    for (GlobalIndex part : key) {
        h ^= static_cast<std::uint64_t>(part) + 0x9E3779B97F4A7C15ull + (h << 6) + (h >> 2);
        h *= 0xBF58476D1CE4E5B9ull;
        h ^= h >> 31;
    }
    return h;
}
// In [-1, 1).
inline double random_value(const Key& key, std::uint64_t seed) {
    return static_cast<double>(hashed(key, seed) >> 11) / 4503599627370496.0 - 1;
}
// A whole number in [-8, 8].
inline double random_integer(const Key& key, std::uint64_t seed) {
    return static_cast<double>(hashed(key, seed) % 17) - 8;
}

// A field from a function of (entity, component), on all entities held.
template <class Real>
Buffer<Real> field_of(Device& device, const DistributedMesh& mesh, Kind kind, int columns,
                      const std::function<double(Index, int)>& value) {
    const Index n = mesh.range(kind).all;
    std::vector<Real> values(std::size_t(n) * columns);
    for (int j = 0; j < columns; ++j)
        for (Index i = 0; i < n; ++i)
            values[std::size_t(j) * n + i] = static_cast<Real>(value(i, j));
    return device.buffer<Real>(std::span<const Real>(values), columns);
}

// The same on owned entities only, ghosts and shared copies spoiled: an operator has to exchange
// them.
template <class Real>
Buffer<Real> owned_field_of(Device& device, const DistributedMesh& mesh, Kind kind, int columns,
                            const std::function<double(Index, int)>& value) {
    const Index owned = mesh.range(kind).owned;
    return field_of<Real>(device, mesh, kind, columns,
                          [&](Index i, int j) { return i < owned ? value(i, j) : 1e30; });
}

}  // namespace solenoid::test
