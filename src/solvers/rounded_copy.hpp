// Buffers in double, rounded to single precision on the device.
#pragma once

#include "device/kernels.hpp"

namespace solenoid {

inline void round_to(const Buffer<double>& exact, Buffer<float>& rounded, Device& device, double scale = 1) {
    if (exact.size()) kernels::Rounded<double>{exact, rounded, scale}.run(device, {0, exact.size()});
}

inline Buffer<float> rounded_copy(Device& device, const Buffer<double>& exact, double scale = 1) {
    Buffer<float> result = device.buffer<float>(exact.size());
    round_to(exact, result, device, scale);
    return result;
}

}  // namespace solenoid
