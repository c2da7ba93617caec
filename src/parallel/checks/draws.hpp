// Numbers drawn from a seed: the same on every rank that names the same seed, on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/types.hpp"

namespace solenoid {

// Spreads every bit of x over all 64 (the finalizer of SplitMix64).
inline std::uint64_t spread(std::uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

// A hash of some numbers, in order.
template <class... T>
std::uint64_t hash_of(T... numbers) {
    std::uint64_t hash = 0;
    ((hash = spread(hash ^ static_cast<std::uint64_t>(numbers))), ...);
    return hash;
}

// The hash as a number from `least` to `most`, whose logarithm is distributed evenly.
inline Index log_uniform(std::uint64_t hash, Index least, Index most) {
    const double fraction = double(hash >> 11) * 0x1p-53;
    const auto n = static_cast<Index>(least * std::pow(double(most) / least, fraction) + 0.5);
    return std::clamp(n, least, std::max(least, most));
}

// One number after another.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() { return spread(state_++); }
    Index below(Index n) { return static_cast<Index>(((next() >> 32) * n) >> 32); }  // 0 to n - 1
    bool is_one_in(Index n) { return below(n) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace solenoid
