// exp, log and pow of reals: within 1.2 units in the last place of what is exact, with the same
// bits wherever + - * / have. GLSL, and C++ (device/cpu/functions.hpp). Numbers below the least
// normal one count as 0, as arguments and as results.

#if REAL_IS_DOUBLE
const int MANTISSA_BITS = 20;  // of the word with the exponent
const int EXPONENT_OF_ONE = 1023;
const uint WORD_OF_ONE = 0x3FF00000u;
const uint WORD_OF_ROOT_HALF = 0x3FE6A09Eu;
const real LEAST_NORMAL = real_of(0x00100000u, 0u);
const real INFINITE = real_of(0x7FF00000u, 0u);
const real NOT_A_NUMBER = real_of(0x7FF80000u, 0u);
const real LOG2_E = real_of(0x3FF71547u, 0x652B82FEu);
// 32 bits: exact times an exponent (Cody & Waite 1980)
const real LN2_HIGH = real_of(0x3FE62E42u, 0xFEE00000u);
const real LN2_LOW = real_of(0x3DEA39EFu, 0x35793C76u);
const real THIRD_LOW = real_of(0x3C755555u, 0x55555555u);  // 1/3 less its double
// e^x is infinite above it, 0 below its negative
const real EXP_RANGE = real(800);
// 2^64: as good as infinite, above any x but 1
const real POW_RANGE = real_of(0x43F00000u, 0u);
#else
const int MANTISSA_BITS = 23;
const int EXPONENT_OF_ONE = 127;
const uint WORD_OF_ONE = 0x3F800000u;
const uint WORD_OF_ROOT_HALF = 0x3F3504F3u;
const real LEAST_NORMAL = real_of(0x00800000u, 0u);
const real INFINITE = real_of(0x7F800000u, 0u);
const real NOT_A_NUMBER = real_of(0x7FC00000u, 0u);
const real LOG2_E = real_of(0x3FB8AA3Bu, 0u);
const real LN2_HIGH = real_of(0x3F317200u, 0u);  // 15 bits
const real LN2_LOW = real_of(0x35BFBE8Eu, 0u);
const real THIRD_LOW = real_of(0xB22AAAABu, 0u);
const real EXP_RANGE = real(120);
const real POW_RANGE = real_of(0x53800000u, 0u);  // 2^40
#endif

real power_of_two(int k) { return real_of(uint(k + EXPONENT_OF_ONE) << MANTISSA_BITS, 0u); }

// 1 / n + x sum: a step of Horner's rule.
real step_up(real sum, real x, real n)
{
    precise real inverse = real(1) / n;
    precise real next = inverse + x * sum;
    return next;
}

// (e^x - 1) / x by Taylor's series, |x| <= ln 2 / 2: 1 + x / 2! + x^2 / 3! + ...
real exp_series(real x)
{
    real sum = real(0);
#if REAL_IS_DOUBLE
    sum = step_up(sum, x, real(6227020800.0));  // 13!
    sum = step_up(sum, x, real(479001600.0));
    sum = step_up(sum, x, real(39916800.0));
    sum = step_up(sum, x, real(3628800.0));
    sum = step_up(sum, x, real(362880.0));
#endif
    sum = step_up(sum, x, real(40320.0));
    sum = step_up(sum, x, real(5040.0));
    sum = step_up(sum, x, real(720.0));
    sum = step_up(sum, x, real(120.0));
    sum = step_up(sum, x, real(24.0));
    sum = step_up(sum, x, real(6.0));
    sum = step_up(sum, x, real(2.0));
    return step_up(sum, x, real(1));
}

// e^(high + low), where |low| is at most a few units in the last place of high.
real exp_sum(real high, real low)
{
    bool is_within = high < EXP_RANGE && high > -EXP_RANGE;
    real x = is_within ? high : high > real(0) ? EXP_RANGE : -EXP_RANGE;
    real x_low = is_within ? low : real(0);
    precise real turns = floor(x * LOG2_E + real(0.5));
    precise real rest = x - turns * LN2_HIGH;  // exact
    precise real rest_low = turns * LN2_LOW - x_low;
    precise real reduced = rest - rest_low;
    precise real mantissa = real(1) + reduced * exp_series(reduced);
    int k = int(turns), first = k >> 1;  // in two steps: 2^k may be no number where e^x is one
    precise real scaled = mantissa * power_of_two(first);
    precise real value = scaled * power_of_two(k - first);
    return value < LEAST_NORMAL ? real(0) : value;
}

// (artanh(s) / s - 1 - z / 3) / z^2, where z = s^2 and |s| <= 3 - 2 sqrt 2: 1 / 5 + z / 7 + z^2 / 9
// + ...
real artanh_series(real z)
{
    real sum = real(0);
#if REAL_IS_DOUBLE
    sum = step_up(sum, z, real(25));
    sum = step_up(sum, z, real(23));
    sum = step_up(sum, z, real(21));
    sum = step_up(sum, z, real(19));
    sum = step_up(sum, z, real(17));
    sum = step_up(sum, z, real(15));
#endif
    sum = step_up(sum, z, real(13));
    sum = step_up(sum, z, real(11));
    sum = step_up(sum, z, real(9));
    sum = step_up(sum, z, real(7));
    return step_up(sum, z, real(5));
}

// (m - 1) / (m + 1).
pair log_argument(real m)
{
    precise real above = m - real(1);  // exact
    pair below = fast_two_sum(m > real(1) ? m : real(1), m > real(1) ? real(1) : m);
    precise real ratio = above / below.high;
    pair back = two_product(ratio, below.high);
    precise real missing = above - back.high;  // exact
    precise real missing_low = back.low + ratio * below.low;
    precise real left = missing - missing_low;
    precise real low = left / below.high;
    return pair(ratio, low);
}

// ln x = k ln 2 + 2 artanh((m - 1) / (m + 1)), x = 2^k m normal and positive, m within [sqrt(1/2),
// sqrt 2]. The series' first two terms are in pairs: the error is some 10^-4 units in the last
// place of `high`, as pow needs it.
pair log_pair(real x)
{
    uint word = word_of(x) + (WORD_OF_ONE - WORD_OF_ROOT_HALF);
    int k = int(word >> MANTISSA_BITS) - EXPONENT_OF_ONE;
    real m = with_word(x, (word & ((1u << MANTISSA_BITS) - 1u)) + WORD_OF_ROOT_HALF);
    pair s = log_argument(m);
    pair z = pair_product(s, s);
    precise real tail = z.high * artanh_series(z.high);
    pair factor = fast_two_sum(real(1) / real(3), tail);
    precise real factor_low = factor.low + THIRD_LOW;
    pair cube = pair_product(s, pair_product(z, pair(factor.high, factor_low)));
    pair sum = fast_two_sum(s.high, cube.high);
    precise real lows = s.low + cube.low;
    precise real sum_low = sum.low + lows;
    pair logarithm = fast_two_sum(real(k) * LN2_HIGH, real(2) * sum.high);
    precise real low = real(k) * LN2_LOW + real(2) * sum_low;
    precise real logarithm_low = logarithm.low + low;
    return fast_two_sum(logarithm.high, logarithm_low);
}

real exp(real x) { return isnan(x) ? x : exp_sum(x, real(0)); }

// -inf of 0, NaN of what is negative.
real log(real x)
{
    pair logarithm = log_pair(x);
    if (isnan(x) || x <= -LEAST_NORMAL) return NOT_A_NUMBER;
    if (x < LEAST_NORMAL) return -INFINITE;
    return x == INFINITE ? x : logarithm.high;
}

// x^y, x >= 0: 1 where y = 0 or x = 1 whatever the other is, NaN of a negative x. The rest as
// limits are.
real pow(real x, real y)
{
    real exponent = y > POW_RANGE ? POW_RANGE : y < -POW_RANGE ? -POW_RANGE : y;
    pair logarithm = log_pair(x);
    pair product = two_product(exponent, logarithm.high);
    precise real low = product.low + exponent * logarithm.low;
    real power = exp_sum(product.high, low);
    if (y == real(0) || x == real(1)) return real(1);
    if (isnan(x) || isnan(y) || x <= -LEAST_NORMAL) return NOT_A_NUMBER;
    if (x < LEAST_NORMAL || x == INFINITE)
        return (x > real(1)) == (y > real(0)) ? INFINITE : real(0);
    return power;
}
