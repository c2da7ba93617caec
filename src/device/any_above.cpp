#include "device/any_above.hpp"

#include "device/expression.hpp"

namespace solenoid {

template <class Real>
bool any_above(Device& device, const Buffer<Real>& x, Range range, double bound) {
    if (range.end <= range.begin) return false;
    const double rounded = static_cast<Real>(bound);
    auto* const test = dynamic_cast<AboveTest*>(&device);
    if (test && test->has_above_test()) return test->any_above(x.storage(), range, rounded);
    // a NaN, or 0 times infinity, comes through the sum
    return !(Over(device, range).sum(ThisRank(), where(abs(x) > rounded, 0.0 * x + 1.0, 0.0 * x)) ==
             0);
}

template bool any_above(Device&, const Buffer<float>&, Range, double);
template bool any_above(Device&, const Buffer<double>&, Range, double);

}  // namespace solenoid
