// The bytes that a launch of a kernel must move, each array counted once: what bounds it where
// memory does.
//
// An array read at the kernel's own entity counts as often as the range is long. One read through
// numbers of other entities counts whole, but no more of its entities than numbers there are. Rows
// of varying length count whole, with their tables and padding. What is written counts once, what
// is updated in place twice. Sums that a kernel leaves count nothing.
#pragma once

#include "device/kernel.hpp"

namespace solenoid::bench {

double traffic_of(const Launch& launch, Range range);  // [bytes]

}  // namespace solenoid::bench
