// The partially reducible rectangle: N values as a texture whose sides halve evenly down to a least
// size.
#pragma once

#include <cmath>

#include "core/types.hpp"

namespace solenoid::gl {

struct Layout {
    Index block = 1;  // values that the reductions by 2 x 2 quads fold into one: a power of 4
    Index width = 1;
    Index height = 1;  // width * height >= N

    std::size_t texels() const { return std::size_t(width) * height; }
    int halvings() const {
        int count = 0;
        for (Index b = block; b > 1; b /= 4) ++count;
        return count;
    }
};

inline constexpr Index least_side =
    32;  // R_min: what is left, at most R_min^2 values, is reduced by the host

// Halve until fewer than 3/4 R_min^2 values are left, then find the rectangle of least area with
// sides <= R_min that holds them: as square as their divisors allow.
inline Layout reducible_layout(Index n, Index r_min = least_side) {
    const std::size_t values = n > 0 ? n : 1;
    const std::size_t limit = std::size_t(3) * r_min * r_min / 4;
    std::size_t side = 1, left = values;
    while (left >= limit) {
        side *= 2;
        left = 1 + (values - 1) / (side * side);
    }
    const auto greatest_height = 1 + static_cast<std::size_t>(std::sqrt(static_cast<double>(left)));
    constexpr std::size_t least_height = 2;
    std::size_t height = 0, width = 0;
    for (; height < least_height || width > r_min; ++left) {
        height = greatest_height;
        while (height >= least_height && left % height > 0) --height;
        width = left / height;
    }
    return {static_cast<Index>(side * side), static_cast<Index>(side * width),
            static_cast<Index>(side * height)};
}

}  // namespace solenoid::gl
