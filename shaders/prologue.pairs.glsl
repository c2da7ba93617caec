// Unevaluated sums of two reals, about twice a real's digits. GLSL, and C++
// (device/cpu/functions.hpp).

struct pair {
    real high;
    real low;
};

#if REAL_IS_DOUBLE
const real HALF_THE_BITS = real(134217728.0) + real(1);  // 2^27 + 1
#else
const real HALF_THE_BITS = real(4097);  // 2^12 + 1
#endif

// a + b = sum + error exactly, where |a| >= |b| or a = 0 (Dekker).
pair fast_two_sum(real a, real b)
{
    precise real sum = a + b;
    precise real part = sum - a;
    precise real error = b - part;
    return pair(sum, error);
}
// a + b and its rounding error for any a and b (Knuth).
pair two_sum(real a, real b)
{
    precise real sum = a + b;
    precise real part = sum - a;
    precise real rest = sum - part;
    precise real error_a = a - rest;
    precise real error_b = b - part;
    precise real error = error_a + error_b;
    return pair(sum, error);
}
// a = high + low, each of half the bits (Veltkamp): products of such halves are exact.
pair split(real a)
{
    precise real scaled = HALF_THE_BITS * a;
    precise real excess = scaled - a;
    precise real high = scaled - excess;
    precise real low = a - high;
    return pair(high, low);
}
// a b = high + low exactly (Dekker); no fma, which a driver may round twice.
pair two_product(real a, real b)
{
    pair x = split(a);
    pair y = split(b);
    precise real high = a * b;
    precise real first = x.high * y.high;
    precise real left = first - high;
    precise real second = x.high * y.low;
    left = left + second;
    precise real third = x.low * y.high;
    left = left + third;
    precise real last = x.low * y.low;
    left = left + last;
    return pair(high, left);
}
// The product of two pairs, to about the last bit of `low`.
pair pair_product(pair a, pair b)
{
    pair leading = two_product(a.high, b.high);
    precise real first = a.high * b.low;
    precise real second = a.low * b.high;
    precise real cross = first + second;
    precise real low = leading.low + cross;
    return pair(leading.high, low);
}
