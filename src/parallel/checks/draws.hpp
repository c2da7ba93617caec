// Pseudo-random numbers from a seed: equal on all ranks with one seed, and on all machines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/hash.hpp"

namespace solenoid {

// A hash of numbers, in their order.
template <class... T>
std::uint64_t hash_of(T... numbers) {
    std::uint64_t hash = 0;
    ((hash = mixed(hash ^ static_cast<std::uint64_t>(numbers))), ...);
    return hash;
}

// A number from `least` to `most` for a hash, uniformly distributed in its logarithm.
inline Index log_uniform(std::uint64_t hash, Index least, Index most) {
    const double fraction = double(hash >> 11) * 0x1p-53;
    const auto n = static_cast<Index>(least * std::pow(double(most) / least, fraction) + 0.5);
    return std::clamp(n, least, std::max(least, most));
}

// A sequence of pseudo-random numbers.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() { return mixed(state_++); }
    Index below(Index n) { return static_cast<Index>(((next() >> 32) * n) >> 32); }  // 0 to n - 1
    bool is_one_in(Index n) { return below(n) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace solenoid
