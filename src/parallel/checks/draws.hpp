// Numbers drawn from a seed: the same on every rank that names the same seed, on every machine.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "core/hash.hpp"

namespace solenoid {

// A hash of some numbers, in order.
template <class... T>
std::uint64_t hash_of(T... numbers) {
    std::uint64_t hash = 0;
    ((hash = mixed(hash ^ static_cast<std::uint64_t>(numbers))), ...);
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
    std::uint64_t next() { return mixed(state_++); }
    Index below(Index n) { return static_cast<Index>(((next() >> 32) * n) >> 32); }  // 0 to n - 1
    bool is_one_in(Index n) { return below(n) == 0; }

  private:
    std::uint64_t state_;
};

}  // namespace solenoid
