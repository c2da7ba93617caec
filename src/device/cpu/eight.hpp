// Eight neighbouring rows at once: what the text of a kernel over zero-padded rows computes with on the CPU, in vectors
// that the compiler maps to the processor's. Row by row the arithmetic is the plain loop's, bit by bit.
#pragma once

#include <cstring>

#include "device/cpu/prologue.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // no Eight leaves its translation unit

namespace solenoid {

template <class T>
struct Eight {
    using Vector __attribute__((vector_size(8 * sizeof(T)))) = T;
    Vector v{};

    Eight() = default;
    Eight(T same) : v(Vector{} + same) {}  // implicit: uniforms and constants
    explicit Eight(const Vector& values) : v(values) {}

    static Eight load(const T* from) {
        Eight result;
        std::memcpy(&result.v, from, sizeof(Vector));
        return result;
    }
    template <class U>
    static Eight converted(const Eight<U>& from) {
        return Eight(__builtin_convertvector(from.v, Vector));
    }
    static Eight gathered(const T* from, const Eight<uint>& where) {
        Eight result;
        for (int l = 0; l < 8; ++l) result.v[l] = from[where.v[l]];
        return result;
    }
    void store(T* to) const { std::memcpy(to, &v, sizeof(Vector)); }

    Eight& operator+=(const Eight& b) { v += b.v; return *this; }
    Eight& operator-=(const Eight& b) { v -= b.v; return *this; }
    Eight& operator*=(const Eight& b) { v *= b.v; return *this; }
    friend Eight operator-(const Eight& a) { return Eight(-a.v); }
    friend Eight operator+(const Eight& a, const Eight& b) { return Eight(a.v + b.v); }
    friend Eight operator-(const Eight& a, const Eight& b) { return Eight(a.v - b.v); }
    friend Eight operator*(const Eight& a, const Eight& b) { return Eight(a.v * b.v); }
    friend Eight quotient(const Eight& a, const Eight& b) {
        const Vector zero{};
        return Eight(b.v == zero ? zero : a.v / b.v);
    }
};

// Their floats.
template <>
struct Eight<Bfloat16> {
    static Eight<float> load(const Bfloat16* from) {
        using Halves __attribute__((vector_size(8 * sizeof(std::uint16_t)))) = std::uint16_t;
        Halves halves;
        std::memcpy(&halves, from, sizeof(Halves));
        const Eight<uint>::Vector words = __builtin_convertvector(halves, Eight<uint>::Vector) << 16;
        Eight<float> result;
        std::memcpy(&result.v, &words, sizeof(words));
        return result;
    }
};

inline uint most(const uint* values) {
    uint result = values[0];
    for (int l = 1; l < 8; ++l) result = values[l] > result ? values[l] : result;
    return result;
}

// Members of every functor on eight rows; `element` is its template parameter.
#define SOLENOID_EIGHT_ROWS_PROLOGUE             \
    using real = Eight<element>;                 \
    using scalar = real;                         \
    using accumulator = Eight<double>;           \
    static accumulator product(const real& a, const real& b) { return accumulator::converted(a) * accumulator::converted(b); }

}  // namespace solenoid
