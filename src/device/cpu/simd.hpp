// Eight neighbouring entities at once: what the text of a kernel that takes eight computes with on
// the CPU, in vectors that the compiler maps to the processor's. Entity by entity the arithmetic is
// the plain loop's, bit by bit.
#pragma once

#include <algorithm>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "device/bfloat16.hpp"
#include "device/cpu/lanes.hpp"
#include "device/near_columns.hpp"

#pragma GCC diagnostic ignored "-Wpsabi"  // no Eight leaves its translation unit

namespace solenoid {

#if defined(__AVX512F__)
constexpr int register_bytes = 64;
#elif defined(__AVX__)
constexpr int register_bytes = 32;
#else
constexpr int register_bytes = 16;
#endif

template <class T>
struct Eight {
    using Vector __attribute__((vector_size(8 * sizeof(T)))) = T;
    Vector v{};

    Eight() = default;
    Eight(T same) : v(same - Vector{}) {}  // implicit: uniforms and constants; keeps -0
    explicit Eight(const Vector& values) : v(values) {}
    template <class U>
    // a float becomes a double by itself
    explicit(sizeof(U) >= sizeof(T)) Eight(const Eight<U>& from)
        : v(__builtin_convertvector(from.v, Vector)) {}

    static Eight load(const T* from) {
        Eight result;
        std::memcpy(&result.v, from, sizeof(Vector));
        return result;
    }
    static Eight gathered(const T* from, const NearColumns& where) {
        from += where.first;
        asm("" : "+r"(from));  // GCC else adds the first to each distance anew
        Eight result;
        for (int l = 0; l < 8; ++l) result.v[l] = from[where.distance[l]];
        return result;
    }
    void store(T* to) const { std::memcpy(to, &v, sizeof(Vector)); }

    Eight& operator+=(const Eight& b) {
        v += b.v;
        return *this;
    }
    Eight& operator-=(const Eight& b) {
        v -= b.v;
        return *this;
    }
    Eight& operator*=(const Eight& b) {
        v *= b.v;
        return *this;
    }
    Eight& operator/=(const Eight& b) {
        v /= b.v;
        return *this;
    }
    friend Eight operator-(const Eight& a) { return Eight(-a.v); }
    friend Eight operator+(const Eight& a, const Eight& b) { return Eight(a.v + b.v); }
    friend Eight operator-(const Eight& a, const Eight& b) { return Eight(a.v - b.v); }
    friend Eight operator*(const Eight& a, const Eight& b) { return Eight(a.v * b.v); }
    friend Eight operator/(const Eight& a, const Eight& b) { return Eight(a.v / b.v); }
    friend Eight divided(const Eight& a, const Eight& b) {  // 0 where b is
        // Of vectors wider than the processor's GCC compares one element after the other.
        constexpr int bytes = std::min<int>(sizeof(Vector), register_bytes),
                      parts = sizeof(Vector) / bytes;
        using Part __attribute__((vector_size(bytes))) = T;
        const Part zero{};
        Part above[parts], below[parts];
        std::memcpy(above, &a.v, sizeof(Vector));
        std::memcpy(below, &b.v, sizeof(Vector));
        for (int k = 0; k < parts; ++k) above[k] = below[k] == zero ? zero : above[k] / below[k];
        Eight result;
        std::memcpy(&result.v, above, sizeof(Vector));
        return result;
    }
};

// Their floats.
template <>
struct Eight<Bfloat16> {
    static Eight<float> load(const Bfloat16* from) {
        using Halves __attribute__((vector_size(8 * sizeof(std::uint16_t)))) = std::uint16_t;
        Halves halves;
        std::memcpy(&halves, from, sizeof(Halves));
#if defined(__AVX2__)
        // GCC 12 converts the halves of vectors of its own
        const auto wide = Eight<uint>::Vector(_mm256_cvtepu16_epi32(__m128i(halves)));
#else
        const auto wide = __builtin_convertvector(halves, Eight<uint>::Vector);
#endif
        const Eight<uint>::Vector words = wide << 16;
        Eight<float> result;
        std::memcpy(&result.v, &words, sizeof(words));
        return result;
    }
};

// Vectors of eight entities, a component of all of them at a time; pitch: from one component to the
// next.
template <class T, int d>
struct VectorsOfEight {
    Eight<T> component[d];

    VectorsOfEight() = default;
    explicit VectorsOfEight(const Eight<T>& same) {
        for (int k = 0; k < d; ++k) component[k] = same;
    }
    template <class Value>
    static VectorsOfEight of(const Value& value) {
        VectorsOfEight result;
        for (int k = 0; k < d; ++k) result.component[k] = value(k);
        return result;
    }
    static VectorsOfEight load(const T* from, std::size_t pitch) {
        return of([&](int k) { return Eight<T>::load(from + k * pitch); });
    }
    static VectorsOfEight gathered(const T* from, std::size_t pitch, const NearColumns& where) {
        return of([&](int k) { return Eight<T>::gathered(from + k * pitch, where); });
    }
    void store(T* to, std::size_t pitch) const {
        for (int k = 0; k < d; ++k) component[k].store(to + k * pitch);
    }

    const Eight<T>& operator[](int k) const { return component[k]; }
    VectorsOfEight& operator+=(const VectorsOfEight& b) { return *this = *this + b; }
    VectorsOfEight& operator*=(const Eight<T>& b) { return *this = b * *this; }
    friend VectorsOfEight operator-(const VectorsOfEight& a) {
        return of([&](int k) { return -a[k]; });
    }
    friend VectorsOfEight operator+(const VectorsOfEight& a, const VectorsOfEight& b) {
        return of([&](int k) { return a[k] + b[k]; });
    }
    friend VectorsOfEight operator-(const VectorsOfEight& a, const VectorsOfEight& b) {
        return of([&](int k) { return a[k] - b[k]; });
    }
    friend VectorsOfEight operator*(const VectorsOfEight& a, const VectorsOfEight& b) {
        return of([&](int k) { return a[k] * b[k]; });
    }
    friend VectorsOfEight operator*(const Eight<T>& a, const VectorsOfEight& b) {
        return of([&](int k) { return a * b[k]; });
    }
    friend VectorsOfEight divided(const VectorsOfEight& a, const Eight<T>& b) {
        return of([&](int k) { return divided(a[k], b); });
    }
};

// Members of every functor on eight entities; `element` and DIMENSION are its template parameters.
#define SOLENOID_EIGHT_PROLOGUE                                                  \
    using real = Eight<element>;                                                 \
    using single = Eight<float>;                                                 \
    using vec = VectorsOfEight<element, DIMENSION>;                              \
    using scalar = real;                                                         \
    using accumulator = Eight<double>;                                           \
    static real quotient(const real& a, const real& b) { return divided(a, b); } \
    static vec quotient(const vec& a, const real& b) { return divided(a, b); }   \
    static accumulator wide(const real& value) { return accumulator(value); }    \
    static accumulator product(const real& a, const real& b) { return wide(a) * wide(b); }

}  // namespace solenoid
