// The memory traffic of a kernel launch, with each array counted once: the lower bound of its time
// where memory limits it.
//
// An array read at the kernel's own entity counts once for each entity of the range. One read at
// referenced entities counts whole, but at most as many entities as there are references. Rows of
// varying length count whole, with their tables and padding. Written arrays count once, arrays
// updated in place twice; sums that a kernel returns count nothing.
#pragma once

#include "device/kernel.hpp"

namespace solenoid::bench {

double traffic_of(const Launch& launch, Range range);  // [bytes]

}  // namespace solenoid::bench
