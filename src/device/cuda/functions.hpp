// exp, log and pow of kernels and expressions on the CUDA device, from the text that shaders have.
#pragma once

#include "device/cuda/arguments.hpp"
#include "prologue.cuda.hpp"

namespace solenoid::cuda {

#define pair(high, low) \
    pair { high, low }  // of an aggregate, for clang before 16

template <>
struct Functions<double> {
    using real = double;
    static real real_of(uint word, uint rest) {
        return __builtin_bit_cast(real, Size(word) << 32 | rest);
    }
    static uint word_of(real value) {
        return static_cast<uint>(__builtin_bit_cast(Size, value) >> 32);
    }
    static real with_word(real value, uint word) {
        return real_of(word, static_cast<uint>(__builtin_bit_cast(Size, value)));
    }
    static bool isnan(real value) { return value != value; }
    static real floor(real value) { return __builtin_floor(value); }
#define REAL_IS_DOUBLE 1
#include "prologue.pairs.glsl"

#include "prologue.functions.glsl"  // uses pairs
#undef REAL_IS_DOUBLE
};

template <>
struct Functions<float> {
    using real = float;
    static real real_of(uint word, uint) { return __builtin_bit_cast(real, word); }
    static uint word_of(real value) { return __builtin_bit_cast(uint, value); }
    static real with_word(real, uint word) { return __builtin_bit_cast(real, word); }
    static bool isnan(real value) { return value != value; }
    static real floor(real value) { return __builtin_floorf(value); }
#define REAL_IS_DOUBLE 0
#include "prologue.pairs.glsl"

#include "prologue.functions.glsl"  // uses pairs
#undef REAL_IS_DOUBLE
};

#undef pair

}  // namespace solenoid::cuda
