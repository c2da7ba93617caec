// What a kernel's text finds when it is compiled as GLSL: the counterpart of
// src/device/cpu/prologue.hpp. Defined before: REAL_IS_DOUBLE, HAS_FP64 (0 or 1) and DIMENSION (2
// or 3).

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

// What a real is made of: the word with its sign and exponent, and the rest of a double.
#if REAL_IS_DOUBLE
#define real_of(word, rest) packDouble2x32(uvec2(rest, word))
#define word_of(value) unpackDouble2x32(value).y
#define with_word(value, word) packDouble2x32(uvec2(unpackDouble2x32(value).x, word))
#else
#define real_of(word, rest) uintBitsToFloat(word)
#define word_of(value) floatBitsToUint(value)
#define with_word(value, word) uintBitsToFloat(word)
#endif

// Those of prologue.functions.glsl: GLSL's own are for floats, and loose.
#define exp real_exp
#define log real_log
#define pow real_pow

#define FACES_PER_CELL uint(DIMENSION + 1)
#define NODES_PER_CELL uint(DIMENSION + 1)
#define NODES_PER_FACE uint(DIMENSION)
#define CODIM2_PER_FACE uint(DIMENSION)
#define TANGENTS_PER_FACE (uint(DIMENSION) - 1u)
#define EDGES_PER_CELL (DIMENSION == 2 ? 3u : 6u)
#define CODIM2_PER_CELL EDGES_PER_CELL
#define NONE 0xFFFFFFFFu
#define ROW_STRIDE 32u

// Adds a lane's terms, of j = first, first + lanes, ... < count, to a `precise` sum in order. Four
// at a time are read before the first is added: an invocation that waits for memory then waits for
// four.
#define ADD_LANE_OF(type, sum, first, count, j, term)         \
    for (uint added = (first), all = (count); added < all;) { \
        if (added + 3u * lanes < all) {                       \
            precise type terms_0, terms_1, terms_2, terms_3;  \
            {                                                 \
                uint j = added;                               \
                terms_0 = term;                               \
            }                                                 \
            {                                                 \
                uint j = added + lanes;                       \
                terms_1 = term;                               \
            }                                                 \
            {                                                 \
                uint j = added + 2u * lanes;                  \
                terms_2 = term;                               \
            }                                                 \
            {                                                 \
                uint j = added + 3u * lanes;                  \
                terms_3 = term;                               \
            }                                                 \
            sum += terms_0;                                   \
            sum += terms_1;                                   \
            sum += terms_2;                                   \
            sum += terms_3;                                   \
            added += 4u * lanes;                              \
        } else {                                              \
            uint j = added;                                   \
            sum += term;                                      \
            added += lanes;                                   \
        }                                                     \
    }
// Adds a term for each j < count to a sum: in order, or where invocations share a row a lane in
// order, then lanes with those half as far away each time (prologue.compute.glsl). The sum is every
// lane's.
#ifdef SHARES_ROWS
#define ADD_ROW_OF(type, sum, count, j, term)                \
    {                                                        \
        precise type lane_part = lane == 0u ? sum : type(0); \
        ADD_LANE_OF(type, lane_part, lane, count, j, term)   \
        sum = added_over_lanes(lane_part);                   \
    }
#else
const uint lanes = 1u;
#define ADD_ROW_OF(type, sum, count, j, term) ADD_LANE_OF(type, sum, 0u, count, j, term)
#endif
#define ADD_ROW(sum, count, j, term) ADD_ROW_OF(real, sum, count, j, term)

// An oriented entity: the top bit says "reversed".
uint entity_of(uint oriented) { return oriented & 0x7FFFFFFFu; }
real orientation_of(uint oriented) { return (oriented >> 31) == 0u ? real(1) : real(-1); }

// a / b, 0 where b is.
real quotient(real a, real b) { return b == real(0) ? real(0) : a / b; }
vec quotient(vec a, real b) { return b == real(0) ? vec(0) : a / b; }

// A component of a vector, and the vector with another one. NVIDIA's compiler does not index
// vectors of doubles by variables.
real component_of(vec v, uint i)
{
#if DIMENSION == 2
    return i == 0u ? v.x : v.y;
#else
    return i == 0u ? v.x : i == 1u ? v.y : v.z;
#endif
}
vec with_component(vec v, uint i, real x)
{
#if DIMENSION == 2
    return vec(i == 0u ? x : v.x, i == 1u ? x : v.y);
#else
    return vec(i == 0u ? x : v.x, i == 1u ? x : v.y, i == 2u ? x : v.z);
#endif
}

// w x u; in 2D w is perpendicular to the plane and given in its first component.
vec turned(vec w, vec u)
{
#if DIMENSION == 2
    return w.x * vec(-u.y, u.x);
#else
    return cross(w, u);
#endif
}
