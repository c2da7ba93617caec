// Sums with the same bits in any order, hence on any number of ranks, in one pass and without a
// bound known before (Demmel & Nguyen 2015; Ahrens, Demmel & Nguyen 2020).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace solenoid {

// Bin j counts multiples of 2^(22 j - 1074). A value is split exactly into multiples of the four
// highest bins in use, each rounded to the nearest, even where two are; what is below is dropped:
// at most 2^-66 of the largest magnitude for each value. A bin holds 2^31 values exactly.
// Magnitudes of 2^971 and more count as infinite.
class BinnedSum {
  public:
    static constexpr int bins = 4;
    static constexpr std::size_t numbers = 1 + bins;  // that a sum travels as

    void add(double value);
    void add(std::span<const double> values);
    void add(const BinnedSum& other);
    double value() const;  // of all NaNs one

    // What it travels as: the highest bin in use, and the counts as the numbers that they stand
    // for.
    std::array<double, numbers> packed() const;
    static BinnedSum unpacked(std::span<const double, numbers> from);

    int top() const { return top_; }
    void raise(int top);  // the highest bin in use, if it is lower
    std::span<double, bins> parts() { return parts_; }

  private:
    std::array<double, bins> parts_{};  // of the bins top, top - 1, ...
    int top_ = 2;                       // of zero
};

}  // namespace solenoid
