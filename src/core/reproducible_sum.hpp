// Sums with the same bits however the values are dealt out to ranks: each value is taken apart into
// whole multiples of three powers of two, and these add up exactly in any order.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace solenoid {

class ReproducibleSum {
  public:
    // largest: the greatest magnitude of all values, finite; count: of all values, at least 1. Of a
    // million values the parts hold 99 bits below the largest.
    ReproducibleSum(double largest, std::int64_t count);

    // of some of the values: those of all add up, in any order
    std::array<double, 3> parts(std::span<const double> values) const;
    // of the parts of all values
    double total(const std::array<double, 3>& parts) const;

  private:
    std::array<double, 3> unit_{};
};

}  // namespace solenoid
