// Buffers in double, rounded to single precision on the device.
#pragma once

#include "device/expression.hpp"

namespace solenoid {

inline void round_to(const Buffer<double>& exact, Buffer<float>& rounded, Device& device,
                     double scale = 1) {
    for (int k = 0; k < exact.columns(); ++k)
        Over(device, {0, exact.size()})[column(rounded, k)] = scale * column(exact, k);
}

inline Buffer<float> rounded_copy(Device& device, const Buffer<double>& exact, double scale = 1) {
    Buffer<float> result = device.buffer<float>(exact.size(), exact.columns());
    round_to(exact, result, device, scale);
    return result;
}

}  // namespace solenoid
