#include "formula/functions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace solenoid {
namespace {

using Values = std::span<const double>;
using Enclosures = std::span<const Enclosure>;

constexpr double pi = std::numbers::pi, ln2 = std::numbers::ln2, ln10 = std::numbers::ln10;

// 1, 0, or either at one time or another.
Enclosure truth(bool is_always, bool is_never) {
    if (is_always) return Enclosure::constant(1);
    return is_never ? Enclosure::constant(0) : Enclosure::jumping({0, 1});
}
bool is_true(const Enclosure& a) {
    return !a.is_partial && (a.value.least > 0 || a.value.greatest < 0);
}
bool is_false(const Enclosure& a) {
    return !a.is_partial && a.value.least == 0 && a.value.greatest == 0;
}

Enclosure less(const Enclosure& a, const Enclosure& b, bool or_equal) {
    if (a.is_partial || b.is_partial) return Enclosure::jumping({0, 1});
    const Interval &u = a.value, &v = b.value;
    return or_equal ? truth(u.greatest <= v.least, u.least > v.greatest)
                    : truth(u.greatest < v.least, u.least >= v.greatest);
}

Enclosure equal(const Enclosure& a, const Enclosure& b) {
    if (a.is_partial || b.is_partial) return Enclosure::jumping({0, 1});
    const Interval &u = a.value, &v = b.value;
    return truth(u.is_point() && v.is_point() && u.least == v.least,
                 u.least > v.greatest || v.least > u.greatest);
}

Enclosure negated(const Enclosure& a) { return truth(is_false(a), is_true(a)); }

Enclosure either(const Enclosure& a, const Enclosure& b) {
    return truth(is_true(a) || is_true(b), is_false(a) && is_false(b));
}

Enclosure both(const Enclosure& a, const Enclosure& b) {
    return truth(is_true(a) && is_true(b), is_false(a) || is_false(b));
}

Enclosure chosen(const Enclosure& condition, const Enclosure& a, const Enclosure& b) {
    if (is_true(condition)) return a;
    if (is_false(condition)) return b;
    Enclosure either = Enclosure::jumping(hull(a.value, b.value));
    either.is_partial = a.is_partial || b.is_partial;
    return either;
}

// Where the argument leaves the function's domain.
Enclosure partial(Enclosure a, bool is_left) {
    a.is_partial |= is_left;
    return a;
}

Enclosure in_steps(const Enclosure& a, double (*step)(double)) {
    if (a.is_empty()) return a;
    return partial(Enclosure::jumping({step(a.value.least), step(a.value.greatest)}), a.is_partial);
}

double rounded(double a) { return std::floor(a + 0.5); }
double sign(double a) { return a < 0 ? -1 : a > 0 ? 1 : 0; }

// 0 also of what is no number.
Enclosure signs_of(const Enclosure& a) {
    return a.is_partial ? Enclosure::jumping({-1, 1}) : in_steps(a, sign);
}

// The slopes of powers of a constant exponent.
Enclosure constant_power(const Enclosure& a, double exponent) {
    if (a.is_empty()) return a;
    constexpr double most = 1e6;
    const bool is_any_whole = exponent == std::floor(exponent),
               is_whole = is_any_whole && std::abs(exponent) <= most;
    if (is_any_whole && !is_whole && a.value.least < 0) return Enclosure::jumping(Interval::all());
    if (is_whole && exponent >= 0) {
        const int n = static_cast<int>(exponent);
        const auto of = [&](int less) {
            return n < less ? Interval{0, 0} : power(a.value, n - less);
        };
        return chain(a, of(0), exponent * of(1), exponent * (exponent - 1) * of(2));
    }
    if (is_whole) return inverse(constant_power(a, -exponent));
    const auto of = [&](double less) {
        return power(a.value, Interval{exponent - less, exponent - less});
    };
    return partial(chain(a, of(0), exponent * of(1), exponent * (exponent - 1) * of(2)),
                   a.value.least < 0);
}

Enclosure exponential(const Enclosure& a) {
    const Interval e = rising([](double v) { return std::exp(v); }, a.value);
    return chain(a, e, e, e);
}

Enclosure logarithm(const Enclosure& a, double scale) {
    const Interval u = clipped(a.value, 0, Interval::infinite);
    if (u.is_empty()) return Enclosure::none();
    if (u.greatest == 0) return Enclosure::constant(-Interval::infinite);
    const Interval inverted = inverse(u);
    return partial(chain(a, scale * rising([](double v) { return std::log(v); }, u),
                         scale * inverted, -scale * square(inverted)),
                   a.value.least < 0);
}

Enclosure to_the_power(const Enclosure& a, const Enclosure& exponent) {
    const Enclosure any{Interval::all(), Interval::all(), Interval::all(), true};
    if (a.is_partial || exponent.is_partial) return any;  // powers of 1, and to 0, are 1
    if (exponent.value.is_point()) return constant_power(a, exponent.value.least);
    // a negative number may have a whole exponent
    if (a.value.least < 0) return any;
    if (a.value.least == 0)
        return {power(a.value, exponent.value), Interval::all(), Interval::all()};
    const Enclosure by_logarithm = exponential(exponent * logarithm(a, 1));
    return {power(a.value, exponent.value), by_logarithm.slope, by_logarithm.curvature};
}

Enclosure root(const Enclosure& a) {
    const Interval u = clipped(a.value, 0, Interval::infinite);
    if (u.is_empty()) return Enclosure::none();
    const Interval value = rising([](double v) { return std::sqrt(v); }, u);
    const Interval inverted = value.greatest > 0 ? inverse(value) : Interval::all();
    return partial(chain(a, value, 0.5 * inverted, -0.25 * (inverted * square(inverted))),
                   a.value.least < 0);
}

Enclosure sines(const Enclosure& a) {
    const Interval s = sine(a.value), c = cosine(a.value);
    return chain(a, s, c, -s);
}

Enclosure cosines(const Enclosure& a) {
    const Interval s = sine(a.value), c = cosine(a.value);
    return chain(a, c, -s, -c);
}

// The reach between two poles is that of a rising function.
Enclosure tangent(const Enclosure& a) {
    if (a.is_empty()) return a;
    const Interval c = cosine(a.value);
    if (c.holds(0) || a.value.greatest - a.value.least >= pi)
        return Enclosure::jumping(Interval::all());
    const Interval v = rising([](double u) { return std::tan(u); }, a.value),
                   first = Interval{1, 1} + square(v);
    return chain(a, v, first, 2.0 * (v * first));
}

// asin; of acos the sign and the value at 0 differ.
Enclosure arcsine(const Enclosure& a, bool is_cosine) {
    const Interval u = clipped(a.value, -1, 1);
    if (u.is_empty()) return Enclosure::none();
    const Interval value = is_cosine ? falling([](double v) { return std::acos(v); }, u)
                                     : rising([](double v) { return std::asin(v); }, u);
    const Interval left = clipped(Interval{1, 1} - square(u), 0, 1),
                   first = left.greatest > 0 ? power(left, Interval{-0.5, -0.5}) : Interval::all(),
                   second = u * (first * square(first));
    return partial(is_cosine ? chain(a, value, -first, -second) : chain(a, value, first, second),
                   a.value.size() > 1);
}

Enclosure arctangent(const Enclosure& a) {
    const Interval value = rising([](double v) { return std::atan(v); }, a.value),
                   first = inverse(Interval{1, 1} + square(a.value));
    return chain(a, value, first, -2.0 * (a.value * square(first)));
}

// Of two arguments, not across its cut, behind which x is negative.
Enclosure arctangent(const Enclosure& y, const Enclosure& x) {
    if (y.is_empty() || x.is_empty()) return Enclosure::none();
    const Interval &u = y.value, &v = x.value;
    if (!(v.least > 0 || u.least > 0 || u.greatest < 0))
        return partial(Enclosure::jumping({-pi, pi}), y.is_partial || x.is_partial);
    const auto [least, greatest] =
        std::minmax({std::atan2(u.least, v.least), std::atan2(u.least, v.greatest),
                     std::atan2(u.greatest, v.least), std::atan2(u.greatest, v.greatest)});
    const double reach = 1e-15;
    const Interval slope = (v * y.slope - u * x.slope) * inverse(square(u) + square(v));
    return {
        {least - reach, greatest + reach}, slope, Interval::all(), y.is_partial || x.is_partial};
}

Enclosure hyperbolic_sine(const Enclosure& a, bool is_cosine) {
    if (a.is_empty()) return a;
    const auto cosh = [](double v) { return std::cosh(v); };
    const Interval s = rising([](double v) { return std::sinh(v); }, a.value);
    const Interval c = a.value.least >= 0 ? rising(cosh, a.value)
                       : a.value.greatest <= 0
                           ? falling(cosh, a.value)
                           : Interval{1, rising(cosh, {0, a.value.size()}).greatest};
    return is_cosine ? chain(a, c, s, c) : chain(a, s, c, s);
}

Enclosure hyperbolic_tangent(const Enclosure& a) {
    const Interval v = rising([](double u) { return std::tanh(u); }, a.value);
    // 1 - tanh^2 by cosh, which keeps its digits far from 0
    const Interval c = hyperbolic_sine(a, true).value;
    const Interval first = c.is_empty() ? Interval::all() : clipped(square(inverse(c)), 0, 1);
    return chain(a, v, first, -2.0 * (v * first));
}

// As they are computed, by logarithms, which have an absolute error below 0.
double area_sine(double v) { return std::log(v + std::sqrt(v * v + 1)); }
double area_cosine(double v) { return std::log(v + std::sqrt(v * v - 1)); }
double area_tangent(double v) { return 0.5 * std::log((1 + v) / (1 - v)); }

Enclosure area_sine(const Enclosure& a) {
    if (a.is_empty()) return a;
    const Interval exact = rising([](double v) { return std::asinh(v); }, a.value);
    // the sum of v and a root loses digits: of 1/|v|, the error of |v|
    const double lost = a.value.least < 0 ? 4e-16 * (1 + a.value.least * a.value.least) : 4e-16;
    const Interval value = lost < 0.5 ? Interval{exact.least - 2 * lost, exact.greatest + 2 * lost}
                                      : Interval{-Interval::infinite, exact.greatest + 1};
    const Interval first = power(Interval{1, 1} + square(a.value), Interval{-0.5, -0.5});
    return chain(a, value, first, -(a.value * (first * square(first))));
}

Enclosure area_cosine(const Enclosure& a) {
    const Interval u = clipped(a.value, 1, Interval::infinite);
    if (u.is_empty()) return Enclosure::none();
    const Interval value =
        rising([](double v) { return std::acosh(v); }, u) + Interval{-4e-16, 4e-16};
    const Interval left = clipped(square(u) - Interval{1, 1}, 0, Interval::infinite),
                   first = left.greatest > 0 ? power(left, Interval{-0.5, -0.5}) : Interval::all();
    return partial(chain(a, value, first, -(u * (first * square(first)))), a.value.least < 1);
}

Enclosure area_tangent(const Enclosure& a) {
    const Interval u = clipped(a.value, -1, 1);
    if (u.is_empty()) return Enclosure::none();
    const Interval value =
        rising([](double v) { return std::atanh(v); }, u) + Interval{-4e-16, 4e-16};
    const Interval left = clipped(Interval{1, 1} - square(u), 0, 1),
                   first = left.greatest > 0 ? inverse(left) : Interval::all();
    return partial(chain(a, value, first, 2.0 * (u * square(first))), a.value.size() > 1);
}

Enclosure error_function(const Enclosure& a) {
    const Interval value = rising([](double v) { return std::erf(v); }, a.value);
    const Interval first =
        2 / std::sqrt(pi) * rising([](double v) { return std::exp(v); }, -square(a.value));
    return chain(a, value, first, -2.0 * (a.value * first));
}

double sum(Values v) {
    double sum = 0;
    for (const double one : v) sum += one;
    return sum;
}

Enclosure sum(Enclosures v) {
    Enclosure sum = v[0];
    for (const Enclosure& one : v.subspan(1)) sum = sum + one;
    return sum;
}

Enclosure largest(Enclosures v) {
    Enclosure largest = v[0];
    for (const Enclosure& one : v.subspan(1)) largest = larger(largest, one);
    return largest;
}

Enclosure smallest(Enclosures v) {
    Enclosure smallest = v[0];
    for (const Enclosure& one : v.subspan(1)) smallest = -larger(-smallest, -one);
    return smallest;
}

constexpr int of_or = 1, of_and = 2, of_comparisons = 4, of_sums = 5, of_products = 6,
              of_powers = 7;

using F = FormulaFunction;

const std::array signs{
    F{"-", 1, [](Values v) { return -v[0]; }, [](Enclosures v) { return -v[0]; }, of_products},
    F{"+", 1, [](Values v) { return v[0]; }, [](Enclosures v) { return v[0]; }, of_products}};

const std::array operators{
    F{"||", 2, [](Values v) { return double(v[0] || v[1]); },
      [](Enclosures v) { return either(v[0], v[1]); }, of_or},
    F{"&&", 2, [](Values v) { return double(v[0] && v[1]); },
      [](Enclosures v) { return both(v[0], v[1]); }, of_and},
    F{"<=", 2, [](Values v) { return double(v[0] <= v[1]); },
      [](Enclosures v) { return less(v[0], v[1], true); }, of_comparisons},
    F{">=", 2, [](Values v) { return double(v[0] >= v[1]); },
      [](Enclosures v) { return less(v[1], v[0], true); }, of_comparisons},
    F{"==", 2, [](Values v) { return double(v[0] == v[1]); },
      [](Enclosures v) { return equal(v[0], v[1]); }, of_comparisons},
    F{"!=", 2, [](Values v) { return double(v[0] != v[1]); },
      [](Enclosures v) { return negated(equal(v[0], v[1])); }, of_comparisons},
    F{"<", 2, [](Values v) { return double(v[0] < v[1]); },
      [](Enclosures v) { return less(v[0], v[1], false); }, of_comparisons},
    F{">", 2, [](Values v) { return double(v[0] > v[1]); },
      [](Enclosures v) { return less(v[1], v[0], false); }, of_comparisons},
    F{"+", 2, [](Values v) { return v[0] + v[1]; }, [](Enclosures v) { return v[0] + v[1]; },
      of_sums},
    F{"-", 2, [](Values v) { return v[0] - v[1]; }, [](Enclosures v) { return v[0] - v[1]; },
      of_sums},
    F{"*", 2, [](Values v) { return v[0] * v[1]; }, [](Enclosures v) { return v[0] * v[1]; },
      of_products},
    F{"/", 2, [](Values v) { return v[0] / v[1]; },
      [](Enclosures v) { return v[0] * inverse(v[1]); }, of_products},
    F{"^", 2, [](Values v) { return std::pow(v[0], v[1]); },
      [](Enclosures v) { return to_the_power(v[0], v[1]); }, of_powers, true}};

const F choice{"?:", 3, [](Values v) { return v[0] != 0 ? v[1] : v[2]; },
               [](Enclosures v) { return chosen(v[0], v[1], v[2]); }};

const std::array functions{
    F{"sin", 1, [](Values v) { return std::sin(v[0]); }, [](Enclosures v) { return sines(v[0]); }},
    F{"cos", 1, [](Values v) { return std::cos(v[0]); },
      [](Enclosures v) { return cosines(v[0]); }},
    F{"tan", 1, [](Values v) { return std::tan(v[0]); },
      [](Enclosures v) { return tangent(v[0]); }},
    F{"asin", 1, [](Values v) { return std::asin(v[0]); },
      [](Enclosures v) { return arcsine(v[0], false); }},
    F{"acos", 1, [](Values v) { return std::acos(v[0]); },
      [](Enclosures v) { return arcsine(v[0], true); }},
    F{"atan", 1, [](Values v) { return std::atan(v[0]); },
      [](Enclosures v) { return arctangent(v[0]); }},
    F{"atan2", 2, [](Values v) { return std::atan2(v[0], v[1]); },
      [](Enclosures v) { return arctangent(v[0], v[1]); }},
    F{"sinh", 1, [](Values v) { return std::sinh(v[0]); },
      [](Enclosures v) { return hyperbolic_sine(v[0], false); }},
    F{"cosh", 1, [](Values v) { return std::cosh(v[0]); },
      [](Enclosures v) { return hyperbolic_sine(v[0], true); }},
    F{"tanh", 1, [](Values v) { return std::tanh(v[0]); },
      [](Enclosures v) { return hyperbolic_tangent(v[0]); }},
    F{"asinh", 1, [](Values v) { return area_sine(v[0]); },
      [](Enclosures v) { return area_sine(v[0]); }},
    F{"acosh", 1, [](Values v) { return area_cosine(v[0]); },
      [](Enclosures v) { return area_cosine(v[0]); }},
    F{"atanh", 1, [](Values v) { return area_tangent(v[0]); },
      [](Enclosures v) { return area_tangent(v[0]); }},
    F{"exp", 1, [](Values v) { return std::exp(v[0]); },
      [](Enclosures v) { return exponential(v[0]); }},
    F{"log", 1, [](Values v) { return std::log(v[0]); },
      [](Enclosures v) { return logarithm(v[0], 1); }},
    F{"ln", 1, [](Values v) { return std::log(v[0]); },
      [](Enclosures v) { return logarithm(v[0], 1); }},
    F{"log2", 1, [](Values v) { return std::log(v[0]) / ln2; },
      [](Enclosures v) { return logarithm(v[0], 1 / ln2); }},
    F{"log10", 1, [](Values v) { return std::log10(v[0]); },
      [](Enclosures v) { return logarithm(v[0], 1 / ln10); }},
    F{"sqrt", 1, [](Values v) { return std::sqrt(v[0]); }, [](Enclosures v) { return root(v[0]); }},
    F{"erf", 1, [](Values v) { return std::erf(v[0]); },
      [](Enclosures v) { return error_function(v[0]); }},
    F{"pow", 2, [](Values v) { return std::pow(v[0], v[1]); },
      [](Enclosures v) { return to_the_power(v[0], v[1]); }},
    F{"abs", 1, [](Values v) { return v[0] >= 0 ? v[0] : -v[0]; },
      [](Enclosures v) { return absolute(v[0]); }},
    F{"sign", 1, [](Values v) { return sign(v[0]); }, [](Enclosures v) { return signs_of(v[0]); }},
    F{"floor", 1, [](Values v) { return std::floor(v[0]); },
      [](Enclosures v) { return in_steps(v[0], [](double a) { return std::floor(a); }); }},
    F{"ceil", 1, [](Values v) { return std::ceil(v[0]); },
      [](Enclosures v) { return in_steps(v[0], [](double a) { return std::ceil(a); }); }},
    F{"rint", 1, [](Values v) { return rounded(v[0]); },
      [](Enclosures v) { return in_steps(v[0], rounded); }},
    F{"min", -1, [](Values v) { return *std::min_element(v.begin(), v.end()); }, smallest},
    F{"max", -1, [](Values v) { return *std::max_element(v.begin(), v.end()); }, largest},
    F{"sum", -1, [](Values v) { return sum(v); }, [](Enclosures v) { return sum(v); }},
    F{"avg", -1, [](Values v) { return sum(v) / double(v.size()); },
      [](Enclosures v) { return sum(v) * Enclosure::constant(1 / double(v.size())); }}};

const F* found(std::span<const F> all, std::string_view name) {
    const auto one = std::ranges::find(all, name, &F::name);
    return one == all.end() ? nullptr : &*one;
}

}  // namespace

const FormulaFunction* formula_function(std::string_view name) { return found(functions, name); }
const FormulaFunction* formula_operator(std::string_view name) { return found(operators, name); }
const FormulaFunction* formula_sign(std::string_view name) { return found(signs, name); }
const FormulaFunction& formula_choice() { return choice; }

}  // namespace solenoid
