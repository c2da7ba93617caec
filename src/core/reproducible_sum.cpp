#include "core/reproducible_sum.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/threads.hpp"

namespace solenoid {
namespace {

constexpr int whole_bits = 53;  // bits of the whole numbers that a double holds exactly

}  // namespace

ReproducibleSum::ReproducibleSum(double largest, std::int64_t count) {
    if (!(largest > 0)) return;
    const int bits =
        whole_bits - static_cast<int>(std::bit_width(static_cast<std::uint64_t>(count)));
    const int least = std::ilogb(std::numeric_limits<double>::denorm_min());
    for (int k = 0; k < 3; ++k)
        unit_[k] = std::ldexp(1.0, std::max(least, std::ilogb(largest) + 1 - (k + 1) * bits));
}

std::array<double, 3> ReproducibleSum::parts(std::span<const double> values) const {
    std::array<double, 3> sums{};
    for (std::size_t k = 0; k < sums.size() && unit_[0] > 0; ++k)
        sums[k] = sum_of_each(0, values.size(), [&](std::size_t i) {
            double rest = values[i], whole = 0;
            for (std::size_t j = 0; j <= k; ++j) {
                whole = std::rint(rest / unit_[j]);
                rest -= whole * unit_[j];
            }
            return whole;
        });
    return sums;
}

double ReproducibleSum::total(const std::array<double, 3>& parts) const {
    return parts[2] * unit_[2] + parts[1] * unit_[1] + parts[0] * unit_[0];
}

}  // namespace solenoid
