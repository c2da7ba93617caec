// A float's upper half: its range with eight bits of precision.
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>

namespace solenoid {

struct Bfloat16 {
    std::uint16_t bits = 0;

    Bfloat16() = default;
    // To the nearest, ties to even; relative error at most 2^-9. Of finite values.
    explicit Bfloat16(float value) {
        const auto whole = std::bit_cast<std::uint32_t>(value);
        bits = static_cast<std::uint16_t>((whole + 0x7FFFu + ((whole >> 16) & 1u)) >> 16);
    }
    explicit Bfloat16(double value) : Bfloat16(static_cast<float>(value)) {}
    explicit operator float() const { return std::bit_cast<float>(std::uint32_t(bits) << 16); }
};

// The precision below that of vectors: what a preconditioner's matrix is stored in.
template <class Real>
using Reduced = std::conditional_t<std::is_same_v<Real, double>, float, Bfloat16>;

}  // namespace solenoid
