// Reductions on the CPU.
#pragma once

#include <limits>

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
    void take(uint i, double value) {
        double& lane = lane_[i % count];
        lane = combine(lane, value);
        if (i % block == block - 1) flush();
    }
    // Eight at once, the first for an entity i that is a multiple of eight.
    using Eight __attribute__((vector_size(8 * sizeof(double)))) = double;
    void take(uint i, const Eight& values) {
        for (uint l = 0; l < count; ++l) lane_[l] = combine(lane_[l], values[l]);
        if ((i + count) % block == 0) flush();
    }
    double result() {
        flush();
        return total_;
    }

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

}  // namespace solenoid
