#include "view/colour_map.hpp"

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

constexpr std::uint32_t stops[] = {0x440154, 0x481a6c, 0x472f7d, 0x414487, 0x39568c, 0x31688e,
                                   0x2a788e, 0x23888e, 0x1f988b, 0x22a884, 0x35b779, 0x54c568,
                                   0x7ad151, 0xa5db36, 0xd2e21b, 0xfde725};
constexpr int last = static_cast<int>(std::size(stops)) - 1;

Colour stop(int i) {
    if (i < 0) return 2.0 * stop(0) - stop(1);
    if (i > last) return 2.0 * stop(last) - stop(last - 1);
    return Colour((stops[i] >> 16) & 255, (stops[i] >> 8) & 255, stops[i] & 255) / 255.0;
}

}  // namespace

// A Catmull-Rom spline through the stops.
Colour colour_of(double t) {
    const double x = std::clamp(t, 0.0, 1.0) * last;
    const int i = std::min(static_cast<int>(x), last - 1);
    const double s = x - i;
    const Colour a = stop(i - 1), b = stop(i), c = stop(i + 1), d = stop(i + 2);
    const Colour p =
        b + 0.5 * s * (c - a + s * (2.0 * a - 5.0 * b + 4.0 * c - d + s * (3.0 * (b - c) + d - a)));
    return {std::clamp(p.x, 0.0, 1.0), std::clamp(p.y, 0.0, 1.0), std::clamp(p.z, 0.0, 1.0)};
}

std::array<std::array<std::uint8_t, 4>, colour_steps> colour_table() {
    std::array<std::array<std::uint8_t, 4>, colour_steps> table;
    for (int i = 0; i < colour_steps; ++i) {
        const Colour c = colour_of(i / (colour_steps - 1.0));
        for (int k = 0; k < 3; ++k)
            table[i][k] = static_cast<std::uint8_t>(std::lround(255 * c[k]));
        table[i][3] = 255;
    }
    return table;
}

}  // namespace solenoid
