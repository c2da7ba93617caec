// Numbers that look random and are the same on every rank and every machine: hashes of numbers and
// of places.
#pragma once

#include <bit>
#include <cstdint>

#include "core/types.hpp"

namespace solenoid {

// One step of SplitMix64 (Steele, Lea & Flood 2014): spreads every bit of z over all 64.
constexpr std::uint64_t mixed(std::uint64_t z) {
    z += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

// A place added to a hash: of both zeros one.
constexpr std::uint64_t mixed(std::uint64_t hash, const Vec3& x) {
    for (int k = 0; k < 3; ++k) hash = mixed(hash + std::bit_cast<std::uint64_t>(x[k] + 0.0));
    return hash;
}

// Of a place a value in [-1, 1): whatever the number of ranks and the numbering, a start that has a
// part of every eigenvector.
constexpr double scattered(const Vec3& x) {
    return static_cast<double>(mixed(0, x) >> 11) / 4503599627370496.0 - 1;
}

}  // namespace solenoid
