// Reductions that stay on the device: later launches take their ratios for uniforms, the host looks
// when it wants to (Device::look).
#pragma once

#include <array>

namespace solenoid {

// What the launches of one `Keeping` reduce, added up by number of the reduction, and what those of
// the one before did.
class DeviceSums {
  public:
    static constexpr int most = 4;

    virtual ~DeviceSums() = default;
    // behind what was launched so far
    virtual void set(const std::array<double, most>& values) = 0;
};

// A number among them. is_before: as it was before the last `Keeping`.
struct DeviceNumber {
    const DeviceSums* sums = nullptr;
    int n = 0;
    bool is_before = false;
};

// of / over where that is positive and finite, 0 elsewhere; `of` where there is no `over`.
struct RatioOfSums {
    DeviceNumber of, over;
};

}  // namespace solenoid
