// Sums of a kernel, and the reductions of them.

// ---- accumulators: a double, or an unevaluated sum of two floats where there are no doubles

#if HAS_FP64

#define accumulator double
accumulator wide(real value) { return accumulator(value); }
accumulator product(real a, real b)
{
    // never part of a fused sum, which one variant of a kernel may have and another not
    precise accumulator result = accumulator(a) * accumulator(b);
    return result;
}
accumulator add(accumulator a, accumulator b) { return a + b; }
real narrow(accumulator value) { return real(value); }
uvec2 words_of(accumulator value) { return unpackDouble2x32(value); }
accumulator accumulator_of(uvec2 words) { return packDouble2x32(words); }

#else

#define accumulator pair
accumulator wide(float value) { return accumulator(value, 0.0); }
accumulator product(float a, float b) { return two_product(a, b); }
accumulator add(accumulator a, accumulator b)
{
    accumulator high = two_sum(a.high, b.high);
    accumulator low = two_sum(a.low, b.low);
    precise float carry = high.low + low.high;
    accumulator sum = fast_two_sum(high.high, carry);
    precise float rest = sum.low + low.low;
    return fast_two_sum(sum.high, rest);
}
float narrow(accumulator value) { return value.high + value.low; }
uvec2 words_of(accumulator value)
{
    return uvec2(floatBitsToUint(value.high), floatBitsToUint(value.low));
}
accumulator accumulator_of(uvec2 words)
{
    return accumulator(uintBitsToFloat(words.x), uintBitsToFloat(words.y));
}

#endif

// ---- reductions: sums of accumulators; extrema travel as accumulators too, and a NaN wins

#define REDUCE_SUM 0
#define REDUCE_MIN 1
#define REDUCE_MAX 2

accumulator reduce(int operation, accumulator a, accumulator b)
{
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
accumulator identity_of(int operation)
{
    uint sign = operation == REDUCE_MAX ? 0x80000000u : 0u;
#if HAS_FP64
    uint high = operation == REDUCE_SUM ? 0u : 0x7FF00000u | sign;
    return packDouble2x32(uvec2(0u, high));
#else
    uint high = operation == REDUCE_SUM ? 0u : 0x7F800000u | sign;
    return accumulator(uintBitsToFloat(high), 0.0);
#endif
}
