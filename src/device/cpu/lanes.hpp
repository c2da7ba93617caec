// Reductions on the CPU.
#pragma once

#include <cstring>
#include <limits>

#include "core/binned_sum.hpp"
#include "device/kernel.hpp"

namespace solenoid {

using uint = std::uint32_t;

// A reduction in eight lanes, summed by blocks: the rounding error grows with the number of blocks,
// not of values.
template <Reduction operation>
class Lanes {
  public:
    Lanes() {
        for (double& lane : lane_) lane = identity();
    }
    [[gnu::always_inline]] void take(uint i, double value) {
        double& lane = lane_[i % count];
        lane = combine(lane, value);
        if (i % block == block - 1) flush();
    }
    // Eight at once, the first for an entity i that is a multiple of eight.
    using Eight __attribute__((vector_size(8 * sizeof(double)))) = double;
    [[gnu::always_inline]] void take(uint i, const Eight& values) {
        for (uint l = 0; l < count; ++l) lane_[l] = combine(lane_[l], values[l]);
        if ((i + count) % block == 0) flush();
    }
    double result() {
        flush();
        return total_;
    }
    void write(double* reductions, int n) { reductions[n] = result(); }  // as the n-th of a launch

  private:
    static constexpr uint count = 8, block = 4096;
    static constexpr double identity() {
        constexpr double infinity = std::numeric_limits<double>::infinity();
        return operation == Reduction::sum ? 0 : operation == Reduction::min ? infinity : -infinity;
    }
    static double combine(double a, double b) {
        if constexpr (operation == Reduction::sum)
            return a + b;
        else if constexpr (operation == Reduction::min)
            return b < a || b != b ? b : a;
        else
            return b > a || b != b ? b : a;
    }
    void flush() {
        for (double& lane : lane_) {
            total_ = combine(total_, lane);
            lane = identity();
        }
    }
    double lane_[count];
    double total_ = identity();
};

// The same of a reproducible run: sums in no order, packed.
template <Reduction operation>
class BinnedLanes {
  public:
    [[gnu::always_inline]] void take(uint, double value) {
        waiting_[count_++] = value;
        if (count_ >= most) flush();
    }
    [[gnu::always_inline]] void take(uint, const typename Lanes<operation>::Eight& values) {
        std::memcpy(waiting_ + count_, &values, sizeof(values));
        count_ += 8;
        if (count_ >= most) flush();
    }
    void write(double* reductions, int n) {
        flush();
        const auto packed = total_.packed();
        std::copy(packed.begin(), packed.end(), reductions + n * BinnedSum::numbers);
    }

  private:
    void flush() {
        total_.add(std::span<const double>(waiting_, count_));
        count_ = 0;
    }
    static constexpr std::size_t most = 512;
    double waiting_[most + 8];
    std::size_t count_ = 0;
    BinnedSum total_;
};
template <Reduction operation>
requires(operation != Reduction::sum) class BinnedLanes<operation> : public Lanes<operation> {
  public:
    void write(double* reductions, int n) { reductions[n * BinnedSum::numbers] = this->result(); }
};

}  // namespace solenoid
