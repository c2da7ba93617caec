// What a kernel's text finds when it is compiled as C++: the counterpart of
// shaders/prologue.*.glsl.
#pragma once

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/vec2.hpp>
#include <glm/vec3.hpp>

#include "device/cpu/lanes.hpp"
#include "device/device.hpp"
#include "device/near_columns.hpp"

namespace solenoid {

using single = float;

template <class T>
struct Functions;  // device/cpu/functions.hpp, for kernels that call them

// Adds a term for each j < count to a sum, in order.
#define ADD_ROW_OF(type, sum, count, j, term) \
    for (uint j = 0; j < (count); ++j) sum += term;
#define ADD_ROW(sum, count, j, term) ADD_ROW_OF(real, sum, count, j, term)

// Members of every kernel functor; `real` and DIMENSION are its template parameters.
#define SOLENOID_KERNEL_PROLOGUE                                                                \
    using scalar = real;                                                                        \
    using vec = glm::vec<DIMENSION, real>;                                                      \
    using single = float;                                                                       \
    using accumulator = double;                                                                 \
    static constexpr uint FACES_PER_CELL = DIMENSION + 1, NODES_PER_CELL = DIMENSION + 1;       \
    static constexpr uint NODES_PER_FACE = DIMENSION, CODIM2_PER_FACE = DIMENSION;              \
    static constexpr uint TANGENTS_PER_FACE = DIMENSION - 1;                                    \
    static constexpr uint EDGES_PER_CELL = DIMENSION == 2 ? 3 : 6,                              \
                          CODIM2_PER_CELL = EDGES_PER_CELL;                                     \
    static constexpr uint NONE = 0xFFFFFFFFu;                                                   \
    static uint entity_of(uint oriented) { return oriented & 0x7FFFFFFFu; }                     \
    static real orientation_of(uint oriented) { return (oriented >> 31) ? real(-1) : real(1); } \
    static real abs(real value) { return value < real(0) ? -value : value; }                    \
    static real sqrt(real value) { return std::sqrt(value); }                                   \
    static real exp(real x) { return Functions<real>().exp(x); }                                \
    static real log(real x) { return Functions<real>().log(x); }                                \
    static real pow(real x, real y) { return Functions<real>().pow(x, y); }                     \
    static real min(real a, real b) { return b < a ? b : a; }                                   \
    static real max(real a, real b) { return a < b ? b : a; }                                   \
    static vec min(const vec& a, const vec& b) { return glm::min(a, b); }                       \
    static vec max(const vec& a, const vec& b) { return glm::max(a, b); }                       \
    static real dot(real a, real b) { return a * b; }                                           \
    static real dot(const vec& a, const vec& b) { return glm::dot(a, b); }                      \
    static real quotient(real a, real b) { return b == real(0) ? real(0) : a / b; }             \
    static vec quotient(const vec& a, real b) { return b == real(0) ? vec(0) : a / b; }         \
    static accumulator wide(real value) { return value; }                                       \
    static accumulator product(real a, real b) { return accumulator(a) * accumulator(b); }      \
    static accumulator add(accumulator a, accumulator b) { return a + b; }                      \
    static real narrow(accumulator value) { return static_cast<real>(value); }                  \
    static real component_of(const vec& v, uint i) { return v[i]; }                             \
    static vec with_component(vec v, uint i, real x) {                                          \
        v[i] = x;                                                                               \
        return v;                                                                               \
    }                                                                                           \
    static vec turned(vec w, vec u) {                                                           \
        if constexpr (DIMENSION == 2)                                                           \
            return w.x * vec(-u.y, u.x);                                                        \
        else                                                                                    \
            return glm::cross(w, u);                                                            \
    }

}  // namespace solenoid
