// exp, log and pow of kernels and expressions on the CPU, from the text that shaders have.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace solenoid {

template <class T>
struct Functions;

#define precise

template <>
struct Functions<double> {
    using real = double;
    using uint = std::uint32_t;
    static real real_of(uint word, uint rest) {
        return std::bit_cast<real>(std::uint64_t(word) << 32 | rest);
    }
    static uint word_of(real value) {
        return static_cast<uint>(std::bit_cast<std::uint64_t>(value) >> 32);
    }
    static real with_word(real value, uint word) {
        return real_of(word, static_cast<uint>(std::bit_cast<std::uint64_t>(value)));
    }
    static bool isnan(real value) { return value != value; }
    static real floor(real value) { return std::floor(value); }
#define REAL_IS_DOUBLE 1
#include "prologue.pairs.glsl"

#include "prologue.functions.glsl"  // uses pairs
#undef REAL_IS_DOUBLE
};

template <>
struct Functions<float> {
    using real = float;
    using uint = std::uint32_t;
    static real real_of(uint word, uint) { return std::bit_cast<real>(word); }
    static uint word_of(real value) { return std::bit_cast<uint>(value); }
    static real with_word(real, uint word) { return std::bit_cast<real>(word); }
    static bool isnan(real value) { return value != value; }
    static real floor(real value) { return std::floor(value); }
#define REAL_IS_DOUBLE 0
#include "prologue.pairs.glsl"

#include "prologue.functions.glsl"  // uses pairs
#undef REAL_IS_DOUBLE
};

#undef precise

}  // namespace solenoid
