// What a kernel's text finds when it is compiled as GLSL: the counterpart of src/device/cpu/prologue.hpp.
// Defined before: REAL_IS_DOUBLE, HAS_FP64 (0 or 1) and DIMENSION (2 or 3).

#if REAL_IS_DOUBLE
#define real double
#if DIMENSION == 2
#define vec dvec2
#else
#define vec dvec3
#endif
#else
#define real float
#if DIMENSION == 2
#define vec vec2
#else
#define vec vec3
#endif
#endif

#define single float

#define FACES_PER_CELL uint(DIMENSION + 1)
#define NODES_PER_CELL uint(DIMENSION + 1)
#define NODES_PER_FACE uint(DIMENSION)
#define RIDGES_PER_FACE uint(DIMENSION)
#define TANGENTS_PER_FACE (uint(DIMENSION) - 1u)
#define EDGES_PER_CELL (DIMENSION == 2 ? 3u : 6u)
#define RIDGES_PER_CELL EDGES_PER_CELL
#define NONE 0xFFFFFFFFu
#define ROW_STRIDE 32u

// Adds a term for each j < count to a `precise real` sum, in order. Four at a time are read before the first is added: an
// invocation that waits for memory then waits for four.
#define ADD_ROW(sum, count, j, term) \
    for (uint added = 0u, all = (count); added < all;) { \
        if (added + 4u <= all) { \
            precise real terms_0, terms_1, terms_2, terms_3; \
            { uint j = added; terms_0 = term; } \
            { uint j = added + 1u; terms_1 = term; } \
            { uint j = added + 2u; terms_2 = term; } \
            { uint j = added + 3u; terms_3 = term; } \
            sum += terms_0; sum += terms_1; sum += terms_2; sum += terms_3; \
            added += 4u; \
        } else { \
            uint j = added++; \
            sum += term; \
        } \
    }

// An oriented entity: the top bit says "reversed".
uint entity_of(uint oriented) { return oriented & 0x7FFFFFFFu; }
real orientation_of(uint oriented) { return (oriented >> 31) == 0u ? real(1) : real(-1); }

// a / b, 0 where b is.
real quotient(real a, real b) { return b == real(0) ? real(0) : a / b; }

// w x u; in 2D w is perpendicular to the plane and given in its first component.
vec turned(vec w, vec u) {
#if DIMENSION == 2
    return w.x * vec(-u.y, u.x);
#else
    return cross(w, u);
#endif
}

// ---- accumulators: a double, or an unevaluated sum of two floats where there are no doubles

#if HAS_FP64

#define accumulator double
accumulator wide(real value) { return accumulator(value); }
accumulator product(real a, real b) { return accumulator(a) * accumulator(b); }
accumulator add(accumulator a, accumulator b) { return a + b; }
real narrow(accumulator value) { return real(value); }
uvec2 words_of(accumulator value) { return unpackDouble2x32(value); }
accumulator accumulator_of(uvec2 words) { return packDouble2x32(words); }

#else

struct accumulator {
    float high;
    float low;
};

// a + b = sum + error exactly, where |a| >= |b| (Dekker).
accumulator fast_two_sum(float a, float b) {
    precise float sum = a + b;
    precise float part = sum - a;
    precise float error = b - part;
    return accumulator(sum, error);
}
// The same for any a and b (Knuth).
accumulator two_sum(float a, float b) {
    precise float sum = a + b;
    precise float part = sum - a;
    precise float rest = sum - part;
    precise float error_a = a - rest;
    precise float error_b = b - part;
    precise float error = error_a + error_b;
    return accumulator(sum, error);
}
// a = high + low, each of 12 bits (Veltkamp): products of such halves are exact.
accumulator split(float a) {
    precise float scaled = 4097.0 * a;
    precise float excess = scaled - a;
    precise float high = scaled - excess;
    precise float low = a - high;
    return accumulator(high, low);
}

accumulator wide(float value) { return accumulator(value, 0.0); }
// a b = high + low exactly (Dekker); no fma, which a driver may round twice.
accumulator product(float a, float b) {
    accumulator x = split(a);
    accumulator y = split(b);
    precise float high = a * b;
    precise float first = x.high * y.high;
    precise float left = first - high;
    precise float second = x.high * y.low;
    left = left + second;
    precise float third = x.low * y.high;
    left = left + third;
    precise float last = x.low * y.low;
    left = left + last;
    return accumulator(high, left);
}
accumulator add(accumulator a, accumulator b) {
    accumulator high = two_sum(a.high, b.high);
    accumulator low = two_sum(a.low, b.low);
    precise float carry = high.low + low.high;
    accumulator sum = fast_two_sum(high.high, carry);
    precise float rest = sum.low + low.low;
    return fast_two_sum(sum.high, rest);
}
float narrow(accumulator value) { return value.high + value.low; }
uvec2 words_of(accumulator value) {
    return uvec2(floatBitsToUint(value.high), floatBitsToUint(value.low));
}
accumulator accumulator_of(uvec2 words) {
    return accumulator(uintBitsToFloat(words.x), uintBitsToFloat(words.y));
}

#endif

// ---- reductions: sums of accumulators; extrema travel as accumulators too, and a NaN wins

#define REDUCE_SUM 0
#define REDUCE_MIN 1
#define REDUCE_MAX 2

accumulator reduce(int operation, accumulator a, accumulator b) {
    if (operation == REDUCE_SUM) return add(a, b);
#if HAS_FP64
    bool takes_b = isnan(b) || (operation == REDUCE_MIN ? b < a : b > a);
#else
    bool takes_b = isnan(b.high) || (operation == REDUCE_MIN ? b.high < a.high : b.high > a.high);
#endif
    if (takes_b) return b;
    return a;
}

// 0, infinity, -infinity.
accumulator identity_of(int operation) {
    uint sign = operation == REDUCE_MAX ? 0x80000000u : 0u;
#if HAS_FP64
    uint high = operation == REDUCE_SUM ? 0u : 0x7FF00000u | sign;
    return packDouble2x32(uvec2(0u, high));
#else
    uint high = operation == REDUCE_SUM ? 0u : 0x7F800000u | sign;
    return accumulator(uintBitsToFloat(high), 0.0);
#endif
}
