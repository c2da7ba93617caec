// How the CPU keeps the columns of zero-padded rows, an entry of each of eight rows: near one
// another in 2.5 bytes each.
#pragma once

#include <cstdint>

namespace solenoid {

struct NearColumns {
    std::uint32_t first;
    std::uint16_t distance[8];  // from the first

    std::uint32_t operator[](int lane) const { return first + distance[lane]; }
};
constexpr int near_words = sizeof(NearColumns) / sizeof(std::uint32_t);
static_assert(near_words == 5);

}  // namespace solenoid
