// Sums with the same bits in any order, hence on any number of ranks. Each value is split into
// integer multiples of three powers of two; these add up exactly.
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace solenoid {

class ReproducibleSum {
  public:
    // largest: the greatest magnitude of all values, finite. count: the number of all values, at
    // least 1. For a million values the parts hold 99 bits below the largest.
    ReproducibleSum(double largest, std::int64_t count);

    // The parts of some of the values. The parts of all values are their sum, in any order.
    std::array<double, 3> parts(std::span<const double> values) const;
    // The sum, from the parts of all values.
    double total(const std::array<double, 3>& parts) const;

  private:
    std::array<double, 3> unit_{};
};

}  // namespace solenoid
