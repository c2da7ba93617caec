// The lanes of a row: invocations of a GPU that add up its entries together. One invocation a row
// leaves most of a GPU idle where rows are few, and waits for one entry after the other where they
// are long (Bell & Garland 2009, "vector" kernels).
#pragma once

#include "device/kernel.hpp"

namespace solenoid {

inline constexpr int max_lane_bits = 5;

// Two to the result share a row of the launch. invocations: that fill the device. The range and the
// lengths of rows alone decide, so that a repeated run has the same bits.
int lane_bits(const Launch& launch, Range range, Index invocations);

}  // namespace solenoid
