// Hashes of numbers and positions: pseudo-random, and equal on all ranks and machines.
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

// The hash with a position added. +0 and -0 give one hash.
constexpr std::uint64_t mixed(std::uint64_t hash, const Vec3& x) {
    for (int k = 0; k < 3; ++k) hash = mixed(hash + std::bit_cast<std::uint64_t>(x[k] + 0.0));
    return hash;
}

// A value in [-1, 1) for a position: a start vector with a part of every eigenvector, independent
// of ranks and numbering.
constexpr double scattered(const Vec3& x) {
    return static_cast<double>(mixed(0, x) >> 11) / 4503599627370496.0 - 1;
}

}  // namespace solenoid
