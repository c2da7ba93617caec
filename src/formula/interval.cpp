#include "formula/interval.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace solenoid {
namespace {

constexpr double epsilon = std::numeric_limits<double>::epsilon();
constexpr double of_operations = epsilon, of_functions = 4 * epsilon;  // relative errors

// Zeros stay, and so does the result for two numbers, which is what a formula's value is made of:
// what is one number all the time is no reason to look closer.
Interval widened(double least, double greatest, double part) {
    if (least == greatest) return {least, greatest};
    const auto below = std::isinf(least) ? least : least - part * std::abs(least);
    const auto above = std::isinf(greatest) ? greatest : greatest + part * std::abs(greatest);
    return {below, above};
}

double product(double a, double b) { return a == 0 || b == 0 ? 0 : a * b; }

}  // namespace

double Interval::size() const { return std::max(std::abs(least), std::abs(greatest)); }

Interval operator-(const Interval& a) { return {-a.greatest, -a.least}; }

Interval operator+(const Interval& a, const Interval& b) {
    const double least = a.least + b.least, greatest = a.greatest + b.greatest;
    return widened(std::isnan(least) ? -Interval::infinite : least,
                   std::isnan(greatest) ? Interval::infinite : greatest, of_operations);
}

Interval operator-(const Interval& a, const Interval& b) { return a + -b; }

Interval operator*(const Interval& a, const Interval& b) {
    const auto [least, greatest] =
        std::minmax({product(a.least, b.least), product(a.least, b.greatest),
                     product(a.greatest, b.least), product(a.greatest, b.greatest)});
    return widened(least, greatest, of_operations);
}

Interval operator*(double a, const Interval& b) { return Interval{a, a} * b; }

Interval inverse(const Interval& a) {
    if ((a.least < 0 && a.greatest > 0) || (a.least == 0 && a.greatest == 0))
        return Interval::all();
    if (a.least == 0) return widened(1 / a.greatest, Interval::infinite, of_operations);
    if (a.greatest == 0) return widened(-Interval::infinite, 1 / a.least, of_operations);
    return widened(1 / a.greatest, 1 / a.least, of_operations);
}

Interval square(const Interval& a) { return power(a, 2); }

Interval power(const Interval& a, int exponent) {
    if (exponent == 0) return {1, 1};
    if (exponent == 1) return a;
    const double least = std::pow(a.least, exponent), greatest = std::pow(a.greatest, exponent);
    if (exponent % 2 == 1 || a.least >= 0) return widened(least, greatest, of_functions);
    if (a.greatest <= 0) return widened(greatest, least, of_functions);
    return widened(0, std::max(least, greatest), of_functions);
}

// It rises or falls with each operand alone, so that it is largest and least at corners.
Interval power(const Interval& a, const Interval& exponent) {
    const Interval base = clipped(a, 0, Interval::infinite);
    if (base.is_empty() || exponent.is_empty()) return Interval::none();
    const auto [least, greatest] = std::minmax(
        {std::pow(base.least, exponent.least), std::pow(base.least, exponent.greatest),
         std::pow(base.greatest, exponent.least), std::pow(base.greatest, exponent.greatest)});
    if (std::isnan(least) || std::isnan(greatest)) return {0, Interval::infinite};
    return widened(least, greatest, of_functions);
}

Interval hull(const Interval& a, const Interval& b) {
    if (a.is_empty()) return b;
    if (b.is_empty()) return a;
    return {std::min(a.least, b.least), std::max(a.greatest, b.greatest)};
}

Interval clipped(const Interval& a, double least, double greatest) {
    return {std::max(a.least, least), std::min(a.greatest, greatest)};
}

Interval rising(double (*function)(double), const Interval& a) {
    return widened(function(a.least), function(a.greatest), of_functions);
}

Interval falling(double (*function)(double), const Interval& a) {
    return widened(function(a.greatest), function(a.least), of_functions);
}

Interval sine(const Interval& a) {
    constexpr double period = 2 * std::numbers::pi, quarter = 0.5 * std::numbers::pi;
    // so large that neighbours among the numbers are a noticeable part of a period apart
    constexpr double largest = 1e9;
    if (!(a.size() < largest) || !(a.greatest - a.least < period)) return {-1, 1};
    const double ends[2]{std::sin(a.least), std::sin(a.greatest)};
    Interval result = widened(std::min(ends[0], ends[1]), std::max(ends[0], ends[1]), of_functions);
    const double reach = of_functions * (a.size() + period);
    // a whole number of turns behind the quarter, or before it, lies between the ends
    const auto passes = [&](double at) {
        return std::floor((a.greatest + reach - at) / period) >=
               std::ceil((a.least - reach - at) / period);
    };
    if (passes(quarter)) result.greatest = 1;
    if (passes(-quarter)) result.least = -1;
    return clipped(result, -1, 1);
}

Interval cosine(const Interval& a) {
    if (!(a.size() < 1e9)) return {-1, 1};
    const double quarter = 0.5 * std::numbers::pi;
    // the sum's own rounding is that of the largest argument
    const Interval moved = a + Interval{quarter, quarter};
    const Interval by_sine = sine(moved);
    const double ends[2]{std::cos(a.least), std::cos(a.greatest)};
    const double part = 2 * epsilon * (a.size() + 2);
    return clipped({std::min({by_sine.least, ends[0], ends[1]}) - part,
                    std::max({by_sine.greatest, ends[0], ends[1]}) + part},
                   -1, 1);
}

}  // namespace solenoid
