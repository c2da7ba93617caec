#include "view/ticks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace solenoid {
namespace {

// 1, 2 or 5 times a power of ten, near span / count.
double nice_step(double span, int count) {
    const double rough = span / std::max(count, 1);
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    const double digit = rough / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

}  // namespace

Ticks nice_ticks(double low, double high, int count) {
    Ticks ticks;
    if (!(high > low)) return ticks;
    double step = nice_step(high - low, count);
    const auto first = [&] { return std::ceil(low / step - 1e-9); };
    const auto last = [&] { return std::floor(high / step + 1e-9); };
    for (int finer = count + 1; last() - first() < 1 && finer < 20; ++finer)
        step = nice_step(high - low, finer);

    const double largest = std::max(std::abs(low), std::abs(high));
    if (largest >= 1e5 || largest < 1e-2)
        ticks.exponent = static_cast<int>(std::floor(std::log10(largest)));
    const double unit = std::pow(10.0, ticks.exponent);
    const int decimals =
        std::clamp(static_cast<int>(std::ceil(-std::log10(step / unit) - 1e-9)), 0, 12);
    for (double k = first(); k <= last(); ++k) {
        ticks.values.push_back(k * step);
        ticks.labels.push_back(fmt::format("{:.{}f}", k == 0 ? 0.0 : k * step / unit, decimals));
    }
    return ticks;
}

}  // namespace solenoid
