// Whether a number of a buffer is beyond a bound: a test of convergence in the greatest norm.
#pragma once

#include "device/device.hpp"

namespace solenoid {

// A device that tells it faster than it reduces: the fragment device, by an occlusion query
// (Goodnight et al. 2003).
class AboveTest {
  public:
    virtual ~AboveTest() = default;
    // Of |x| over the range, or that one is NaN. Waits.
    virtual bool any_above(const Storage& x, Range range, double bound) = 0;
    virtual bool has_above_test() const = 0;
};

// The same on every device; elsewhere by the greatest |x|. The bound is rounded to Real. Waits.
template <class Real>
bool any_above(Device& device, const Buffer<Real>& x, Range range, double bound);

}  // namespace solenoid
